#include "io/corpus/text/encoding_guess.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <unicode/ucnv.h>

#include "engine/core/random_stream.hpp"
#include "io/corpus/source/record_format.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/io/read_documents.hpp"

namespace inkling {
namespace {

using test::documents_in;
using test::ReadDocuments;
using Texts = std::vector<std::string>;

std::string encoded(const std::string& text, const std::string& name) {
  std::string bytes(4 * text.size() + 16, '\0');
  UErrorCode failure = U_ZERO_ERROR;
  const std::int32_t size = ucnv_convert(name.c_str(), "UTF-8", bytes.data(), static_cast<std::int32_t>(bytes.size()),
                                         text.data(), static_cast<std::int32_t>(text.size()), &failure);
  REQUIRE(U_SUCCESS(failure));
  bytes.resize(static_cast<std::size_t>(size));
  return bytes;
}

struct Tongue {
  std::string text;
  Texts encodings;
};

const std::vector<Tongue> kLanguages = {
    {"Wirkung der Düngung auf Böden: größere Flächen – „mit Übersicht“", {"windows-1252"}},
    {"L’étude des élèves à l’hôpital : règles très différentes où la forêt s’arrête", {"windows-1252"}},
    {"Wpływ nawożenia na glebę i łąki i że większość źródeł określić", {"windows-1250", "ISO-8859-2"}},
    {"Влияние удобрений на почву и луга: низкие значения у детей", {"windows-1251", "KOI8-R", "IBM866", "ISO-8859-5"}},
    {"Επίδραση της λίπανσης στο έδαφος και στα παιδιά", {"windows-1253"}},
    {"השפעת הדישון על הקרקע בקרב ילדים", {"windows-1255"}},
    {"تأثير التسميد على التربة في المدارس وصحة الأطفال", {"windows-1256"}},
    {"ผลของปุ๋ยต่อดินและทุ่งหญ้าในประเทศไทย", {"windows-874", "UTF-16LE"}},
    {"施肥对土壤和草地的影响：临床试验的结果分析", {"GB18030", "UTF-16LE", "UTF-16BE"}},
    {"施肥對土壤和草地的影響：臨床試驗的結果分析", {"Big5"}},
    {"施肥が土壌と草地に及ぼす影響：データの分析", {"Shift_JIS", "EUC-JP", "ISO-2022-JP", "UTF-16BE"}},
    {"시비가 토양과 초지에 미치는 영향과 자료 분석", {"EUC-KR", "UTF-16LE"}},
};

TEST_CASE("a file that is not UTF-8 is read as what it is in every format, and that is said") {
  for (const Tongue& language : kLanguages) {
    const std::string text = language.text;
    const std::vector<std::pair<std::string, std::string>> files = {
        {"csv", "id,text,note\n1,plain words,x\n2," + text + ",y\n3,more,z\n"},
        {"tsv", "id\ttext\n1\tplain words\n2\t" + text + "\n3\tmore\n"},
        {"ris",
         "TY  - JOUR\nTI  - plain words\nER  - \nTY  - JOUR\nTI  - " + text + "\nER  - \nTY  - JOUR\nTI  - more\nER  - \n"},
        {"bibtex", "@a{1,title={plain words}}\n@a{2,title={" + text + "}}\n@a{3,title={more}}\n"},
        {"lines", "plain words\n" + text + "\nmore\n"}};
    for (const std::string& encoding : language.encodings)
      for (const auto& [format, bytes] : files)
        for (const std::uint64_t chunk : {1U, 50U, 100'000U}) {
          CAPTURE(encoding);
          CAPTURE(format);
          SourceOptions options = {.format = format, .encoding = TextEncoding::detected, .reading = {.chunk_bytes = chunk}};
          const ReadDocuments read = documents_in(encoded(bytes, encoding), options);
          CHECK(read.texts() == Texts{"plain words", text, "more"});
          CHECK(read.remarks == Texts{"in: read as " + encoding + " (detected; --encoding names another)"});
          CHECK(read.bad_bytes == 0);
          options.other_encoding = encoding;
          CHECK(documents_in(encoded(bytes, encoding), options).texts() == Texts{"plain words", text, "more"});
          CHECK(documents_in(encoded(bytes, encoding), options).remarks.empty());
        }
  }
}

// Words of titles; Chinese and Japanese are written without blanks.
struct Vocabulary {
  std::string words;
  std::string joint;
  Texts encodings;
};
const std::vector<Vocabulary> kVocabularies = {
    {"Wirkung Düngung Böden größere Flächen über Übersicht für Äcker Prüfung Qualität Kühe Gewässer ländliche Räume Förderung "
     "Ernährung Schüler Ärzte Versorgung Behandlung Müdigkeit Störungen möglich Lösung – „Modell“ §",
     " ",
     {"windows-1252", "UTF-16LE", "UTF-16BE", "UTF-8"}},
    {"влияние удобрений почву луга низкие значения детей лечение больных оценка качества жизни системы обучения методы анализа "
     "исследование развития России применение клинических данных этапы",
     " ",
     {"windows-1251", "KOI8-R", "IBM866", "UTF-16LE", "UTF-16BE", "UTF-8"}},
    {"تأثير التسميد التربة المدارس صحة الأطفال دراسة علاج المرضى تحليل نتائج التعليم في من على جودة الحياة العربية السكري "
     "مستوى القلب الجراحة عوامل",
     " ",
     {"windows-1256", "UTF-16LE", "UTF-16BE", "UTF-8"}},
    {"ผลของ ปุ๋ย ต่อดิน ทุ่งหญ้า ประเทศไทย การศึกษา ผู้ป่วย เบาหวาน คุณภาพ ชีวิต โรงเรียน นักเรียน การรักษา ความดัน โลหิตสูง "
     "ปัจจัย ที่มี ผู้สูงอายุ พฤติกรรม สุขภาพ",
     "",
     {"windows-874", "UTF-16LE", "UTF-16BE", "UTF-8"}},
    {"施肥 对 土壤 草地 的 影响 临床 试验 结果 分析 研究 患者 治疗 效果 评价 学生 健康 因素 糖尿病 老年人 生活质量 我国 及其 "
     "应用 "
     "进展 护理",
     "",
     {"GB18030", "UTF-16LE", "UTF-16BE", "UTF-8"}},
    {"施肥 對 土壤 草地 的 影響 臨床 試驗 結果 分析 研究 病人 治療 效果 評價 學生 健康 因素 糖尿病 老年人 生活品質 我國 護理",
     "",
     {"Big5"}},
    {"施肥 が 土壌 と 草地 に及ぼす 影響 データ の 分析 患者 における 治療 効果 に関する 研究 高齢者 の生活 学校 での 教育 "
     "について "
     "システム 評価 子ども を対象とした 検討",
     "",
     {"Shift_JIS", "EUC-JP", "ISO-2022-JP", "UTF-16LE", "UTF-16BE", "UTF-8"}},
};

std::string file_of(const Texts& titles, const std::string& format) {
  std::string all = format == "csv" ? "id,title,year\r\n" : format == "tsv" ? "id\ttitle\tyear\n" : "";
  for (std::size_t n = 0; n < titles.size(); ++n) {
    const std::string id = std::to_string(n);
    if (format == "csv") all += id + ",\"" + titles[n] + "\",2020\r\n";
    if (format == "tsv") all += id + "\t" + titles[n] + "\t2020\n";
    if (format == "ris") all += "TY  - JOUR\nTI  - " + titles[n] + "\nAU  - Doe, J\nER  - \n\n";
    if (format == "bibtex") all += "@article{k" + id + ",\n  title = {" + titles[n] + "},\n  year = 2020\n}\n";
    if (format == "mbox") all += "From a@b Thu Jan  1 00:00:00 1970\nSubject: " + titles[n] + "\n\n" + titles[n] + "\n\n";
    if (format == "lines") all += titles[n] + "\n";
  }
  return all;
}

TEST_CASE(
    "of files in six languages and all their encodings, in every format, with and without a mark, 98 of 100 are read right") {
  RandomStream random(7, 0, RandomRole::documents);
  int right = 0;
  int all = 0;
  for (const Vocabulary& language : kVocabularies) {
    const std::vector<std::string> words = fields_listed_in([&] {
      std::string listed = language.words;
      std::ranges::replace(listed, ' ', ',');
      return listed;
    }());
    for (const std::size_t records : {1U, 1U, 10U, 10U, test::cases(300U)})
      for (const std::string& encoding : language.encodings)
        for (const std::string& format : Texts{"csv", "tsv", "ris", "bibtex", "mbox", "lines"})
          for (const bool has_mark : {false, true}) {
            const bool is_unicode = encoding.starts_with("UTF");
            if (has_mark && !is_unicode) continue;
            Texts titles(records);
            for (std::string& title : titles)
              for (std::size_t n = 5 + random.below(6); n > 0; --n)
                title += (title.empty() ? "" : language.joint) + words[random.below(words.size())];
            const std::string bytes = encoded((has_mark ? "\uFEFF" : "") + file_of(titles, format), encoding);
            SourceOptions options = {.format = format, .encoding = TextEncoding::detected};
            const ReadDocuments read = documents_in(bytes, options);
            Texts expected = titles;
            if (format == "mbox")
              for (std::string& title : expected) title += "\n" + std::string(title);
            const bool says_nothing = encoding == "UTF-8";
            CHECK(read.remarks.empty() == says_nothing);
            ++all;
            right += read.texts() == expected && read.bad_bytes == 0 ? 1 : 0;
          }
  }
  CAPTURE(all);
  CHECK(100 * right >= 98 * all);
}

TEST_CASE("one word among a thousand records of ASCII says what a file is in, wherever it is") {
  constexpr std::size_t records = test::cases(1000U);
  const std::vector<std::pair<std::string, Texts>> words = {{"Düngung", {"windows-1252", "UTF-8"}},
                                                            {"L’étude", {"windows-1252", "UTF-8"}},
                                                            {"удобрений", {"windows-1251", "KOI8-R", "IBM866", "UTF-8"}},
                                                            {"التسميد", {"windows-1256", "UTF-8"}},
                                                            {"ทุ่งหญ้า", {"windows-874", "UTF-8"}},
                                                            {"影响分析", {"GB18030", "UTF-8", "UTF-16LE"}},
                                                            {"對土壤的影響", {"Big5", "UTF-8", "UTF-16BE"}},
                                                            {"について", {"Shift_JIS", "EUC-JP", "ISO-2022-JP", "UTF-8"}}};
  for (const auto& [word, encodings] : words)
    for (const std::string& encoding : encodings)
      for (const std::size_t place : {std::size_t{0}, records / 2, records - 1})
        for (const std::string& format : Texts{"csv", "ris", "bibtex", "mbox", "lines"}) {
          CAPTURE(encoding);
          CAPTURE(format);
          CAPTURE(word);
          Texts titles(records, std::string(format == "lines" ? 200 : 20, 'a'));
          titles[place] = "effects of " + word + " on soil";
          const ReadDocuments read =
              documents_in(encoded(file_of(titles, format), encoding), {.format = format, .encoding = TextEncoding::detected});
          CHECK(read.texts()[place] == (format == "mbox" ? titles[place] + "\n" + titles[place] : titles[place]));
          CHECK(read.remarks.empty() == (encoding == "UTF-8"));
        }
}

TEST_CASE("a word that could be in several encodings is in that of its neighbours") {
  const Texts titles = {"提醒", "plain", "施肥对土壤和草地的影响"};
  CHECK(guessed_encoding(encoded(titles[0], "GB18030")) != "GB18030");
  SourceOptions options = {.format = "lines", .encoding = TextEncoding::detected};
  CHECK(documents_in(encoded(titles[0] + "\n" + std::string(1'000'000, 'a') + "\n" + titles[2], "GB18030"), options).texts()[0] ==
        titles[0]);
  options.format = "mbox";
  CHECK(documents_in(encoded(file_of(titles, "mbox"), "GB18030"), options).texts()[0] == titles[0] + "\n" + titles[0]);
}

TEST_CASE("what is hardly beyond ASCII is UTF-8 where it can be") {
  for (const std::string text :
       {"it’s", "5 → 6", "x ≥ 5", "für", "à", "caf\u00E9 \U0001F600", "• one", "„so“", "\uFFFD", "на", "的", "Kwakʼwala"})
    CHECK(guessed_encoding("plain " + text + " words") == "");
  CHECK(guessed_encoding("plain \x1B[1m words") == "");
}

TEST_CASE("what comes late in a file says its encoding, too, and each file of a folder has its own") {
  const std::string begin = std::string(100'000, 'a') + "\n";
  SourceOptions options = {.format = "lines", .encoding = TextEncoding::detected};
  CHECK(documents_in(begin + "D\xFCngung\n", options).texts().back() == "Düngung");
  CHECK(documents_in(begin + "Düngung\n", options).remarks.empty());
  options.format = "dir";
  CHECK(documents_in("D\xFCngung", options).texts() == Texts{"Düngung"});
  options.format = "mbox";
  CHECK(documents_in("From \nSubject: x\n\nD\xFCngung\n", options).texts() == Texts{"x\nDüngung"});
}

TEST_CASE("UTF-8 with bad bytes stays UTF-8, and a byte order mark or a name says more than letters") {
  CHECK(guessed_encoding("größer und größer \xFC") == "");
  CHECK(guessed_encoding("plain\0text with one zero") == "");
  CHECK(guessed_encoding(std::string("plain text\0with one zero in it", 30)) == "");
  SourceOptions options = {.format = "lines", .encoding = TextEncoding::detected};
  CHECK(documents_in("größer\nund größer \xFC\n", options).bad_bytes == 1);
  CHECK(documents_in("\xEF\xBB\xBF"
                     "a\xFC\n",
                     options)
            .texts() == Texts{"a\xEF\xBF\xBD"});
  options.bad_bytes = BadBytes::refuse;
  CHECK(documents_in("D\xFCngung\n", options).problem == "in:1:2: expected UTF-8, found the byte 0xFC");
  options.other_encoding = "Shift_JIS";
  CHECK(documents_in("a\n\x82\n", options).problem == "in: expected Shift_JIS, found 1 bytes that are no characters of it");
  options.bad_bytes = BadBytes::replace;
  CHECK(documents_in("a\n\x82\x20\nb\n", options).bad_bytes == 1);
}

TEST_CASE("names of encodings are those of ICU in any spelling") {
  CHECK(known_encoding("SJIS") == "Shift_JIS");
  CHECK(known_encoding("cp1251") == "windows-1251");
  CHECK(known_encoding("koi8-r") == "KOI8-R");
  CHECK(known_encoding("nothing") == "");
  CHECK(known_encoding("") == "");
}

}  // namespace
}  // namespace inkling
