// Replaces two functions that a libarchive needs when it is linked statically into a wheel.
#include "io/base/system/random.hpp"

// libarchive's own one writes xar archives by libxml2, which would be linked, too. We write none.
extern "C" int archive_write_set_format_xar(void* /*archive*/) { return -30; }  // ARCHIVE_FATAL

// A function of glibc 2.36: with this replacement, wheels also run with glibc 2.35.
extern "C" void arc4random_buf(void* bytes, std::size_t count) { inkling::fill_random({static_cast<std::byte*>(bytes), count}); }
