// Kinds of folders of arrays, and the manifest that each has.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/corpus/pool/format/pool_layout.hpp"
#include "io/corpus/pool/format/sealed_json.hpp"

namespace inkling {

/// Lifetime: lends literals.
struct FolderKind {
  SealedFormat format;                      ///< the name in its manifest: "inkling model"
  std::string_view noun;                    ///< the name in messages: "a model"
  std::string_view needs_program;           ///< the first program that reads this version
  std::span<const std::string_view> files;  ///< every file that it may have, its manifest among them
};

/// What the manifest of such a folder says.
struct FolderManifest {
  std::string program_version;
  std::string facts = "{}";       ///< specific to the kind: one JSON object on one line
  std::vector<FileRecord> files;  ///< ascending by name
};

/// The text of manifest.json, which ends in the checksum of everything before it.
[[nodiscard]] std::string folder_manifest_text(const FolderKind& kind, const FolderManifest& manifest);

/// Reads the records of files; everything else is available as JSON. Throws CorruptFileError naming `path`.
class FolderManifestReader {
 public:
  FolderManifestReader(const FolderKind& kind, const std::string& path, std::string_view text);

  [[nodiscard]] const SealedJson& json() const { return json_; }
  [[nodiscard]] SealedJson::Element facts() const { return json_.object(json_.root(), "facts"); }
  /// Throws also if a name is not one of the kind's, or if names do not ascend.
  [[nodiscard]] std::vector<FileRecord> files() const;

 private:
  [[nodiscard]] FileRecord record_of(SealedJson::Element file) const;

  const FolderKind& kind_;
  SealedJson json_;
};

}  // namespace inkling
