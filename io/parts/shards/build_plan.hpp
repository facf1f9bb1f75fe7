// The plan of a build in parts: which bytes of which files make each part, and every choice that all parts share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/corpus/from_text/text_builder.hpp"
#include "io/corpus/from_text/text_recipe.hpp"
#include "io/corpus/source/document_source.hpp"

namespace inkling {

/// A file, or the part of it that is read, with the size and time of the whole file when the plan was made.
struct PlannedFile {
  FilePiece piece;  ///< its root is an absolute path
  std::uint64_t size = 0;
  std::int64_t modified = 0;            ///< nanoseconds since 1970
  std::optional<SourceKind> kind = {};  ///< where the kinds of files differ: in place of that of the plan

  [[nodiscard]] std::string path() const { return joined_path(piece.root, piece.path); }
  /// How many bytes on disk are read.
  [[nodiscard]] std::uint64_t bytes() const { return piece.range ? piece.range->end - piece.range->begin : size; }

  bool operator==(const PlannedFile&) const = default;
};

struct PlanPart {
  std::vector<PlannedFile> files;

  [[nodiscard]] std::uint64_t bytes() const;
  bool operator==(const PlanPart&) const = default;
};

/// A `.npy` file with a row for each document of all parts, in their order.
struct PlannedVectors {
  PlannedFile file;
  std::vector<float> centre;  ///< what is subtracted from each row

  bool operator==(const PlannedVectors&) const = default;
};

struct BuildPlan {
  static constexpr std::int64_t current_version = 1;

  std::string program_version;
  std::vector<std::string> sources;        ///< as they were given, for manifests
  std::vector<std::string> roots;          ///< by source: its absolute path; none in plans of earlier programs
  SourceOptions source;                    ///< without what each process adds: `seen` and how it is interrupted
  std::vector<std::string> wanted_fields;  ///< that some record must have
  TextRecipe recipe;
  TextKeeping texts = TextKeeping::drop;
  bool may_be_empty = false;
  std::optional<PlannedVectors> vectors = {};
  std::vector<PlanPart> parts;
  /// The checksum at the end of the plan's text, set when it is read: counts and shards identify their plan by it.
  std::uint64_t checksum = 0;

  /// The name of a file as one build of the sources says it. `path`: absolute.
  [[nodiscard]] std::string name_as_given(std::string_view path) const;
};

[[nodiscard]] std::string plan_text(const BuildPlan& plan);

/// Throws CorruptFileError naming `path`.
[[nodiscard]] BuildPlan parse_plan(const std::string& path, std::string_view text);

/// Reads a plan for this program. Keeps the files of one part only, so that memory does not grow with the plan. Throws
/// SystemError, CorruptFileError, and FormatError where another version of the program made it.
[[nodiscard]] BuildPlan read_plan(const std::string& path, std::string_view program_version, std::int64_t part);

/// All of a file that is not huge, as text. Throws SystemError, and CorruptFileError, which says that `what` was expected.
[[nodiscard]] std::string text_of_sealed_file(const std::string& path, std::string_view what);

}  // namespace inkling
