// Files of JSON lines, whose fields a data set defines.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include <fmt/core.h>
#include <simdjson.h>

#include "io/corpus/source/json_record.hpp"
#include "io/corpus/unpack/byte_stream.hpp"

namespace inkling::bench {

struct JsonLineLimits {
  std::uint64_t most_line_bytes = std::uint64_t{1} << 22U;
  std::uint64_t most_bytes = std::uint64_t{1} << 27U;  ///< of a file
};

/// Calls `take` with the object of each line in order, without blank lines; `take` throws by `refuse_record` if an object
/// is not valid. Throws FormatError ("NAME:LINE:COLUMN", or NAME if the file is too long).
void for_each_json_line(InputStream& stream, const std::string& name, const JsonLineLimits& limits,
                        const std::function<void(simdjson::dom::object)>& take);

/// Throws FormatError without a place, which the caller adds.
[[noreturn]] void refuse_record(std::string expectation);

/// The value of a key, of the expected kind, such as "a string". Throws as `refuse_record`.
template <typename Value>
[[nodiscard]] Value value_of_key(simdjson::dom::object from, std::string_view key, std::string_view kind) {
  simdjson::dom::element found;
  if (from.at_key(key).get(found) != simdjson::SUCCESS)
    refuse_record(fmt::format("expected {} in the field \"{}\", found none", kind, key));
  Value value;
  if (found.get(value) != simdjson::SUCCESS)
    refuse_record(fmt::format("expected {} in the field \"{}\", found {}", kind, key, json_kind_name(found.type())));
  return value;
}

}  // namespace inkling::bench
