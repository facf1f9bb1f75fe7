# For a wheel: libarchive as a static library, of which the linker takes the formats that we read and nothing else. The
# shared one brings libxml2, acl and nettle along, 36 MB with the tables of ICU, for formats that we do not read. Where
# there is no static one that fits into a shared library, LibArchive::LibArchive stays as it is.
find_library(INKLING_STATIC_ARCHIVE NAMES libarchive.a)
set(filters "")
foreach(names "z" "bz2" "lzma" "zstd;libzstd.so.1" "lz4;liblz4.so.1") # Debian has the last two without their headers
  list(GET names 0 name)
  find_library(INKLING_FILTER_${name} NAMES ${names})
  list(APPEND filters "${INKLING_FILTER_${name}}")
endforeach()
mark_as_advanced(INKLING_STATIC_ARCHIVE)

set(INKLING_HAS_LEAN_ARCHIVE OFF)
if(INKLING_STATIC_ARCHIVE AND NOT filters MATCHES "NOTFOUND")
  include(CheckCXXSourceCompiles)
  include(CMakePushCheckState)
  cmake_push_check_state(RESET)
  set(CMAKE_REQUIRED_FLAGS -fPIC)
  set(CMAKE_REQUIRED_LINK_OPTIONS -shared -Wl,--exclude-libs,ALL)
  set(CMAKE_REQUIRED_LIBRARIES "${INKLING_STATIC_ARCHIVE}" ${filters})
  check_cxx_source_compiles("extern \"C\" int archive_read_support_format_zip_seekable(void*);
    extern \"C\" int archive_read_support_format_tar(void*);
    int read(void* archive) {
      return archive_read_support_format_zip_seekable(archive) + archive_read_support_format_tar(archive);
    }" INKLING_STATIC_ARCHIVE_FITS)
  cmake_pop_check_state()
  set(INKLING_HAS_LEAN_ARCHIVE "${INKLING_STATIC_ARCHIVE_FITS}")
endif()
if(INKLING_HAS_LEAN_ARCHIVE)
  set_target_properties(LibArchive::LibArchive PROPERTIES
    IMPORTED_LOCATION "${INKLING_STATIC_ARCHIVE}" INTERFACE_LINK_LIBRARIES "${filters}")
endif()
