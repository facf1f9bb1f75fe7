#include "io/corpus/text/stop_words.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/system/file.hpp"
#include "io/base/system/interruption.hpp"
#include "io/corpus/text/decoding.hpp"

namespace inkling {
namespace {

// The English stop words of the Information Retrieval Group of the University of Glasgow, in the selection that
// scikit-learn uses (http://ir.dcs.gla.ac.uk/resources/linguistic_utils/stop_words).
constexpr std::string_view kEnglishStopWords =
    "a about above across after afterwards again against all almost alone along already also although "
    "always am among amongst amoungst amount an and another any anyhow anyone anything anyway anywhere "
    "are around as at back be became because become becomes becoming been before beforehand behind "
    "being below beside besides between beyond bill both bottom but by call can cannot cant co con "
    "could couldnt cry de describe detail do done down due during each eg eight either eleven else "
    "elsewhere empty enough etc even ever every everyone everything everywhere except few fifteen "
    "fifty fill find fire first five for former formerly forty found four from front full further get "
    "give go had has hasnt have he hence her here hereafter hereby herein hereupon hers herself him "
    "himself his how however hundred i ie if in inc indeed interest into is it its itself keep last "
    "latter latterly least less ltd made many may me meanwhile might mill mine more moreover most "
    "mostly move much must my myself name namely neither never nevertheless next nine no nobody none "
    "noone nor not nothing now nowhere of off often on once one only onto or other others otherwise "
    "our ours ourselves out over own part per perhaps please put rather re same see seem seemed "
    "seeming seems serious several she should show side since sincere six sixty so some somehow "
    "someone something sometime sometimes somewhere still such system take ten than that the their "
    "them themselves then thence there thereafter thereby therefore therein thereupon these they thick "
    "thin third this those though three through throughout thru thus to together too top toward "
    "towards twelve twenty two un under until up upon us very via was we well were what whatever when "
    "whence whenever where whereafter whereas whereby wherein whereupon wherever whether which while "
    "whither who whoever whole whom whose why will with within without would yet you your yours "
    "yourself yourselves";

// The words between the spaces of a text.
constexpr auto kEnglishWords = [] {
  std::array<std::string_view, 318> words;
  std::string_view rest = kEnglishStopWords;
  for (std::string_view& word : words) {
    word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
  }
  return words;
}();

std::string_view without_spaces_around(std::string_view text) {
  constexpr std::string_view spaces = " \t\r";
  const std::size_t begin = text.find_first_not_of(spaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(spaces) - begin + 1);
}

// The largest list of words; a larger file is no such list.
constexpr std::size_t kMostListBytes = std::size_t{16} << 20U;
constexpr std::size_t kMostListedWords = 500'000;
constexpr std::size_t kLongestListLine = std::size_t{1} << 16U;

// How many bytes come into the block; 0 at the end.
std::size_t read_block(const File& file, const std::string& path, std::span<char> block) {
  const std::ptrdiff_t got = file.read(std::as_writable_bytes(block));
  if (got < 0 && errno == EINTR) throw_if_interrupted();
  if (got < 0) throw SystemError(path, errno, "cannot read");
  return static_cast<std::size_t>(got);
}

// Calls visit(line) for each line of a file, without its line end, and refuses what is too long for a list of words
// before it takes memory.
template <typename Visit>
void for_each_line(const std::string& path, const Visit& visit) {
  const File file = File::open(path, OpenAs::reader);
  if (!file.is_open()) throw SystemError(path, errno, "cannot read");
  std::vector<char> block(kLongestListLine);
  std::string line;
  std::size_t total = 0;
  while (const std::size_t got = read_block(file, path, block)) {
    total += got;
    if (total > kMostListBytes)
      throw FormatError(path, fmt::format("expected at most {} bytes in a list of words, found more", kMostListBytes));
    std::string_view rest(block.data(), got);
    for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
      visit(line.append(rest.substr(0, end)));
      line.clear();
      rest.remove_prefix(end + 1);
    }
    line.append(rest);
    if (line.size() > kLongestListLine)
      throw FormatError(path,
                        fmt::format("expected lines of at most {} bytes, one word each, found a longer one", kLongestListLine));
  }
  if (!line.empty()) visit(line);
}

}  // namespace

std::span<const std::string_view> english_stop_words() { return kEnglishWords; }

std::vector<std::string> read_word_list(const std::string& path) {
  std::vector<std::string> words;
  std::int64_t line = 0;
  for_each_line(path, [&](std::string_view text) {
    ++line;
    const auto refuse = [&](const std::string& expectation) { throw FormatError(fmt::format("{}:{}", path, line), expectation); };
    const std::string_view word = without_spaces_around(text);
    if (word.empty() || word.starts_with('#')) return;
    if (valid_utf8_prefix(word) != word.size()) refuse("expected UTF-8");
    if (words.size() == kMostListedWords)
      refuse(fmt::format("expected at most {} words in a list, found more", kMostListedWords));
    words.emplace_back(word);
  });
  return words;
}

}  // namespace inkling
