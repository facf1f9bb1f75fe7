// How fuzz targets cut their input into choices and text, and what they demand of every document.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "io/corpus/source/document_source.hpp"
#include "io/corpus/source/record_parser.hpp"
#include "io/corpus/text/decoding.hpp"

namespace inkling::fuzz {

/// Ends the process, for the fuzzer to notice, unless the demand holds.
inline void demand(bool holds) {
  if (!holds) std::abort();
}

/// An input: the bits of the first byte are choices, and the rest is text.
struct Input {
  Input(const std::uint8_t* data, std::size_t size)
      : choices(size == 0 ? 0U : data[0]),
        text(reinterpret_cast<const char*>(data) + (size == 0 ? 0 : 1), size == 0 ? 0 : size - 1) {}

  [[nodiscard]] bool choice(unsigned bit) const { return ((choices >> bit) & 1U) != 0; }

  unsigned choices;
  std::string_view text;
};

/// Whether slow checks are made for every input. `replay_main.cpp`, which runs few inputs, sets it.
inline bool is_thorough = false;

/// Whether slow checks are made for this input: chooses one in `many` inputs by their bytes alone.
inline bool is_one_in(unsigned many, const std::uint8_t* data, std::size_t size) {
  std::uint64_t hash = 1469598103934665603U;
  for (std::size_t at = 0; at < size; ++at) hash = (hash ^ data[at]) * 1099511628211U;
  return is_thorough || (hash >> 32U) % many == 0;
}

/// Options chosen by the bits 0 to 3.
inline SourceOptions options_of(const Input& input, const std::string& format) {
  SourceOptions options = {.format = format};
  if (input.choice(0)) options.encoding = TextEncoding::latin1;
  if (input.choice(1)) options.bad_bytes = BadBytes::refuse;
  options.reading.skip_bad = input.choice(2);
  if (input.choice(3)) options.reading.most_document_bytes = 16;
  return options;
}

inline void check_text(std::string_view text) { demand(valid_utf8_prefix(text) == text.size()); }

/// Reads every byte that a document lends, so that a sanitizer reports a span that is out of bounds.
inline void check_document(const SourceDocument& document) {
  check_text(document.text);
  check_text(document.id);
  check_text(document.label);
  volatile char last = *(document.text.data() + document.text.size() + kTextPadding - 1);
  static_cast<void>(last);
}

/// A chunk with all of this text, from an origin with a name.
inline Chunk chunk_of(std::string_view text) {
  static const auto origin = std::make_shared<const std::string>("input");
  Chunk chunk;
  chunk.origin = origin;
  chunk.bytes.append(text);
  return chunk;
}

/// Bytes of a chunk that cuts most records; more for a long text, which would otherwise take the square of its length.
inline std::uint64_t small_chunk(const Input& input) { return 1 + 5 * (input.choices >> 6U) + input.text.size() / 16; }

/// The documents of a source, to compare different ways to cut it into chunks.
struct Digest {
  std::uint64_t hash = 1469598103934665603U;
  std::int64_t documents = 0;

  void add(std::string_view text) {
    for (const char character : text) {
      hash ^= static_cast<unsigned char>(character);
      hash *= 1099511628211U;
    }
    hash *= 31U;
  }
  void add(const SourceDocument& document) {
    ++documents;
    add(document.text);
    add(document.id);
    add(document.label);
  }
  bool operator==(const Digest&) const = default;
};

/// Cuts the text by `chunk_bytes` and calls `parse(chunk)` until it answers with a problem.
template <typename Parse>
void for_each_chunk(std::string_view text, RecordEnd rule, const ReadingOptions& limits, const Parse& parse) {
  MemoryStream stream(text);
  RecordChunks chunks(stream, rule, limits);
  Chunk chunk = chunk_of({});
  while (chunks.read(chunk.bytes, chunk.dropped_lines))
    if (parse(chunk).problem) return;
}

}  // namespace inkling::fuzz
