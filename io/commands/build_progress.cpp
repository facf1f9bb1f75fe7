#include "io/commands/build_progress.hpp"

#include "io/cli/interruption.hpp"

namespace inkling {

void PhasedProgress::show(const std::string& label, std::uint64_t done, std::uint64_t total,
                          const std::string& note) {
  throw_if_interrupted();
  if (!line_ || label != label_) {
    line_.reset();
    line_.emplace(label, total);
    label_ = label;
    shown_ = 0;
  }
  line_->note(note);
  if (done > shown_) line_->advance(done - shown_);
  shown_ = done;
}

}  // namespace inkling
