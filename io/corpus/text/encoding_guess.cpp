#include "io/corpus/text/encoding_guess.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <unicode/uchar.h>
#include <unicode/ucnv.h>
#include <unicode/ucnv_err.h>
#include <unicode/ucsdet.h>
#include <unicode/uscript.h>

#include "io/base/file/utf8.hpp"
#include "io/corpus/text/decoding.hpp"

namespace inkling {
namespace {

constexpr std::size_t kMostLookedAt = std::size_t{1} << 16U;

struct CloseHandle {
  void operator()(UConverter* converter) const { ucnv_close(converter); }
  void operator()(UCharsetDetector* detector) const { ucsdet_close(detector); }
};
using OwnedConverter = std::unique_ptr<UConverter, CloseHandle>;

OwnedConverter converter_of(const char* name) {
  UErrorCode failure = U_ZERO_ERROR;
  OwnedConverter converter(ucnv_open(name, &failure));
  return U_FAILURE(failure) != 0 ? nullptr : std::move(converter);
}

/// An encoding that a text may have. `common`: frequent characters of its languages, which count most.
struct Candidate {
  const char* name;
  UScriptCode script;
  std::u16string_view common;
  std::u16string_view usual = {};  ///< less frequent ones
  int bytes = 1;                   ///< of most characters that are not ASCII
  int first_lead = 0;              ///< bytes of the characters that are in daily use
  int last_lead = 0;
};

constexpr std::u16string_view kCentral = u"ąćęłńśźżóőűčřšžěůďťňýáíéúäöüĄĆĘŁŃŚŹŻŐŰČŘŠŽÁÉÍÓÚÝÔôâîășț";
constexpr std::u16string_view kArabic = u"اليمونترةعبدكسفحقهأ";
constexpr std::u16string_view kHan =
    u"的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方"
    u"多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明"
    u"性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世"
    u"位次度门任常先海通教儿东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再"
    u"感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设"
    u"式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运研究表明影响效患疗试验临床析健康童"
    u"學國會個來時們這說對發實驗臨床結與體應當從現無經過後開關業種產處長東車書見點電環境";
// The ISO encodings that are parts of those of Windows are left out.
constexpr std::array kCandidates = {
    Candidate{"windows-1252", USCRIPT_LATIN, u"äöüßéèàçñáíóúêôâãåëîÄÖÜÉÅØÇÑÁÓÀÊÚÍøæ", u"õûùïìòœ"},
    Candidate{"windows-1250", USCRIPT_LATIN, kCentral},
    Candidate{"ISO-8859-2", USCRIPT_LATIN, kCentral},
    Candidate{"windows-1254", USCRIPT_LATIN, u"ğşıİöüçâîŞĞÖÜÇ"},
    Candidate{"windows-1251", USCRIPT_CYRILLIC, u"оеаинтсрвл", u"кмдпуяыьгзбчйхжшюцщэфъіїєґ"},
    Candidate{"KOI8-U", USCRIPT_CYRILLIC, u"оеаинтсрвл", u"кмдпуяыьгзбчйхжшюцщэфъіїєґ"},
    Candidate{"ISO-8859-5", USCRIPT_CYRILLIC, u"оеаинтсрвл", u"кмдпуяыьгзбчйхжшюцщэфъіїє"},
    Candidate{"windows-1253", USCRIPT_GREEK, u"αοιετνσρκπμςλ", u"ηυγδίόάέήώύθχφξβζωψΰΐ"},
    Candidate{"windows-1255", USCRIPT_HEBREW, u"יוהלאתרשנמבםפדקחעט", u"גסזצכןךףץ"},
    Candidate{"windows-1256", USCRIPT_ARABIC, kArabic, u"ءآؤإئثجخذزشصضطظغىپچژگ"},
    Candidate{"ISO-8859-6", USCRIPT_ARABIC, kArabic, u"ءآؤإئثجخذزشصضطظغى"},
    Candidate{"windows-874", USCRIPT_THAI, u"กขคงจชดตทนบปพมยรลวสหอะาำเแโใไัิีึืุู็่้์", u"ฉซญณถธผฝฟภศษฎฐฒฬฆฯๆ๊๋"},
    Candidate{"GB18030", USCRIPT_HAN, kHan, {}, 2, 0xB0, 0xD7},
    Candidate{"Big5", USCRIPT_HAN, kHan, {}, 2, 0xA4, 0xC6},
    Candidate{"Shift_JIS", USCRIPT_HIRAGANA, {}, {}, 2, 0x88, 0x97},
    Candidate{"EUC-JP", USCRIPT_HIRAGANA, {}, {}, 2, 0xB0, 0xCF},
    Candidate{"EUC-KR", USCRIPT_HANGUL, {}, {}, 2, 0xB0, 0xC8},
};

struct Decoded {
  UChar32 character = 0;
  unsigned char lead = 0;
  unsigned char trail = 0;
  int bytes = 1;

