// The encoding of names, as libraries take it from the locale.
#pragma once

namespace inkling {

/// While it lives, names of files are UTF-8 for libraries that this thread calls.
class Utf8Names {
 public:
  Utf8Names() noexcept;
  ~Utf8Names();
  Utf8Names(const Utf8Names&) = delete;
  Utf8Names& operator=(const Utf8Names&) = delete;

 private:
  void* before_ = nullptr;  // the locale of the thread, if it is to be set again
};

}  // namespace inkling
