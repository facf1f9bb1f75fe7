// What a C++ program includes to open pools that `inkling build` made; with it come the headers behind it, and only they
// are installed. A pool that is open gives what a Policy of engine/inkling.hpp takes: `Pool::view()`.
#pragma once

#include "engine/inkling.hpp"                   // IWYU pragma: export
#include "io/base/file/corrupt_file_error.hpp"  // IWYU pragma: export
#include "io/corpus/pool/open/pool.hpp"         // IWYU pragma: export
