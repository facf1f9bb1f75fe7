# Install rules, the package with which another CMake project links inkling::engine and inkling::io, files for pkg-config, and
# Debian packages.
#   find_package(inkling REQUIRED)                  # the engine
#   find_package(inkling REQUIRED COMPONENTS io)    # and pools on disk
#   target_link_libraries(mine PRIVATE inkling::io)

include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/inkling")
set(header_dir "${CMAKE_INSTALL_INCLUDEDIR}/inkling")

# inkling_install_libraries(EXPORT NAME...): the engine has an export of its own, so that it can be had without io.
function(inkling_install_libraries export)
  install(TARGETS ${ARGN} EXPORT ${export}
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development
    FILE_SET HEADERS DESTINATION "${header_dir}" COMPONENT development
    FILE_SET faces DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT development
    INCLUDES DESTINATION "${header_dir}" "${CMAKE_INSTALL_INCLUDEDIR}")
  install(EXPORT ${export} NAMESPACE inkling:: DESTINATION "${package_dir}" COMPONENT development)
endfunction()

inkling_install_libraries(inklingTargets engine)
if(INKLING_IO)
  inkling_install_libraries(inklingIoTargets io io_search io_corpus io_base)
endif()
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/inklingConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/inklingConfig.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/inklingConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/inklingConfig.cmake"
  "${PROJECT_BINARY_DIR}/inklingConfigVersion.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/FindCHOLMOD.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/FindxxHash.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/InklingFindLibrary.cmake"
  DESTINATION "${package_dir}" COMPONENT development)

# inkling_pkg_config(SUFFIX DESCRIPTION REQUIRES LIBRARY...): for programs that are not built with CMake.
function(inkling_pkg_config pc_suffix pc_description pc_requires)
  list(TRANSFORM ARGN PREPEND "-l")
  list(JOIN ARGN " " pc_libs)
  set(folder "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
  file(RELATIVE_PATH to_prefix "/prefix/${folder}" "/prefix")
  configure_file("${PROJECT_SOURCE_DIR}/.cmake/inkling.pc.in" "${PROJECT_BINARY_DIR}/inkling${pc_suffix}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/inkling${pc_suffix}.pc" DESTINATION "${folder}" COMPONENT development)
endfunction()

set(solver "")
if(INKLING_CHOLMOD)
  set(solver cholmod)
endif()
inkling_pkg_config("" "Linear bandits with feature feedback" "" inkling_engine ${solver} tbb)
if(INKLING_IO)
  inkling_pkg_config("-io" "Pools of texts, and searches that a file keeps" inkling
    inkling_io_search inkling_io_corpus inkling_io_base fmt archive z sqlite3 xxhash icui18n icuuc simdjson pthread)
endif()

# inkling_install_manual(PROGRAM): man pages and completions, which the program itself writes from its tables of options.
# zsh looks into site-functions below /usr/local, and into vendor-completions below /usr.
function(inkling_install_manual program)
  set(made "${PROJECT_BINARY_DIR}/manual/${program}")
  add_custom_command(OUTPUT "${made}/stamp"
    COMMAND "${CMAKE_COMMAND}" -E rm -rf "${made}"
    COMMAND ${program} help --man --out "${made}/man1"
    COMMAND ${program} help --completion bash > "${made}/${program}"
    COMMAND ${program} help --completion zsh > "${made}/_${program}"
    COMMAND ${program} help --completion fish > "${made}/${program}.fish"
    COMMAND "${CMAKE_COMMAND}" -E touch "${made}/stamp"
    DEPENDS ${program} COMMENT "Writing the man pages and completions of ${program}" VERBATIM)
  add_custom_target(${program}_manual ALL DEPENDS "${made}/stamp")
  add_dependencies(manual ${program}_manual)
  install(TARGETS ${program} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT programs)
  install(DIRECTORY "${made}/man1/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT programs)
  install(FILES "${made}/${program}" DESTINATION share/bash-completion/completions COMPONENT programs)
  install(FILES "${made}/_${program}" DESTINATION share/zsh/site-functions COMPONENT programs)
  install(FILES "${made}/_${program}" DESTINATION share/zsh/vendor-completions COMPONENT programs)
  install(FILES "${made}/${program}.fish" DESTINATION share/fish/vendor_completions.d COMPONENT programs)
endfunction()

if(INKLING_IO)
  add_custom_target(manual)
  inkling_install_manual(inkling)
  if(TARGET inkling-bench)
    inkling_install_manual(inkling-bench)
  endif()
endif()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT programs)

if(PROJECT_IS_TOP_LEVEL AND INKLING_IO)
  include(InklingDebian)
endif()
