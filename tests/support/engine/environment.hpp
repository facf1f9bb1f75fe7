// Variables of the environment of this process.
#pragma once

#include <cstdlib>
#include <string>

namespace inkling::test {

/// The variable by which a person's programs find the folder of their caches.
#ifdef _WIN32
inline constexpr const char* kFolderOfCaches = "LOCALAPPDATA";
#else
inline constexpr const char* kFolderOfCaches = "XDG_CACHE_HOME";
#endif

inline void set_environment(const std::string& name, const std::string& value) {
#ifdef _WIN32
  const int failure = _putenv_s(name.c_str(), value.c_str());
#else
  const int failure = setenv(name.c_str(), value.c_str(), 1);
#endif
  if (failure != 0) std::abort();
}

}  // namespace inkling::test
