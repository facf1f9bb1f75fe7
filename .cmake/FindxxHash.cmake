# Finds xxHash as xxHash::xxhash.

include("${CMAKE_CURRENT_LIST_DIR}/InklingFindLibrary.cmake")
inkling_find_library(xxHash xxHash::xxhash xxhash.h xxhash libxxhash-dev)
