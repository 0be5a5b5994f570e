# What `make install` puts where: program, library (shared and static), headers, pkg-config file, CMake package, man
# pages, completions, data. The prefix is chosen when it is installed: the program finds its data from where it lies
# itself.
include(GNUInstallDirs)
install(TARGETS soloist RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS soloist_shared soloist_static LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/soloist.h include/soloist_extra.h include/soloist_method.h include/soloist_picture.h
        include/soloist_tools.h include/soloist.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# Of the static library only the machine code is installed: with the objects for link-time optimisation in it, every
# program that links it would optimise the whole library again, which takes a minute.
if(CMAKE_INTERPROCEDURAL_OPTIMIZATION AND CMAKE_OBJCOPY)
  install(CODE "execute_process(COMMAND \"${CMAKE_OBJCOPY}\" --wildcard --remove-section=.gnu.lto_*
                                        --remove-section=.gnu.debuglto_*
                                        \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/libsoloist.a\")")
endif()
# data/runs is for scripts/results.sh alone.
install(DIRECTORY data/ DESTINATION ${CMAKE_INSTALL_DATADIR}/soloist PATTERN runs EXCLUDE)

# The manual pages and the completions are written by the program itself, from the rows that --help shows.
if(NOT CMAKE_CROSSCOMPILING)
  file(GLOB page_sections CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/docs/man/*.roff)
  add_custom_command(
    OUTPUT ${CMAKE_BINARY_DIR}/pages/done
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:soloist> -DSECTIONS=${CMAKE_SOURCE_DIR}/docs/man
            -DOUT=${CMAKE_BINARY_DIR}/pages -P ${CMAKE_SOURCE_DIR}/cmake/pages.cmake
    DEPENDS soloist ${page_sections} ${CMAKE_SOURCE_DIR}/cmake/pages.cmake
    COMMENT "Writing manual pages and completions")
  add_custom_target(pages ALL DEPENDS ${CMAKE_BINARY_DIR}/pages/done)
  install(DIRECTORY ${CMAKE_BINARY_DIR}/pages/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
  install(FILES ${CMAKE_BINARY_DIR}/pages/soloist.bash
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME soloist)
  install(FILES ${CMAKE_BINARY_DIR}/pages/soloist.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions
          RENAME _soloist)
  install(FILES ${CMAKE_BINARY_DIR}/pages/soloist.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
set(soloist_private_libraries "-pthread -lm")
foreach(library ${CMAKE_DL_LIBS})
  string(APPEND soloist_private_libraries " -l${library}")
endforeach()
# The folders in soloist.pc, and its own: below the prefix, unless an absolute path was configured.
foreach(folder LIBDIR INCLUDEDIR)
  set(soloist_${folder} ${CMAKE_INSTALL_${folder}})
  if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_${folder}}")
    set(soloist_${folder} "\\\${prefix}/${CMAKE_INSTALL_${folder}}")
  endif()
endforeach()
string(REPLACE "\\\${prefix}" "\${CMAKE_INSTALL_PREFIX}" soloist_pc_folder "${soloist_LIBDIR}/pkgconfig")
# Written with the prefix of the installation, which may be another than the one that was configured.
install(CODE "set(PROJECT_VERSION ${PROJECT_VERSION})
              set(soloist_private_libraries \"${soloist_private_libraries}\")
              set(soloist_LIBDIR \"${soloist_LIBDIR}\")
              set(soloist_INCLUDEDIR \"${soloist_INCLUDEDIR}\")
              configure_file(\"${CMAKE_SOURCE_DIR}/cmake/soloist.pc.in\" \"${CMAKE_BINARY_DIR}/soloist.pc\" @ONLY)
              file(INSTALL \"${CMAKE_BINARY_DIR}/soloist.pc\" DESTINATION \"${soloist_pc_folder}\")")

# find_package(Soloist): the paths in it are relative, so that the installation can be moved.
include(CMakePackageConfigHelpers)
set(soloist_package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Soloist)
configure_package_config_file(cmake/SoloistConfig.cmake.in ${CMAKE_BINARY_DIR}/SoloistConfig.cmake
                              INSTALL_DESTINATION ${soloist_package_folder}
                              PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/SoloistConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/SoloistConfig.cmake ${CMAKE_BINARY_DIR}/SoloistConfigVersion.cmake
        DESTINATION ${soloist_package_folder})
