// Letters by RFC 5322 (headers), RFC 2045 and 2046 (parts), and RFC 2047 (words in headers).
#include "io/corpus/pages/mail_text.hpp"

#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace inkling {
namespace {

MailText letter_of(const std::string& message, TextEncoding otherwise = TextEncoding::utf8) {
  ReadingBudget budget;
  budget.renew(message.size());
  UnnamedEncoding unnamed(message, otherwise, {});
  return mail_text(message, unnamed, budget);
}

TEST_CASE("headers are unfolded and their words decoded") {
  const std::vector<std::pair<std::string, std::string>> subjects = {
      {"plain", "plain"},
      {"folded\r\n\tover\r\n lines", "folded over lines"},
      {"=?utf-8?Q?caf=C3=A9_au_lait?=", "café au lait"},
      {"=?UTF-8?B?Y2Fmw6k=?= =?utf-8?q?_ol=C3=A9?=", "café olé"},
      {"=?iso-8859-1?q?M=FCller?= wrote", "Müller wrote"},
      {"=?utf-8?B?w4M=?= =?iso-8859-1?q?=E9?=", "Ãé"},
      {"=?utf-8?B?4oI=?= =?utf-8?B?rA==?=", "€"},
      {"=?utf-8?X?no?= =?broken", "=?utf-8?X?no?= =?broken"},
      {"=?koi8-r?B?8NLJ18XU?=", "Привет"},
      {"a =?utf-8?q?b?= c =?utf-8*en?q?d?=", "a b c d"},
      {"raw \xC3\xA9", "raw é"},
      {"raw \xE9", "raw \xEF\xBF\xBD"},
      {"", ""},
  };
  for (const auto& [raw, decoded] : subjects) {
    CAPTURE(raw);
    CHECK(letter_of("From: a@b\r\nSubject: " + raw + "\r\n\r\nbody\r\n").header("subject") == decoded);
  }
}

TEST_CASE("the text of a letter is decoded from its parts") {
  const std::string alternative =
      "MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=\"b1\"\n\npreamble\n--b1\nContent-Type: text/html\n\n"
      "<p>HTML</p>\n--b1\nContent-Type: text/plain; charset=utf-8\n\nplain\n--b1--\nepilogue\n";
  const std::vector<std::pair<std::string, std::string>> letters = {
      {"Subject: a\n\nHello\nyou\n", "Hello\nyou"},
      {"Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: Quoted-Printable\n\ncaf=E9 "
       "soft=\n line =3D = \nnext =ZZ\n",
       "café soft line = next =ZZ"},
      {"Content-Transfer-Encoding: base64\n\naGVs\nbG8h\n", "hello!"},
      {"Content-Type: text/html; charset=utf-8\n\n<html><p>One<p>Two</html>\n", "One\nTwo"},
      {alternative, "plain"},
      {"Content-Type: multipart/alternative; boundary=x\n\n--x\nContent-Type: text/html\n\n<b>only</b>\n--x--\n", "only"},
      {"Content-Type: multipart/mixed; boundary=x\n\n--x\n\nfirst\n--x\nContent-Type: image/png\n\nnoise\n--x\n"
       "Content-Type: text/plain\nContent-Disposition: attachment; filename=a.txt\n\nattached\n--x\n\nlast\n",
       "first\n\nlast"},
      {"Content-Type: multipart/mixed; boundary=\"o\"\n\n--o\n" + alternative + "--o\n\nfooter\n--o--\n", "plain\n\nfooter"},
      {"Content-Type: message/rfc822\n\nSubject: inner\n\nforwarded\n", "forwarded"},
      {"Content-Type: application/pdf\n\n%PDF", ""},
      {"Content-Type: multipart/mixed\n\nno boundary\n", ""},
      {"no header at all\n", "no header at all"},
      {"", ""},
      {"Subject: only headers", ""},
      {"From x Thu Nov 12 09:30:00 2020\nSubject: mbox\n\nbody\n", "body"},
  };
  for (const auto& [message, text] : letters) {
    CAPTURE(message);
    CHECK(letter_of(message).text == text);
  }
}

TEST_CASE("parts that hold nothing are left out, and bytes that are invalid in the encoding are counted") {
  std::string message = "Content-Type: multipart/mixed; boundary=x\n\n";
  for (int n = 0; n < 100000; ++n) message += "--x\n\n";
  CHECK(letter_of(message).text.empty());
  CHECK(letter_of("Content-Type: text/plain; charset=utf-8\n\na\xFFz\n").replaced == 1);
  CHECK(letter_of("Subject: =?utf-8?q?=FF?=\n\nx\n").replaced == 1);
  CHECK(letter_of("\n\xE9\n", TextEncoding::latin1).text == "é");
}

TEST_CASE("parts within parts and words without an end are read or refused, and never take long") {
  std::string deep;
  for (int n = 0; n < 300; ++n) deep += "Content-Type: message/rfc822\n\n";
  CHECK_THROWS_WITH_AS(letter_of(deep + "\nsoil\n"), doctest::Contains("at most 256 levels within one another"), OverBudget);
  CHECK(letter_of(deep.substr(0, deep.size() / 2) + "\nsoil\n").text == "soil");
  std::string words = "Subject: ";
  for (int n = 0; n < 100'000; ++n) words += "=?u?q?soil";
  CHECK_THROWS_WITH_AS(letter_of(words + "\n\n"), doctest::Contains("its parts enclose or repeat one another"), OverBudget);
  CHECK_THROWS_AS(letter_of("Content-Type: text/plain" + std::string(1'000'000, ';') + "\n\nsoil\n"), OverBudget);
}

}  // namespace
}  // namespace inkling
