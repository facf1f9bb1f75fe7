// Progress of a build: a line for each of its phases, one after the other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "io/cli/progress.hpp"

namespace inkling {

/// Each update ends the build once Ctrl-C was pressed, by InterruptedError. Thread safety: one thread at a
/// time.
class PhasedProgress {
 public:
  /// A new label begins a new line. `done` counts from the start of the phase.
  void show(const std::string& label, std::uint64_t done, std::uint64_t total, const std::string& note = {});

 private:
  std::optional<Progress> line_;
  std::string label_;
  std::uint64_t shown_ = 0;
};

}  // namespace inkling
