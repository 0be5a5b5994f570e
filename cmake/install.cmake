# What `make install` puts where: program, library, header, pkg-config file, man page, completion, data. The prefix is
# chosen when it is installed: the program finds its data from where it lies itself.
include(GNUInstallDirs)
install(TARGETS soloist RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS soloist_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/soloist.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY data/ DESTINATION ${CMAKE_INSTALL_DATADIR}/soloist)
install(FILES docs/soloist.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
install(FILES completions/soloist.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        RENAME soloist OPTIONAL)
# Written with the prefix of the installation, which may be another than the one that was configured.
install(CODE "set(PROJECT_VERSION ${PROJECT_VERSION})
              set(CMAKE_INSTALL_LIBDIR ${CMAKE_INSTALL_LIBDIR})
              set(CMAKE_INSTALL_INCLUDEDIR ${CMAKE_INSTALL_INCLUDEDIR})
              configure_file(\"${CMAKE_SOURCE_DIR}/cmake/soloist.pc.in\" \"${CMAKE_BINARY_DIR}/soloist.pc\" @ONLY)
              file(INSTALL \"${CMAKE_BINARY_DIR}/soloist.pc\"
                   DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig\")")
