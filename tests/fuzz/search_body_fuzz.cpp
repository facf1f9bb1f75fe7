// Fuzzes the bodies of events in the log of searches: an event that is read can be written and read again as the same event.
#include <iterator>
#include <string>

#include "engine/core/errors.hpp"
#include "io/search/session/search_event.hpp"
#include "tests/fuzz/fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace inkling;  // NOLINT(google-build-using-namespace): a program of one function
  const fuzz::Input input(data, size);
  SearchEvent event = {.sequence = 1, .kind = kSearchEventNames[(input.choices & 0x7FU) % std::size(kSearchEventNames)].value};
  if (input.choice(7)) event.document = 3;
  SearchEvent again = event;
  try {
    read_body(event, input.text, "here");
  } catch (const FormatError& error) {
    fuzz::check_text(error.what());
    return 0;
  }
  const std::string body = body_of(event);
  read_body(again, body, "there");
  // Bytes that are not UTF-8 are replaced at the first writing; after that, reading and writing changes nothing.
  fuzz::demand(body_of(again) == body);
  return 0;
}
