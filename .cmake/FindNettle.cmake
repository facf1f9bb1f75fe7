# Finds Nettle as Nettle::nettle; distributions ship it without a CMake package.

find_path(NETTLE_INCLUDE_DIR NAMES nettle/sha2.h DOC "The folder that holds nettle/sha2.h")
find_library(NETTLE_LIBRARY NAMES nettle DOC "The Nettle library")
mark_as_advanced(NETTLE_INCLUDE_DIR NETTLE_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Nettle
  REQUIRED_VARS NETTLE_LIBRARY NETTLE_INCLUDE_DIR
  REASON_FAILURE_MESSAGE
    "Nettle was not found. On Debian and Ubuntu it is in nettle-dev. If it lies elsewhere, add its prefix to CMAKE_PREFIX_PATH.")

if(Nettle_FOUND AND NOT TARGET Nettle::nettle)
  add_library(Nettle::nettle UNKNOWN IMPORTED)
  set_target_properties(Nettle::nettle PROPERTIES
    IMPORTED_LOCATION "${NETTLE_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${NETTLE_INCLUDE_DIR}")
endif()
