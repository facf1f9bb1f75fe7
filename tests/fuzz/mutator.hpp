// The mutator of all fuzz targets: libFuzzer's own mutations, and those that it does not make: depth, repetition, elements
// without an end, and references that grow.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <utility>

namespace inkling::fuzz {

/// Pairs that enclose, and pieces that are short and mean more than their bytes; of every format that a target reads.
inline constexpr std::pair<std::string_view, std::string_view> kEnclosing[] = {
    {"{", "}"},
    {"[", "]"},
    {"(", ")"},
    {"{\"a\":", "}"},
    {"\\'{", "}"},
    {"<a>", "</a>"},
    {"<div>", "</div>"},
    {"<!--", "-->"},
    {"<row>", "</row>"},
    {"<si><t>", "</t></si>"},
    {"\"", "\""},
    {"--b\n", "--b--\n"},
    {"Content-Type: message/rfc822\n\n", "\n"},
    {"Content-Type: multipart/mixed; boundary=b\n\n--b\n", "\n--b--\n"}};
inline constexpr std::string_view kDense[] = {"\\'",
                                              "\\c ",
                                              "{\\",
                                              "#a",
                                              "&amp;",
                                              "&#65;",
                                              "_x0041_",
                                              "\\u0041",
                                              "=41",
                                              "=?u?q?",
                                              "?=",
                                              ",",
                                              ";",
                                              "\t",
                                              "\"\"",
                                              "\n",
                                              "\r",
                                              " and ",
                                              "<c t=\"s\"><v>0</v></c>",
                                              "<a/>",
                                              "<!",
                                              "1e999,",
                                              "\n>",
                                              "AU  - a\n",
                                              "X:\n",
                                              "1:1 ",
                                              "9",
                                              "\xC3\xA9",
                                              "\xFF"};

/// A text made by mutation; never longer than `most`.
class Mutation {
 public:
  Mutation(std::string text, std::size_t most, unsigned seed) : text_(std::move(text)), most_(most), random_(seed) {}

  std::string make() {
    switch (random_() % 7) {
      case 0: repeat(text_.substr(position(), 1 + random_() % 40)); break;
      case 1: repeat(std::string(kDense[random_() % std::size(kDense)])); break;
      case 2: enclose(true); break;
      case 3: enclose(false); break;
      case 4: define(); break;
      case 5: share(); break;
      default: drop_an_end(); break;
    }
    text_.resize(std::min(text_.size(), most_));
    return std::move(text_);
  }

 private:
  [[nodiscard]] std::size_t position() { return text_.empty() ? 0 : random_() % text_.size(); }

  // Mostly a few times, and seldom up to 100,000 times, because a long input is slow.
  [[nodiscard]] std::size_t times(std::size_t length) {
    const unsigned powers = random_() % 8 == 0 ? 17 : 5;
    const std::size_t wanted = std::min<std::size_t>(std::size_t{1} << (1 + random_() % powers), 100'000);
    const std::size_t room = most_ - std::min(most_, text_.size());
    return std::min(wanted, room / std::max<std::size_t>(length, 1));
  }

  void repeat(const std::string& piece) { repeat(piece, position()); }
  void repeat(const std::string& piece, std::size_t at) {
    std::string all;
    for (std::size_t left = times(piece.size()); left > 0; --left) all += piece;
    text_.insert(at, all);
  }

  void enclose(bool closes) {
    const auto& [open, close] = kEnclosing[random_() % std::size(kEnclosing)];
    std::string before;
    std::string after;
    for (std::size_t left = times(open.size() + (closes ? close.size() : 0)); left > 0; --left) {
      before += open;
      if (closes) after += close;
    }
    const std::size_t at = position();
    const std::size_t length = random_() % 8;
    text_.insert(std::min(at + length, text_.size()), after);
    text_.insert(at, before);
  }

  // Names that each stand for the one before several times, in BibTeX and in XML.
  void define() {
    const bool is_xml = random_() % 3 == 0;
    std::string all = is_xml ? "<!DOCTYPE x [<!ENTITY a0 \"abcdefgh\">" : "\n@string{a0 = {" + std::string(64, 'x') + "}}\n";
    const std::size_t names = 2 + random_() % 40;
    const std::size_t copies = 1 + random_() % 4;
    for (std::size_t n = 1; n < names; ++n) {
      const std::string before = "a" + std::to_string(n - 1);
      all += is_xml ? "<!ENTITY a" + std::to_string(n) + " \"" : "@string{a" + std::to_string(n) + "=";
      for (std::size_t copy = 0; copy < copies; ++copy) all += is_xml ? "&" + before + ";" : (copy > 0 ? "#" : "") + before;
      all += is_xml ? "\">" : "}\n";
    }
    all += is_xml ? "]>" : "@misc{k, title = a" + std::to_string(names - 1) + "}\n";
    text_.insert(random_() % 2 == 0 ? std::min<std::size_t>(1, text_.size()) : position(), all);
  }

  // A long text, and many cells of a workbook that show it.
  void share() {
    const std::size_t at = std::min(text_.find("<row"), text_.size());
    repeat("<c t=\"s\"><v>0</v></c>", at + std::min<std::size_t>(text_.substr(at).find('>') + 1, text_.size() - at));
    const std::size_t shared = text_.find("<t>", text_.find("<si>"));
    repeat("soil", shared == std::string::npos ? position() : shared + 3);
  }

  // Removes an end, all up to the next one, or the name in it.
  void drop_an_end() {
    constexpr std::string_view ends = ">}])\"\n";
    const std::size_t at = text_.find_first_of(ends, position());
    if (at == std::string::npos) return;
    const std::size_t last = text_.find_first_of(ends, at + 1);
    if (random_() % 3 == 0 && at > 0)
      text_[at - 1] = static_cast<char>('a' + random_() % 26);
    else
      text_.erase(at, random_() % 2 == 0 || last == std::string::npos ? 1 : last - at);
  }

  std::string text_;
  std::size_t most_;
  std::minstd_rand random_;
};

}  // namespace inkling::fuzz
