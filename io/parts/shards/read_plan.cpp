// Reads a plan line by line, and keeps the files of one part alone.
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/corpus/pool/format/running_checksum.hpp"
#include "io/corpus/pool/format/sealed_json.hpp"
#include "io/corpus/unpack/byte_stream.hpp"
#include "io/parts/shards/build_plan.hpp"

namespace inkling {
namespace {

// How plan_text() begins its lines.
constexpr std::string_view kPlanBeginning = "{\n  \"format\": \"inkling plan\",\n";
constexpr std::string_view kPartLine = "    {\"bytes\": ";
constexpr std::string_view kFileLine = "      {\"root\":";
constexpr std::string_view kSealLine = "  \"checksum\": \"";

// Calls `visit(line)` for each line of a file, with its end.
template <typename Visit>
void for_each_plan_line(FileStream& file, const Visit& visit) {
  std::string buffer(std::size_t{1} << 16U, '\0');
  std::string begun;  // a line that lies in two pieces
  for (;;) {
    std::string_view left = std::string_view(buffer).substr(0, file.read(buffer));
    if (left.empty()) break;
    for (std::size_t end = left.find('\n'); end != std::string_view::npos; end = left.find('\n')) {
      begun += left.substr(0, end + 1);
      visit(std::string_view(begun));
      begun.clear();
      left.remove_prefix(end + 1);
    }
    begun += left;
  }
  if (!begun.empty()) visit(std::string_view(begun));
}

// The lines of a plan without the files of all parts but one.
class PlanOfOnePart {
 public:
  explicit PlanOfOnePart(std::int64_t part) : part_(part) {}

  void add(std::string_view line) {
    check(line);
    if (line.starts_with(kPartLine)) ++current_;
    if (line.starts_with(kFileLine) && current_ != part_)
      is_whole_ = false;
    else
      text_ += line;
  }

  [[nodiscard]] BuildPlan parsed(const std::string& path) const {
    const std::optional<std::size_t> seal = seal_position(text_);
    // A complete text is parsed with its own checksum. With a wrong checksum, parsing reports it.
    if (is_whole_ || !seal || seal_of(text_) != checksum_.value()) return parse_plan(path, text_);
    const std::string_view before_seal = text_;
    BuildPlan plan = parse_plan(path, sealed_json(std::string(before_seal.substr(0, *seal - kSealLine.size()))));
    plan.checksum = checksum_.value();
    return plan;
  }

 private:
  void check(std::string_view line) {
    if (is_sealed_) return;
    is_sealed_ = line.starts_with(kSealLine);
    checksum_.add(is_sealed_ ? kSealLine : line);
  }

  std::int64_t part_;
  std::int64_t current_ = -1;
  std::string text_;
  bool is_whole_ = true;
  bool is_sealed_ = false;
  RunningChecksum checksum_;
};

}  // namespace

BuildPlan read_plan(const std::string& path, std::string_view program_version, std::int64_t part) {
  FileStream file(path);
  // For any other file, its beginning is enough for the error message.
  if (!file.head().starts_with(kPlanBeginning)) static_cast<void>(parse_plan(path, file.head()));
  PlanOfOnePart kept(part);
  for_each_plan_line(file, [&kept](std::string_view line) { kept.add(line); });
  BuildPlan plan = kept.parsed(path);
  if (plan.program_version != program_version) {
    throw FormatError(path, fmt::format("expected a plan that inkling {} made, found one of inkling {}; all "
                                        "steps of a build take the same version",
                                        program_version, plan.program_version));
  }
  return plan;
}

}  // namespace inkling
