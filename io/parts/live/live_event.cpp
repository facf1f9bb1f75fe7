#include "io/parts/live/live_event.hpp"

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "engine/core/errors.hpp"

namespace inkling {
namespace {

class LiveBytesWriter {
 public:
  template <typename Number>
  void put(const Number& number) {
    static_assert(std::is_trivially_copyable_v<Number>);
    put_bytes(std::as_bytes(std::span(&number, 1)));
  }
  template <typename Number>
  void put_all(std::span<const Number> numbers) {
    put(static_cast<std::uint64_t>(numbers.size()));
    put_bytes(std::as_bytes(numbers));
  }
  void put_row(SparseRow row) {
    put_all(row.features.unchecked());
    put_all(row.values);
  }
  [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  void put_bytes(std::span<const std::byte> more) { bytes_.insert(bytes_.end(), more.begin(), more.end()); }

  std::vector<std::byte> bytes_;
};

class LiveBytesReader {
 public:
  LiveBytesReader(std::span<const std::byte> bytes, const std::string& sender)
      : bytes_(bytes), sender_(&sender) {}

  template <typename Number>
  [[nodiscard]] Number take() {
    Number number{};
    const std::span<const std::byte> next = take_bytes(1, sizeof(Number));
    std::memcpy(&number, next.data(), sizeof(Number));
    return number;
  }
  template <typename Number>
  [[nodiscard]] std::vector<Number> take_all() {
    const auto count = take<std::uint64_t>();
    const std::span<const std::byte> next = take_bytes(count, sizeof(Number));
    std::vector<Number> numbers(static_cast<std::size_t>(count));
    if (count != 0) std::memcpy(numbers.data(), next.data(), next.size());
    return numbers;
  }
  [[nodiscard]] OwnedRow take_row(std::int32_t features) {
    OwnedRow row{take_all<FeatureId>(), take_all<float>()};
    bool fits = row.features.size() == row.values.size();
    for (std::size_t n = 0; fits && n < row.features.size(); ++n)
      fits = row.features[n] >= 0 && row.features[n] < features &&
             (n == 0 || row.features[n - 1] < row.features[n]);
    if (!fits) fail("a row of " + std::to_string(features) + " features");
    return row;
  }
  void end() const {
    if (!bytes_.empty()) fail("no more bytes, got " + std::to_string(bytes_.size()));
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    throw FormatError("what " + *sender_ + " sent",
                      "expected " + expected + ": all workers need the same version of the program");
  }
  [[nodiscard]] std::span<const std::byte> take_bytes(std::uint64_t count, std::size_t size) {
    if (count > bytes_.size() / size) fail(std::to_string(count) + " numbers, got too few bytes");
    const auto length = static_cast<std::size_t>(count) * size;
    const std::span<const std::byte> next = bytes_.first(length);
    bytes_ = bytes_.subspan(length);
    return next;
  }

  std::span<const std::byte> bytes_;
  const std::string* sender_;
};

}  // namespace

std::vector<std::byte> bytes_of(const LiveEvent& event, const SparseRow* row) {
  LiveBytesWriter writer;
  writer.put(event.document);
  writer.put(event.reward);
  writer.put(static_cast<std::uint64_t>(event.words.size()));
  for (const SaidWord& word : event.words) {
    writer.put(word.feature);
    writer.put(static_cast<std::uint8_t>(word.reward ? 1 : 0));
    writer.put(word.reward.value_or(0.0));
    writer.put(word.confidence);
  }
  writer.put(static_cast<std::uint8_t>(row != nullptr ? 1 : 0));
  if (row != nullptr) writer.put_row(*row);
  return writer.take();
}

std::vector<std::byte> bytes_of(SparseRow row) {
  LiveBytesWriter writer;
  writer.put_row(row);
  return writer.take();
}

LiveMessage message_of(std::span<const std::byte> bytes, std::int32_t features, const std::string& sender) {
  LiveBytesReader reader(bytes, sender);
  LiveMessage message;
  LiveEvent& event = message.event;
  event.document = reader.take<DocumentId>();
  event.reward = reader.take<double>();
  for (auto words = reader.take<std::uint64_t>(); words > 0; --words) {
    SaidWord word = {.feature = reader.take<FeatureId>()};
    const bool is_rated = reader.take<std::uint8_t>() != 0;
    const auto reward = reader.take<double>();
    if (is_rated) word.reward = reward;
    word.confidence = reader.take<double>();
    event.words.push_back(word);
  }
  message.has_row = reader.take<std::uint8_t>() != 0;
  if (message.has_row) message.row = reader.take_row(features);
  reader.end();
  return message;
}

OwnedRow row_of(std::span<const std::byte> bytes, std::int32_t features, const std::string& sender) {
  LiveBytesReader reader(bytes, sender);
  OwnedRow row = reader.take_row(features);
  reader.end();
  return row;
}

}  // namespace inkling
