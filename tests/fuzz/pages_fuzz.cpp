// Fuzzes the extraction of text from pages, letters, TeX and the XML of workbooks: gives valid text, or a FormatError.
#include "engine/core/errors.hpp"
#include "io/corpus/pages/html_text.hpp"
#include "io/corpus/pages/mail_text.hpp"
#include "io/corpus/pages/named_encoding.hpp"
#include "io/corpus/pages/tex_text.hpp"
#include "io/corpus/unpack/xml_reader.hpp"
#include "tests/fuzz/fuzz_input.hpp"

namespace {

using namespace inkling;  // NOLINT(google-build-using-namespace): a program of one function

void read_xml(std::string_view bytes) {
  MemoryStream stream(bytes);
  ReadingBudget budget;
  XmlReader xml(stream, "input", budget);
  try {
    while (xml.next() != XmlReader::Event::done) static_cast<void>(xml.attribute("r"));
  } catch (const FormatError&) {
    return;
  }
}

void read_page(const fuzz::Input& input, const std::string& text, ReadingBudget& budget) {
  switch (input.choices & 3U) {
    case 0: {
      const HtmlText page = html_text(text, budget);
      fuzz::check_text(page.text);
      fuzz::check_text(page.title);
      break;
    }
    case 1: {
      UnnamedEncoding unnamed(input.text, input.choice(2) ? TextEncoding::latin1 : TextEncoding::detected, {});
      const MailText mail = mail_text(input.text, unnamed, budget);
      fuzz::check_text(mail.text);
      for (const MailHeader& header : mail.headers) fuzz::check_text(header.value);
      break;
    }
    case 2: {
      std::string plain;
      append_tex(text, input.choice(2) ? TexText::address : TexText::prose, plain, budget);
      fuzz::check_text(plain);
      break;
    }
    default: read_xml(input.text);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::Input input(data, size);
  std::string text;
  UnnamedEncoding unnamed(input.text, TextEncoding::utf8, {});
  append_in_encoding(input.text, encoding_of_html(input.text), unnamed, text);
  fuzz::check_text(text);
  ReadingBudget budget;
  budget.renew(input.text.size());
  try {
    read_page(input, text, budget);
  } catch (const OverBudget&) {
    return 0;
  }
  return 0;
}
