# What `make install` puts where: program, library (shared and static), header, pkg-config file, man page, completion,
# data. The prefix is chosen when it is installed: the program finds its data from where it lies itself.
include(GNUInstallDirs)
install(TARGETS soloist RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS soloist_shared soloist_static LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/soloist.h include/soloist_extra.h include/soloist_method.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY data/ DESTINATION ${CMAKE_INSTALL_DATADIR}/soloist)
install(FILES docs/soloist.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
install(FILES completions/soloist.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        RENAME soloist OPTIONAL)
set(soloist_private_libraries "-pthread -lm")
foreach(library ${CMAKE_DL_LIBS})
  string(APPEND soloist_private_libraries " -l${library}")
endforeach()
# Written with the prefix of the installation, which may be another than the one that was configured.
install(CODE "set(PROJECT_VERSION ${PROJECT_VERSION})
              set(soloist_private_libraries \"${soloist_private_libraries}\")
              set(CMAKE_INSTALL_LIBDIR ${CMAKE_INSTALL_LIBDIR})
              set(CMAKE_INSTALL_INCLUDEDIR ${CMAKE_INSTALL_INCLUDEDIR})
              configure_file(\"${CMAKE_SOURCE_DIR}/cmake/soloist.pc.in\" \"${CMAKE_BINARY_DIR}/soloist.pc\" @ONLY)
              file(INSTALL \"${CMAKE_BINARY_DIR}/soloist.pc\"
                   DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig\")")
