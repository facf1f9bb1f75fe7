# Finds Nettle as Nettle::nettle.

include("${CMAKE_CURRENT_LIST_DIR}/InklingFindLibrary.cmake")
inkling_find_library(Nettle Nettle::nettle nettle/sha2.h nettle nettle-dev)
