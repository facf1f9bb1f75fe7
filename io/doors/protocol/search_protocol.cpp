#include "io/doors/protocol/search_protocol.hpp"

#include <algorithm>
#include <cerrno>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/system/interruption.hpp"

namespace inkling {
namespace {

std::string refusal(std::string_view error, std::string_view expected) {
  constexpr std::string_view beginning = "expected ";
  if (expected.starts_with(beginning)) expected.remove_prefix(beginning.size());
  return JsonWriter().begin_object().member("error", error).member("expected", expected).end_object().take();
}

}  // namespace

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
    await_input(*file_);
    const std::ptrdiff_t count = file_->read(std::as_writable_bytes(std::span(buffer_)));
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    const int error = errno;
    buffer_.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    if (count < 0) throw SystemError("standard input", error, "cannot read");
    return count > 0;
  }
}

std::string answer_line(SearchService& service, std::string_view line) {
  try {
    return service.json(line);
  } catch (const CorruptFileError&) {
    throw;
  } catch (const FormatError& error) {
    return refusal(error.where(), error.expectation());
  } catch (const NumericalError& error) {
    return refusal(error.what(), "ratings that can be learned from together with the earlier ones");
  } catch (const SystemError& error) {
    return refusal(error.what(), "a file that can be written; nothing of this request was kept");
  }
}

}  // namespace inkling
