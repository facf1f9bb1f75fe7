# Finds CHOLMOD of SuiteSparse 5 to 7, with or without its own CMake package, as SuiteSparse::CHOLMOD.
# Distributions keep cholmod.h in a folder suitesparse/; sources say #include <cholmod.h> either way.

find_path(CHOLMOD_INCLUDE_DIR NAMES cholmod.h PATH_SUFFIXES suitesparse
  DOC "The folder that holds cholmod.h")
find_library(CHOLMOD_LIBRARY NAMES cholmod DOC "The CHOLMOD library")
mark_as_advanced(CHOLMOD_INCLUDE_DIR CHOLMOD_LIBRARY)

# SuiteSparse 5 keeps the numbers in cholmod_core.h, SuiteSparse 7 in cholmod.h itself.
if(CHOLMOD_INCLUDE_DIR)
  set(parts "")
  foreach(part MAIN SUB SUBSUB)
    foreach(header cholmod.h cholmod_core.h)
      if(EXISTS "${CHOLMOD_INCLUDE_DIR}/${header}")
        file(STRINGS "${CHOLMOD_INCLUDE_DIR}/${header}" line
          REGEX "^#define CHOLMOD_${part}_VERSION[ \t]+[0-9]+" LIMIT_COUNT 1)
        if(line MATCHES "VERSION[ \t]+([0-9]+)")
          list(APPEND parts "${CMAKE_MATCH_1}")
          break()
        endif()
      endif()
    endforeach()
  endforeach()
  list(JOIN parts "." CHOLMOD_VERSION)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CHOLMOD
  REQUIRED_VARS CHOLMOD_LIBRARY CHOLMOD_INCLUDE_DIR
  VERSION_VAR CHOLMOD_VERSION
  REASON_FAILURE_MESSAGE
    "CHOLMOD, a part of SuiteSparse, was not found. On Debian and Ubuntu it is in libsuitesparse-dev. If it lies elsewhere, add its prefix to CMAKE_PREFIX_PATH.")

if(CHOLMOD_FOUND AND NOT TARGET SuiteSparse::CHOLMOD)
  add_library(SuiteSparse::CHOLMOD UNKNOWN IMPORTED)
  set_target_properties(SuiteSparse::CHOLMOD PROPERTIES
    IMPORTED_LOCATION "${CHOLMOD_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${CHOLMOD_INCLUDE_DIR}")
endif()
