// Reads the XML of office files as a stream: tags, their attributes and text, without a tree.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/base/file/reading_budget.hpp"
#include "io/corpus/unpack/byte_stream.hpp"

namespace inkling {

/// Reads well-formed XML in UTF-8 that defines no entities; keeps one tag or one piece of text in memory, and the names of the
/// elements that are open. Throws FormatError, naming the file, if it is cut or not XML: so each begin is followed by its end, and
/// `done` comes once all have ended. What it keeps, and levels, are taken from a budget. Thread safety: one thread at a time.
/// Lifetime: the stream and the budget outlive it.
class XmlReader {
 public:
  enum class Event { begin, end, text, done };

  XmlReader(InputStream& stream, std::string name, ReadingBudget& budget)
      : stream_(&stream), file_(std::move(name)), budget_(&budget) {}
  ~XmlReader() { budget_->give_back(window_.size() + open_.size()); }
  XmlReader(const XmlReader&) = delete;
  XmlReader& operator=(const XmlReader&) = delete;
  XmlReader(XmlReader&&) = delete;
  XmlReader& operator=(XmlReader&&) = delete;

  [[nodiscard]] Event next();
  /// After a begin or an end: the element's name without its prefix. Valid until the next call, as all of these.
  [[nodiscard]] std::string_view name() const { return name_; }
  /// After a begin: the value of the attribute whose name without its prefix is this.
  [[nodiscard]] std::optional<std::string> attribute(std::string_view name) const;
  /// After a begin: how long all its attributes are.
  [[nodiscard]] std::size_t tag_bytes() const { return attributes_.size(); }
  /// After a text: the text, with entities replaced. A text may come in several pieces.
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const std::string& file() const { return file_; }

 private:
  [[nodiscard]] bool fill();
  [[nodiscard]] std::size_t find(std::string_view mark, std::size_t from);
  void skip_past(std::string_view mark, std::size_t from);
  [[nodiscard]] std::size_t tag_end();
  [[nodiscard]] Event tag();
  void open_element(std::string_view name);
  void close_element(std::string_view name);
  void take_text(std::size_t end);
  [[noreturn]] void refuse(std::string_view found) const;

  InputStream* stream_;
  std::string file_;
  ReadingBudget* budget_;
  std::string window_;
  std::size_t at_ = 0;
  bool at_end_ = false;
  std::string open_;                 // the names of the open elements, one after the other
  std::vector<std::size_t> begins_;  // of each of them in `open_`
  bool end_follows_ = false;         // of "<x/>"
  std::string name_;
  std::string attributes_;
  std::string text_;
};

}  // namespace inkling
