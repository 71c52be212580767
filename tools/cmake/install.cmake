# What `cmake --install` puts where: headers, static libraries, the package for find_package(scree), the program, scenes.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(SCREE_LIBRARIES options base model collision integrators contact engine measure files scenes)
foreach(library IN LISTS SCREE_LIBRARIES)
  set_target_properties(scree_${library} PROPERTIES EXPORT_NAME ${library})
  install(TARGETS scree_${library} EXPORT screeTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endforeach()
if(SCREE_BUILD_TOOLS)
  install(TARGETS scree RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

# Headers that speak HDF5 serve the sources only.
install(DIRECTORY engine collision integrators contact scenes
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/scree
  FILES_MATCHING PATTERN "*.hpp"
  PATTERN "fclib_file.hpp" EXCLUDE
  PATTERN "gdal.hpp" EXCLUDE
  PATTERN "hdf5_chunks.hpp" EXCLUDE
  PATTERN "hdf5_file.hpp" EXCLUDE
  PATTERN "hdf5_handle.hpp" EXCLUDE
  PATTERN "hdf5_screen.hpp" EXCLUDE
  PATTERN "load_tables.hpp" EXCLUDE
  PATTERN "measure_tables.hpp" EXCLUDE
  PATTERN "quiet_hdf5.hpp" EXCLUDE
  PATTERN "result_appenders.hpp" EXCLUDE
  PATTERN "result_checks.hpp" EXCLUDE
  PATTERN "result_copy.hpp" EXCLUDE
  PATTERN "result_layout.hpp" EXCLUDE
  PATTERN "result_reader_impl.hpp" EXCLUDE
  PATTERN "row_table.hpp" EXCLUDE
  PATTERN "scene_group.hpp" EXCLUDE
  PATTERN "state_file.hpp" EXCLUDE
  PATTERN "stress_tables.hpp" EXCLUDE
  PATTERN "twin_driver.hpp" EXCLUDE
  PATTERN "warning_table.hpp" EXCLUDE
  PATTERN "pictures" EXCLUDE)
install(DIRECTORY scenes/ DESTINATION ${CMAKE_INSTALL_DATADIR}/scree/scenes FILES_MATCHING PATTERN "*.toml" PATTERN "*.asc" PATTERN "*.csv"
  PATTERN "pictures" EXCLUDE)
# The pages keep their places to each other, so that their links lead somewhere.
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY engine collision contact scenes DESTINATION ${CMAKE_INSTALL_DOCDIR}
  FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "*.svg" PATTERN "*.csv")
install(FILES tools/README.md tools/packages.txt tools/read_results.py DESTINATION ${CMAKE_INSTALL_DOCDIR}/tools)
install(DIRECTORY tests/data/warnings DESTINATION ${CMAKE_INSTALL_DOCDIR}/tests/data FILES_MATCHING PATTERN "*.toml")
if(SCREE_BUILD_TOOLS)
  install(PROGRAMS tools/read_results.py DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME scree-read-results)
  install(FILES ${PROJECT_BINARY_DIR}/help/scree.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
  install(FILES ${PROJECT_BINARY_DIR}/help/scree
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions OPTIONAL)
endif()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/scree)
install(EXPORT screeTargets NAMESPACE scree:: DESTINATION ${package_folder})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/screeConfig.cmake.in ${PROJECT_BINARY_DIR}/screeConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/screeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/screeConfig.cmake ${PROJECT_BINARY_DIR}/screeConfigVersion.cmake
  DESTINATION ${package_folder})

# cpack in the build folder makes a package for Debian; what it needs is found from the libraries that the program is
# linked to.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME scree)
set(CPACK_PACKAGE_VENDOR scree)
set(CPACK_PACKAGE_CONTACT "the scree developers <scree@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-h5py")
set(CPACK_STRIP_FILES ON)
include(CPack)
