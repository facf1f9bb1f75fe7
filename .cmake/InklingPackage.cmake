# Install rules, and the package with which another CMake project links inkling::engine:
#   find_package(inkling REQUIRED)
#   target_link_libraries(mine PRIVATE inkling::engine)

include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/inkling")
set(header_dir "${CMAKE_INSTALL_INCLUDEDIR}/inkling")

install(TARGETS engine EXPORT inklingTargets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  FILE_SET HEADERS DESTINATION "${header_dir}"
  INCLUDES DESTINATION "${header_dir}")
install(EXPORT inklingTargets NAMESPACE inkling:: DESTINATION "${package_dir}")

configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/inklingConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/inklingConfig.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/inklingConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/inklingConfig.cmake"
  "${PROJECT_BINARY_DIR}/inklingConfigVersion.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/FindCHOLMOD.cmake"
  DESTINATION "${package_dir}")

if(INKLING_IO)
  install(TARGETS inkling inkling-bench RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
