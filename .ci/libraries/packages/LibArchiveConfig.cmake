# libarchive as a static library of the prefix that this file lies in, with what it reads compressed files by.
get_filename_component(prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET LibArchive::LibArchive)
  set(filters z bz2 lzma zstd lz4)
  list(TRANSFORM filters REPLACE ".+" "${prefix}/lib/lib\\0.a")
  add_library(LibArchive::LibArchive STATIC IMPORTED)
  set_target_properties(LibArchive::LibArchive PROPERTIES
    IMPORTED_LOCATION "${prefix}/lib/libarchive.a"
    INTERFACE_INCLUDE_DIRECTORIES "${prefix}/include"
    INTERFACE_COMPILE_DEFINITIONS LIBARCHIVE_STATIC
    INTERFACE_LINK_LIBRARIES "${filters}")
endif()
