// Unpacks gzip part by part, and checks every checksum.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "io/corpus/unpack/byte_stream.hpp"
#include "io/corpus/unpack/packing.hpp"

struct z_stream_s;

namespace inkling {

/// Unpacks a gzip file, which may have several parts, one after the other, and zeros after the last one. The checksum and
/// the length of each part are checked; damage throws FormatError naming the file. Thread safety: one thread at a time.
/// Lifetime: lends the packed stream and the meter.
class GzipStream final : public InputStream {
 public:
  GzipStream(std::string name, InputStream& packed, UnpackingMeter& meter);
  [[nodiscard]] std::size_t read(std::span<char> to) override;

 private:
  enum class State { between_parts, in_part, filled_up, at_end };

  void refill();
  void begin_part();
  void inflate_some();
  void expect_zeros();

  std::string name_;
  InputStream* packed_;
  UnpackingMeter* meter_;
  std::array<char, std::size_t{1} << 16U> block_ = {};
  State state_ = State::between_parts;
  bool any_part_ = false;
  bool packed_ended_ = false;
  std::unique_ptr<z_stream_s, void (*)(z_stream_s*)> inflater_;
};

}  // namespace inkling
