#include "io/doors/protocol/request_lines.hpp"

#include <algorithm>
#include <cerrno>

#include <unistd.h>

#include "engine/core/errors.hpp"
#include "io/base/file/interruption.hpp"

namespace inkling {

std::optional<std::string_view> RequestLines::next() {
  line_.clear();
  bool has_begun = false;
  for (;;) {
    if (used_ == buffer_.size() && !fill()) {
      if (!has_begun) return std::nullopt;
      return line_;
    }
    has_begun = true;
    const std::string_view unread = std::string_view(buffer_).substr(used_);
    const std::size_t end = unread.find('\n');
    append_to_line(unread.substr(0, end));
    used_ = end == std::string_view::npos ? buffer_.size() : used_ + end + 1;
    if (end != std::string_view::npos) return line_;
  }
}

void RequestLines::append_to_line(std::string_view text) {
  line_ += text.substr(0, most_bytes_ + 1 - std::min(line_.size(), most_bytes_ + 1));
}

bool RequestLines::fill() {
  constexpr std::size_t at_once = std::size_t{1} << 16U;
  buffer_.resize(at_once);
  used_ = 0;
  for (;;) {
    await_input(descriptor_);
    const ssize_t count = ::read(descriptor_, buffer_.data(), buffer_.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    const int error = errno;
    buffer_.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    if (count < 0) throw SystemError("standard input", error, "cannot read");
    return count > 0;
  }
}

}  // namespace inkling
