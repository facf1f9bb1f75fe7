// Stands in for two things that libarchive asks for where a wheel has it as a static library.
#include "io/base/system/random.hpp"

// It writes archives of kind xar by libxml2, which would come along. We write none.
extern "C" int archive_write_set_format_xar(void* /*archive*/) { return -30; }  // ARCHIVE_FATAL

// Of glibc 2.36: with this one in its place, wheels run with glibc 2.35, too.
extern "C" void arc4random_buf(void* bytes, std::size_t count) { inkling::fill_random({static_cast<std::byte*>(bytes), count}); }
