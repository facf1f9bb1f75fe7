# For libraries that distributions ship without a CMake package.

include(FindPackageHandleStandardArgs)

# inkling_find_library(NAME TARGET HEADER LIBRARY PACKAGE): the imported target of the library that has this header, for a
# find module NAME. PACKAGE is where Debian and Ubuntu have it.
macro(inkling_find_library name target header library package)
  find_path(${name}_INCLUDE_DIR NAMES ${header} DOC "The folder that holds ${header}")
  find_library(${name}_LIBRARY NAMES ${library} DOC "The ${name} library")
  mark_as_advanced(${name}_INCLUDE_DIR ${name}_LIBRARY)
  find_package_handle_standard_args(${name}
    REQUIRED_VARS ${name}_LIBRARY ${name}_INCLUDE_DIR
    REASON_FAILURE_MESSAGE
      "${name} was not found. On Debian and Ubuntu it is in ${package}. If it lies elsewhere, add its prefix to CMAKE_PREFIX_PATH.")
  if(${name}_FOUND AND NOT TARGET ${target})
    add_library(${target} UNKNOWN IMPORTED)
    set_target_properties(${target} PROPERTIES
      IMPORTED_LOCATION "${${name}_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${${name}_INCLUDE_DIR}")
  endif()
endmacro()
