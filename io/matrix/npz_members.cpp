#include "io/matrix/npz_members.hpp"

#include <span>
#include <utility>

#include "engine/core/errors.hpp"
#include "io/source/packing.hpp"

namespace inkling {
namespace {

// One array of a zip file.
class ZipMember final : public InputStream {
 public:
  ZipMember(const std::string& path, UnpackingLimits limits)
      : file_(path), reader_(ArchiveKind::archive, file_, file_, UnpackingMeter(limits, file_, total_)) {}

  [[nodiscard]] bool find(std::string_view name) {
    for (std::string found; reader_.next_file(found);)
      if (found == name) return true;
    return false;
  }
  [[nodiscard]] std::size_t read(std::span<char> to) override { return reader_.read(to); }

 private:
  FileStream file_;
  std::uint64_t total_ = 0;
  ArchiveReader reader_;
};

}  // namespace

ZipMembers::ZipMembers(std::string path, UnpackingLimits limits) : path_(std::move(path)), limits_(limits) {
  const FileStream file(path_);
  bytes_ = file.size();
  if (!file.can_seek())
    throw FormatError(path_, "expected a file for a matrix of SciPy, found a pipe or a device");
  if (packing_of(file.head()) != Packing::archive)
    throw FormatError(path_, "expected a zip file, as scipy.sparse.save_npz writes it, found something else");
}

std::unique_ptr<InputStream> ZipMembers::open(std::string_view name) {
  auto member = std::make_unique<ZipMember>(path_, limits_);
  if (!member->find(std::string(name) + ".npy")) return nullptr;
  return member;
}

}  // namespace inkling
