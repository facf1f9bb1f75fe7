#include "io/matrix/matrix_export.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "io/file/strict_number.hpp"

namespace inkling {
namespace {

// Text of many short pieces, handed to the file in large ones.
class TextWriter {
 public:
  explicit TextWriter(OutputFile& file) : file_(&file) {}

  void append(std::string_view text) { text_ += text; }
  void append(char character) { text_ += character; }
  /// Of float the shortest that reads back the same.
  template <typename Number>
  void append_number(Number number) {
    std::array<char, 32> digits{};
    const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    text_.append(digits.data(), written.ptr);
  }
  void end_line() {
    text_ += '\n';
    if (text_.size() >= most_held) flush();
  }
  void flush() {
    file_->append(text_);
    text_.clear();
  }

 private:
  static constexpr std::size_t most_held = std::size_t{1} << 16U;

  OutputFile* file_;
  std::string text_;
};

bool is_list_of_numbers(std::string_view name) {
  for (;;) {
    const std::size_t comma = name.find(',');
    if (!parse_real(name.substr(0, comma))) return false;
    if (comma == std::string_view::npos) return true;
    name.remove_prefix(comma + 1);
  }
}

// What stands for each label.
std::vector<std::string> label_texts(std::span<const std::string> names) {
  if (std::ranges::all_of(names, is_list_of_numbers)) return {names.begin(), names.end()};
  std::vector<std::string> numbers;
  for (std::size_t n = 0; n < names.size(); ++n) numbers.push_back(std::to_string(n + 1));
  return numbers;
}

}  // namespace

void export_svmlight(const ExportedMatrix& matrix, OutputFile& file) {
  const std::vector<std::string> labels = label_texts(matrix.label_names);
  TextWriter out(file);
  for (std::int32_t i = 0; i < matrix.rows.rows(); ++i) {
    const std::int32_t label = matrix.labels.empty() ? -1 : matrix.labels[static_cast<std::size_t>(i)];
    out.append(label < 0 ? std::string_view("0") : labels[static_cast<std::size_t>(label)]);
    const SparseRow row = matrix.rows.row(i);
    for (std::size_t n = 0; n < row.size(); ++n) {
      out.append(' ');
      out.append_number(row.features[n] + std::int64_t{1});
      out.append(':');
      out.append_number(row.values[n]);
    }
    out.end_line();
  }
  out.flush();
}

void export_matrix_market(const ExportedMatrix& matrix, OutputFile& file) {
  file.append("%%MatrixMarket matrix coordinate real general\n");
  file.append(fmt::format("{} {} {}\n", matrix.rows.rows(), matrix.rows.columns(), matrix.rows.nonzeros()));
  TextWriter out(file);
  for (std::int32_t i = 0; i < matrix.rows.rows(); ++i) {
    const SparseRow row = matrix.rows.row(i);
    for (std::size_t n = 0; n < row.size(); ++n) {
      out.append_number(i + std::int64_t{1});
      out.append(' ');
      out.append_number(row.features[n] + std::int64_t{1});
      out.append(' ');
      out.append_number(row.values[n]);
      out.end_line();
    }
  }
  out.flush();
}

}  // namespace inkling
