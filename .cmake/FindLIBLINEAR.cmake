# Finds LIBLINEAR as LIBLINEAR::liblinear; distributions ship it without a CMake package.

find_path(LIBLINEAR_INCLUDE_DIR NAMES linear.h PATH_SUFFIXES liblinear
  DOC "The folder that holds LIBLINEAR's linear.h")
find_library(LIBLINEAR_LIBRARY NAMES linear DOC "The LIBLINEAR library")
mark_as_advanced(LIBLINEAR_INCLUDE_DIR LIBLINEAR_LIBRARY)

# The header says 230 for 2.30.
if(LIBLINEAR_INCLUDE_DIR)
  file(STRINGS "${LIBLINEAR_INCLUDE_DIR}/linear.h" line
    REGEX "^#define LIBLINEAR_VERSION[ \t]+[0-9]+" LIMIT_COUNT 1)
  if(line MATCHES "VERSION[ \t]+([0-9]+)([0-9])([0-9])$")
    set(LIBLINEAR_VERSION "${CMAKE_MATCH_1}.${CMAKE_MATCH_2}${CMAKE_MATCH_3}")
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LIBLINEAR
  REQUIRED_VARS LIBLINEAR_LIBRARY LIBLINEAR_INCLUDE_DIR
  VERSION_VAR LIBLINEAR_VERSION
  REASON_FAILURE_MESSAGE
    "LIBLINEAR was not found. On Debian and Ubuntu it is in liblinear-dev. If it lies elsewhere, add its prefix to CMAKE_PREFIX_PATH.")

if(LIBLINEAR_FOUND AND NOT TARGET LIBLINEAR::liblinear)
  add_library(LIBLINEAR::liblinear UNKNOWN IMPORTED)
  set_target_properties(LIBLINEAR::liblinear PROPERTIES
    IMPORTED_LOCATION "${LIBLINEAR_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${LIBLINEAR_INCLUDE_DIR}")
endif()