  [[nodiscard]] bool is_ascii_word() const { return character < 0x80 && u_isalpha(character) != 0; }
  [[nodiscard]] bool is_word() const { return u_isalpha(character) != 0 || u_charType(character) == U_NON_SPACING_MARK; }
};

std::vector<Decoded> decoded_by(const char* name, std::string_view bytes) {
  std::vector<Decoded> text(1);  // a blank before and after it
  const OwnedConverter converter = converter_of(name);
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  while (converter && at < end) {
    const char* const from = at;
    UErrorCode failure = U_ZERO_ERROR;
    const UChar32 character = ucnv_getNextUChar(converter.get(), &at, end, &failure);
    if (U_FAILURE(failure) != 0) break;  // cut at the end
    const auto byte = [&](std::ptrdiff_t n) { return static_cast<unsigned char>(n < at - from ? from[n] : '\0'); };
    text.push_back({character, byte(0), byte(1), static_cast<int>(at - from)});
  }
  text.push_back({});
  return text;
}

bool is_among(UChar32 character, std::u16string_view some) {
  return character <= 0xFFFF && some.find(static_cast<char16_t>(character)) != std::u16string_view::npos;
}

// How well one character of two bytes fits: those that are frequent or in daily use come first in all these encodings.
double wide_score(const Candidate& candidate, const Decoded& one) {
  const bool in_use = one.bytes == 2 && one.lead >= candidate.first_lead && one.lead <= candidate.last_lead;
  const bool is_sign = one.character >= 0x3000 && one.character <= 0x303F;
  const bool is_full = one.character >= 0xFF01 && one.character <= 0xFF60;
  if (is_sign || is_full) return 1.0;
  if (candidate.script == USCRIPT_HAN) {
    if (is_among(one.character, candidate.common)) return 2.4;
    return in_use && one.trail >= (candidate.first_lead == 0xB0 ? 0xA1 : 0x40) ? 1.3
           : one.bytes == 2 && one.trail >= 0xA1                               ? 0.3
                                                                               : -2.0;
  }
  if (candidate.script == USCRIPT_HANGUL) return in_use && one.trail >= 0xA1 ? 2.05 : -2.0;
  if (one.character >= 0x3041 && one.character <= 0x30FF) return 2.3;
  if (one.bytes == 1) return -1.0;  // half of a width
  return in_use ? 1.6 : u_hasBinaryProperty(one.character, UCHAR_IDEOGRAPHIC) != 0 ? 0.2 : -1.0;
}

// Thai is not written with a vowel above or below nothing, nor with one that precedes a consonant before anything else.
bool breaks_thai(UChar32 before, UChar32 character, UChar32 after) {
  const bool is_mark =
      character == 0xE31 || (character >= 0xE34 && character <= 0xE3A) || (character >= 0xE47 && character <= 0xE4E);
  const bool after_letter = before >= 0xE01 && before <= 0xE4E && !(before >= 0xE40 && before <= 0xE46);
  const bool is_first = character >= 0xE40 && character <= 0xE44;
  return (is_mark && !after_letter) || (is_first && !(after >= 0xE01 && after <= 0xE2E));
}

double letter_score(const Candidate& candidate, const Decoded& before, const Decoded& one, const Decoded& after, int run) {
  const UChar32 c = one.character;
  UErrorCode failure = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(c, &failure);
  if (script != candidate.script && script != USCRIPT_INHERITED) return -1.5;
  if (u_isupper(c) != 0 && u_islower(before.character) != 0) return -1.5;
  const bool is_latin = candidate.script == USCRIPT_LATIN;
  if (is_latin ? run > 2 : before.is_ascii_word() || after.is_ascii_word()) return -1.5;
  if (candidate.script == USCRIPT_THAI && breaks_thai(before.character, c, after.character)) return -2.5;
  if (candidate.script == USCRIPT_HEBREW) {
    if (is_among(c, u"ךםןףץ") && after.is_word()) return -2.0;
    if (is_among(c, u"כמנפצ") && !after.is_word()) return -1.0;
  }
  const UChar32 lower = is_latin ? c : u_tolower(c);
  const double most = candidate.script == USCRIPT_CYRILLIC ? 1.2 : is_latin ? 1.0 : 1.1;
  return is_among(lower, candidate.common) ? most : is_among(lower, candidate.usual) ? most - 0.25 : is_latin ? 0.0 : 0.3;
}

double sign_score(const Decoded& before, const Decoded& one, const Decoded& after) {
  if (is_among(one.character, u"¹²³¿") && u_isalpha(before.character) != 0) return -2.0;
  if (is_among(one.character, u"¿¡") && after.is_word()) return 1.0;
  return is_among(one.character, u"–—’‘“”„«»°±µ®×·§…ªº€™²³¼½¾‰•†´،؛؟\u00A0") ? 0.3 : -1.0;
}

/// How well the bytes beyond ASCII read in an encoding: about 1 for each that is a usual character, less than 0 for nonsense.
struct Fit {
  double score = 0.0;
  bool is_clean = true;  ///< nothing is impossible
  double marks = 0.0;    ///< the share of vowels and tones above or below another character
};

Fit fit_of(const Candidate& candidate, std::string_view bytes) {
  const std::vector<Decoded> text = decoded_by(candidate.name, bytes);
  double sum = 0.0;
  double counted = 0.0;
  Fit fit;
  int run = 0;  // of letters beyond ASCII
  for (std::size_t n = 1; n + 1 < text.size(); ++n) {
    const Decoded& one = text[n];
    const bool is_letter = one.is_word();
    run = one.character >= 0x80 && is_letter ? run + 1 : 0;
    if (one.character < 0x80 && one.bytes == 1) continue;
    const bool is_none = one.character == 0xFFFD || one.character < 0xA0 || u_isdefined(one.character) == 0 ||
                         u_charType(one.character) == U_PRIVATE_USE_CHAR;
    double score = is_none ? -6.0
                   : candidate.bytes == 2
                       ? wide_score(candidate, one) - (text[n - 1].is_ascii_word() || text[n + 1].is_ascii_word() ? 2.0 : 0.0)
                   : is_letter ? letter_score(candidate, text[n - 1], one, text[n + 1], run)
                               : sign_score(text[n - 1], one, text[n + 1]);
    fit.is_clean = fit.is_clean && score > -1.0;
    fit.marks += u_charType(one.character) == U_NON_SPACING_MARK ? 1.0 : 0.0;
    sum += score;
    counted += one.bytes;
  }
  fit.score = counted == 0.0 ? -10.0 : sum / counted;
  fit.marks /= counted;
  return fit;
}

// What ICU's detector, which knows runs of letters of some languages, says of each candidate: up to 1.
std::map<std::string, double, std::less<>> detected_by_icu(std::string_view bytes) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> same = {{{"ISO-8859-1", "windows-1252"},
                                                                                  {"ISO-8859-9", "windows-1254"},
                                                                                  {"ISO-8859-7", "windows-1253"},
                                                                                  {"ISO-8859-8-I", "windows-1255"},
                                                                                  {"ISO-8859-8", "windows-1255"},
                                                                                  {"KOI8-R", "KOI8-U"},
                                                                                  {"ISO-8859-2", "windows-1250"}}};
  std::map<std::string, double, std::less<>> confidence;
  UErrorCode failure = U_ZERO_ERROR;
  const std::unique_ptr<UCharsetDetector, CloseHandle> detector(ucsdet_open(&failure));
  ucsdet_setText(detector.get(), bytes.data(), static_cast<std::int32_t>(bytes.size()), &failure);
  std::int32_t count = 0;
  const UCharsetMatch** const matches = ucsdet_detectAll(detector.get(), &count, &failure);
  if (U_FAILURE(failure) != 0) return confidence;
  for (const UCharsetMatch* const match : std::span(matches, static_cast<std::size_t>(count))) {
    const std::string_view name = ucsdet_getName(match, &failure);
    const double said = ucsdet_getConfidence(match, &failure) / 100.0;
    const auto* const known = std::ranges::find(same, name, &std::pair<std::string_view, std::string_view>::first);
    for (const std::string_view one : {name, known == same.end() ? name : known->second}) {
      double& most = confidence[std::string(one)];
      most = std::max(most, said);
    }
  }
  return confidence;
}

// Text in UTF-16 has zeros in one half of its pairs of bytes, if only in line ends and commas; text in other encodings has none.
// Some characters of Chinese have one in the other half, so blanks, line ends and commas decide where there are any.
std::string guessed_utf16(std::string_view bytes) {
  std::array<std::size_t, 2> zeros = {0, 0};
  std::array<std::size_t, 2> of_signs = {0, 0};
  std::size_t of_ascii = 0;  // pairs of two
  for (std::size_t at = 0; at + 1 < bytes.size(); at += 2) {
    for (const std::size_t half : {0U, 1U}) {
      if (bytes[at + half] != '\0') continue;
      ++zeros[half];
      if (std::string_view(" \r\n\t,;").find(bytes[at + 1 - half]) != std::string_view::npos) ++of_signs[half];
    }
    if (bytes[at] >= ' ' && bytes[at + 1] >= ' ') ++of_ascii;
  }
  const auto& deciding = of_signs[0] == of_signs[1] ? zeros : of_signs;
  const bool is_little = deciding[1] > deciding[0];
  const std::size_t wide = bytes.size() / 2 - std::min(bytes.size() / 2, zeros[0] + zeros[1]);
  if (std::max(deciding[0], deciding[1]) < 2 * std::min(deciding[0], deciding[1]) || of_ascii * 5 > wide * 4) return {};
  const std::string name = is_little ? "UTF-16LE" : "UTF-16BE";
  EncodingConverter converter(name);
  std::string text;
  converter.append(bytes.substr(0, bytes.size() - bytes.size() % 2), false, text);
  return converter.replaced() == 0 ? name : std::string();
}

// Whether there are more characters in UTF-8 than bytes that are none.
bool is_mostly_utf8(std::string_view bytes) {
  std::size_t wide = 0;
  std::size_t bad = 0;
  while (!bytes.empty()) {
    const std::size_t length = utf8_character_length(bytes);
    if (length > 1) ++wide;
    if (length == 0 && bytes.size() >= 4) ++bad;
    bytes.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return bad < wide;
}

}  // namespace

std::string guessed_encoding(std::string_view bytes) {
  const auto* const first = std::ranges::find_if(bytes, [](char byte) { return byte <= '\0'; });
  constexpr std::ptrdiff_t before = 512;  // so that the pairs of UTF-16 stay pairs
  const auto begin = static_cast<std::size_t>(std::max<std::ptrdiff_t>(first - bytes.begin() - before, 0) / 2 * 2);
  const std::string_view some = bytes.substr(begin, kMostLookedAt);
  if (some.find('\0') != std::string_view::npos) return guessed_utf16(some);
  if (is_decoded(some, TextEncoding::utf8) || is_mostly_utf8(some)) return {};
  const std::map<std::string, double, std::less<>> confidence = detected_by_icu(some);
  const Candidate* best = nullptr;
  double most = 0.0;
  for (const Candidate& candidate : kCandidates) {
    const Fit fit = fit_of(candidate, some);
    const auto said = confidence.find(candidate.name);
    double score = fit.score + (said == confidence.end() ? 0.0 : said->second);
    if (candidate.script == USCRIPT_THAI && fit.is_clean && fit.marks > 0.12) score += 0.5;  // ICU does not know it
    if (best == nullptr) score += 0.1;
    if (best != nullptr && score <= most) continue;
    best = &candidate;
    most = score;
  }
  return best->name;
}

std::string known_encoding(const std::string& name) {
  const OwnedConverter converter = name.empty() ? nullptr : converter_of(name.c_str());
  if (!converter) return {};
  UErrorCode failure = U_ZERO_ERROR;
  const char* const icu = ucnv_getName(converter.get(), &failure);
  const char* known = nullptr;
  for (const char* const standard : {"MIME", "IANA"})
    if (known == nullptr) known = ucnv_getStandardName(icu, standard, &failure);
  return known != nullptr ? known : icu;
}

struct EncodingConverter::Pivot {
  std::array<UChar, 1024> units = {};
  UChar* source = units.data();
  UChar* target = units.data();
};

EncodingConverter::EncodingConverter(const std::string& name) : pivot_(std::make_unique<Pivot>()) {
  from_ = converter_of(name.c_str()).release();
  to_ = converter_of("UTF-8").release();
  UErrorCode failure = U_ZERO_ERROR;
  const auto count = [](const void* context, UConverterToUnicodeArgs* arguments, const char* units, std::int32_t length,
                        UConverterCallbackReason reason, UErrorCode* result) {
    if (reason > UCNV_IRREGULAR) return;
    *static_cast<std::int64_t*>(const_cast<void*>(context)) += length;  // NOLINT(cppcoreguidelines-pro-type-const-cast): ICU
    UCNV_TO_U_CALLBACK_SUBSTITUTE(nullptr, arguments, units, length, reason, result);
  };
  ucnv_setToUCallBack(from_, count, &replaced_, nullptr, nullptr, &failure);
}

EncodingConverter::~EncodingConverter() {
  ucnv_close(from_);
  ucnv_close(to_);
}

void EncodingConverter::append(std::string_view bytes, bool is_last, std::string& out) {
  std::array<char, 4096> some{};
  const char* source = bytes.data();
  const char* const end = source + bytes.size();
  UErrorCode failure = U_ZERO_ERROR;
  do {
    failure = U_ZERO_ERROR;
    char* target = some.data();
    ucnv_convertEx(to_, from_, &target, some.data() + some.size(), &source, end, pivot_->units.data(), &pivot_->source,
                   &pivot_->target, pivot_->units.data() + pivot_->units.size(), 0, is_last ? 1 : 0, &failure);
    out.append(some.data(), static_cast<std::size_t>(target - some.data()));
  } while (failure == U_BUFFER_OVERFLOW_ERROR);
}

}  // namespace inkling
