// Fuzzes annotations of reviews: what is read can be written and read again, and invalid lines are refused with their place.
#include "bench/paper/data/reviews.hpp"
#include "engine/core/errors.hpp"
#include "io/base/file/json_writer.hpp"
#include "tests/fuzz/fuzz_input.hpp"

namespace inkling::fuzz {
namespace {

using bench::Judgement, bench::ReviewAnnotation;

std::string written(const std::vector<ReviewAnnotation>& annotations) {
  std::string text;
  for (const ReviewAnnotation& annotation : annotations) {
    JsonWriter json;
    json.begin_object().member("annotation_id", annotation.review);
    json.member("classification", annotation.judgement == Judgement::positive ? "POS" : "NEG");
    json.key("evidences").begin_array();
    for (const std::string& phrase : annotation.highlights) {
      json.begin_array().begin_object().member("docid", annotation.review).member("text", phrase);
      json.end_object().end_array();
    }
    text += json.end_array().end_object().take() + "\n";
  }
  return text;
}

}  // namespace
}  // namespace inkling::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace inkling;  // NOLINT(google-build-using-namespace): a program of one function
  const fuzz::Input input(data, size);
  bench::JsonLineLimits limits;
  if (input.choice(0)) limits.most_line_bytes = 64;
  if (input.choice(1)) limits.most_bytes = 256;
  try {
    MemoryStream stream(input.text);
    const std::vector<bench::ReviewAnnotation> found = bench::read_annotations(stream, "in", limits);
    const std::string text = fuzz::written(found);
    MemoryStream again(text);
    fuzz::demand(bench::read_annotations(again, "again", {}) == found);
  } catch (const FormatError& error) {
    fuzz::demand(error.where() == "in" || error.where().starts_with("in:"));
    fuzz::check_text(error.what());
  }
  return 0;
}
