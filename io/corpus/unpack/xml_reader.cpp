#include "io/corpus/unpack/xml_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <span>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/utf8.hpp"

namespace inkling {
namespace {

constexpr std::size_t kXmlBlock = std::size_t{1} << 16U;

std::string_view without_prefix(std::string_view name) { return name.substr(name.find(':') + 1); }

void append_xml_point(std::string_view digits, std::string& out) {
  const bool hexadecimal = digits.starts_with('x');
  if (hexadecimal) digits.remove_prefix(1);
  std::uint32_t point = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), point, hexadecimal ? 16 : 10);
  append_character(point, out);
}

// The text with the five entities of XML and the numbers of characters replaced.
std::string xml_meaning(std::string_view text) {
  std::string out;
  for (;;) {
    const std::size_t entity = std::min(text.find('&'), text.size());
    out += text.substr(0, entity);
    text.remove_prefix(entity);
    if (text.empty()) return out;
    const std::size_t end = text.find(';');
    const std::string_view name = text.substr(1, end == std::string_view::npos ? 0 : end - 1);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (name == "amp") out += '&';
    if (name == "lt") out += '<';
    if (name == "gt") out += '>';
    if (name == "quot") out += '"';
    if (name == "apos") out += '\'';
    if (name.starts_with('#')) append_xml_point(name.substr(1), out);
  }
}

}  // namespace

bool XmlReader::fill() {
  if (at_end_) return false;
  window_.erase(0, at_);
  budget_->give_back(at_);
  at_ = 0;
  const std::size_t before = window_.size();
  window_.resize(before + kXmlBlock);
  const std::size_t got = stream_->read(std::span(window_).subspan(before));
  window_.resize(before + got);
  budget_->take(got);
  at_end_ = got == 0;
  return !at_end_;
}

// The position of `mark`, counted from `at_` as `from` is; npos if the stream ends before it.
std::size_t XmlReader::find(std::string_view mark, std::size_t from) {
  for (;;) {
    const std::size_t found = window_.find(mark, at_ + from);
    if (found != std::string::npos) return found - at_;
    from = std::max(from, window_.size() - at_ - std::min(window_.size() - at_, mark.size()));
    if (!fill()) return std::string::npos;
  }
}

void XmlReader::skip_past(std::string_view mark, std::size_t from) {
  const std::size_t found = find(mark, from);
  if (found == std::string::npos) refuse("its end cut");
  at_ += found + mark.size();
}

// The position of the ">" that ends this tag; one within quotes does not.
std::size_t XmlReader::tag_end() {
  char quote = '\0';
  for (std::size_t n = 1;; ++n) {
    while (at_ + n >= window_.size())
      if (!fill()) refuse("its end cut");
    const char next = window_[at_ + n];
    if (quote != '\0') {
      if (next == quote) quote = '\0';
    } else if (next == '"' || next == '\'') {
      quote = next;
    } else if (next == '>') {
      return n;
    }
  }
}

XmlReader::Event XmlReader::next() {
  if (end_follows_) {
    end_follows_ = false;
    return Event::end;
  }
  for (;;) {
    if (at_ == window_.size() && !fill()) {
      if (!begins_.empty()) refuse("its end cut");
      return Event::done;
    }
    if (window_[at_] != '<') {
      const std::size_t end = find("<", 0);
      take_text(end == std::string::npos ? window_.size() - at_ : end);
      if (begins_.empty()) {
        if (text_.find_first_not_of(" \t\r\n\xEF\xBB\xBF") != std::string::npos) refuse("text outside of it");
        continue;
      }
      return Event::text;
    }
    while (window_.size() - at_ < 9 && fill()) {
    }
    const std::string_view rest = std::string_view(window_).substr(at_);
    if (rest.starts_with("<!--")) {
      skip_past("-->", 4);
    } else if (rest.starts_with("<![CDATA[")) {
      const std::size_t end = find("]]>", 9);
      if (end == std::string::npos) refuse("its end cut");
      text_ = window_.substr(at_ + 9, end - 9);
      at_ += end + 3;
      return Event::text;
    } else if (rest.starts_with("<?")) {
      skip_past("?>", 2);
    } else if (rest.starts_with("<!")) {
      skip_past(">", 2);
    } else {
      return tag();
    }
  }
}

XmlReader::Event XmlReader::tag() {
  const std::size_t end = tag_end();
  std::string_view inner = std::string_view(window_).substr(at_ + 1, end - 1);
  const bool closes = inner.starts_with('/');
  if (closes) inner.remove_prefix(1);
  end_follows_ = !closes && inner.ends_with('/');
  if (end_follows_) inner.remove_suffix(1);
  const std::size_t name_end = std::min(inner.find_first_of(" \t\r\n"), inner.size());
  const std::string_view name = inner.substr(0, name_end);
  if (closes)
    close_element(name);
  else if (!end_follows_)
    open_element(name);
  name_ = without_prefix(name);
  attributes_ = inner.substr(name_end);
  at_ += end + 1;
  if (name_.empty()) refuse("a tag without a name");
  return closes ? Event::end : Event::begin;
}

void XmlReader::open_element(std::string_view name) {
  budget_->enter();
  budget_->take(name.size());
  begins_.push_back(open_.size());
  open_ += name;
}

void XmlReader::close_element(std::string_view name) {
  if (begins_.empty()) refuse("the end of nothing");
  const std::string_view expected = std::string_view(open_).substr(begins_.back());
  if (name != expected)
    refuse(fmt::format("the end of {} where that of {} is expected", quoted_text(name), quoted_text(expected)));
  budget_->give_back(expected.size());
  budget_->leave();
  open_.resize(begins_.back());
  begins_.pop_back();
}

void XmlReader::take_text(std::size_t end) {
  text_ = xml_meaning(std::string_view(window_).substr(at_, end));
  at_ += end;
}

std::optional<std::string> XmlReader::attribute(std::string_view name) const {
  for (std::string_view rest = attributes_;;) {
    const std::size_t equal = rest.find('=');
    if (equal == std::string_view::npos) return std::nullopt;
    std::string_view found = rest.substr(0, equal);
    while (!found.empty() && found.find_first_of(" \t\r\n") == 0) found.remove_prefix(1);
    found = found.substr(0, found.find_first_of(" \t\r\n"));
    const std::size_t open = rest.find_first_of("\"'", equal);
    if (open == std::string_view::npos) return std::nullopt;
    const std::size_t close = rest.find(rest[open], open + 1);
    if (close == std::string_view::npos) return std::nullopt;
    if (without_prefix(found) == name) return xml_meaning(rest.substr(open + 1, close - open - 1));
    rest.remove_prefix(close + 1);
  }
}

void XmlReader::refuse(std::string_view found) const {
  throw FormatError(file_, fmt::format("expected intact XML, found {}", found));
}

}  // namespace inkling
