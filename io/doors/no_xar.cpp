// Stands in for a part of libarchive where that is linked statically: it writes archives of kind xar by libxml2, which would
// come along. We write none.
extern "C" int archive_write_set_format_xar(void* /*archive*/) { return -30; }  // ARCHIVE_FATAL
