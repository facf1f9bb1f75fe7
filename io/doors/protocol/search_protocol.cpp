#include "io/doors/protocol/search_protocol.hpp"

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/json_writer.hpp"

namespace inkling {
namespace {

std::string refusal(std::string_view error, std::string_view expected) {
  constexpr std::string_view beginning = "expected ";
  if (expected.starts_with(beginning)) expected.remove_prefix(beginning.size());
  return JsonWriter().begin_object().member("error", error).member("expected", expected).end_object().take();
}

}  // namespace

std::string answer_line(SearchService& service, std::string_view line) {
  try {
    return service.answer(line);
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
