#include "io/corpus/pool/open/checked_record.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/process/build_info.hpp"
#include "io/corpus/pool/format/running_checksum.hpp"

namespace inkling {
namespace {

constexpr std::string_view kNameStart = "checked-";
constexpr mode_t kOwnFolder = 0700;
constexpr mode_t kOwnFile = 0600;
constexpr mode_t kOthersWrite = S_IWGRP | S_IWOTH;

// Whether the file system is known to keep inodes and to set the time of a change. Others may do so, too.
bool keeps_stamps(int descriptor) noexcept {
  constexpr auto known = std::to_array<std::uint32_t>({
      EXT4_SUPER_MAGIC,  // and ext2, ext3
      BTRFS_SUPER_MAGIC, F2FS_SUPER_MAGIC, TMPFS_MAGIC, OVERLAYFS_SUPER_MAGIC,
      0x58465342,  // XFS, of which older headers have no name
      0x2FC12FC1,  // ZFS
      0xCA451A4E,  // bcachefs
  });
  struct statfs system = {};
  return ::fstatfs(descriptor, &system) == 0 &&
         std::ranges::find(known, static_cast<std::uint32_t>(system.f_type)) != known.end();
}

// Whether a later change could still have the same time, or the clock was set back.
bool changed_lately(const FileStamp& stamp, const std::timespec& now) noexcept {
  constexpr std::time_t coarsest = 2;
  return stamp.changed.tv_sec + coarsest >= now.tv_sec;
}

std::string time_text(const std::timespec& time) {
  return fmt::format("{}.{:09}", static_cast<std::int64_t>(time.tv_sec),
                     static_cast<std::int64_t>(time.tv_nsec));
}

std::string stamp_line(std::string_view name, const FileStamp& stamp) {
  return fmt::format("{} device {} inode {} bytes {} written {} changed {}\n", name,
                     static_cast<std::uint64_t>(stamp.identity.device),
                     static_cast<std::uint64_t>(stamp.identity.inode), stamp.size, time_text(stamp.modified),
                     time_text(stamp.changed));
}

bool can_be_recorded(const OpenPool& pool) {
  const FileStamp& manifest = pool.manifest_stamp();
  return !changed_lately(manifest, pool.opened_at()) && !pool.files().empty() &&
         std::ranges::all_of(pool.files(), [&](const auto& named) {
           const PoolFileReader& file = named.second;
           return file.stamp().identity.device == manifest.identity.device &&
                  !changed_lately(file.stamp(), pool.opened_at()) && keeps_stamps(file.descriptor());
         });
}

std::string record_text(const OpenPool& pool) {
  std::string text = fmt::format("inkling checked this pool, record 1, by version {}\nmanifest {:016x}\n",
                                 program_version, pool.manifest_checksum());
  text += stamp_line(PoolFile::manifest, pool.manifest_stamp());
  for (const auto& [name, file] : pool.files()) text += stamp_line(name, file.stamp());
  return text;
}

// The status of a folder or file; nothing unless it belongs to this user and nobody else may write to it.
std::optional<struct stat> own_status(int descriptor) noexcept {
  struct stat status = {};
  const bool is_own = descriptor >= 0 && ::fstat(descriptor, &status) == 0 && status.st_uid == ::geteuid() &&
                      (status.st_mode & kOthersWrite) == 0;
  return is_own ? std::optional(status) : std::nullopt;
}

// The user's folder of caches; nothing if the environment names none.
std::optional<std::string> cache_of_user() {
  const auto absolute = [](const char* variable) {
    const char* const value = ::secure_getenv(variable);
    return value != nullptr && *value == '/' ? std::optional<std::string>(value) : std::nullopt;
  };
  if (std::optional<std::string> cache = absolute("XDG_CACHE_HOME")) return cache;
  const std::optional<std::string> home = absolute("HOME");
  return home ? std::optional(*home + "/.cache") : std::nullopt;
}

std::string folder_in(const std::string& cache) { return cache + "/inkling"; }

bool is_folder_of_user(const std::string& path) noexcept {
  struct stat status = {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::geteuid();
}

// Makes no folder in a folder of another user: otherwise a program that runs as root would leave a folder to which that
// user cannot write.
void make_folder_of_records(const std::string& cache) {
  const std::string above = cache.substr(0, std::max<std::size_t>(cache.rfind('/'), 1));
  if (!is_folder_of_user(cache) && is_folder_of_user(above)) ::mkdir(cache.c_str(), kOwnFolder);
  if (is_folder_of_user(cache)) ::mkdir(folder_in(cache).c_str(), kOwnFolder);
}

enum class Missing { leave, make };

// The folder of records; not open if there is none that can be trusted.
Descriptor folder_of_records(Missing missing) {
  const std::optional<std::string> cache = cache_of_user();
  if (!cache) return Descriptor();
  if (missing == Missing::make) make_folder_of_records(*cache);
  Descriptor folder(::open(folder_in(*cache).c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  return own_status(folder.number()) ? std::move(folder) : Descriptor();
}

// A file of this user to which nobody else may write; nothing if it is any other file.
std::optional<MappedFile> mapped_in(const Descriptor& folder, const std::string& name) {
  if (!folder.is_open()) return std::nullopt;
  const Descriptor file(
      ::openat(folder.number(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  const std::optional<struct stat> status = own_status(file.number());
  if (!status || !S_ISREG(status->st_mode) || status->st_nlink > 1) return std::nullopt;  // 0: just replaced
  try {
    return MappedFile(file.number(), name);
  } catch (const SystemError&) {
    return std::nullopt;
  }
}

bool is_equal(std::span<const std::byte> bytes, std::string_view text) {
  return std::ranges::equal(bytes, std::as_bytes(std::span(text)));
}

// A name that no other writer has.
std::string name_for_a_while(const std::string& name) {
  static std::atomic<unsigned> number = 0;
  return fmt::format("{}.partial-{}-{}", name, ::getpid(), number++);
}

using Pieces = std::span<const std::span<const std::byte>>;

void write_record(const Descriptor& folder, const std::string& name, Pieces pieces) {
  const std::string partial = name_for_a_while(name);
  Descriptor file(::openat(folder.number(), partial.c_str(),
                           O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kOwnFile));
  if (!file.is_open()) return;
  const WriteCalls calls = WriteCalls::of_system();
  const auto is_written = [&](std::span<const std::byte> piece) {
    return calls.write_all(file.number(), piece) == 0;
  };
  const bool is_whole = std::ranges::all_of(pieces, is_written) && file.close() == 0 &&
                        ::renameat(folder.number(), partial.c_str(), folder.number(), name.c_str()) == 0;
  if (!is_whole) ::unlinkat(folder.number(), partial.c_str(), 0);
}

// The names of records and of partial records. Other files are never removed.
std::vector<std::string> names_of_records() {
  std::vector<std::string> names;
  std::error_code error;
  const std::filesystem::directory_iterator end;
  for (std::filesystem::directory_iterator entry(folder_in(cache_of_user().value_or("")), error);
       !error && entry != end; entry.increment(error)) {
    std::string name = entry->path().filename().string();
    if (name.starts_with(kNameStart)) names.push_back(std::move(name));
  }
  return names;
}

// If there are too many records, keeps the newest ones, half of the most that may be.
void remove_old_records(const Descriptor& folder) {
  std::vector<std::string> names = names_of_records();
  if (names.size() <= CheckedRecord::most_records) return;
  using Dated = std::pair<std::pair<std::time_t, long>, std::string>;
  std::vector<Dated> dated;
  dated.reserve(names.size());
  for (std::string& name : names) {
    struct stat status = {};
    if (::fstatat(folder.number(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0)
      dated.emplace_back(std::pair(status.st_mtim.tv_sec, status.st_mtim.tv_nsec), std::move(name));
  }
  std::ranges::sort(dated, std::greater());
  constexpr std::size_t left = CheckedRecord::most_records / 2;
  for (const Dated& old : std::span(dated).subspan(std::min(left, dated.size())))
    ::unlinkat(folder.number(), old.second.c_str(), 0);
}

void write_in_cache(const std::string& name, Pieces pieces) {
  const Descriptor folder = folder_of_records(Missing::make);
  if (!folder.is_open()) return;
  write_record(folder, name, pieces);
  remove_old_records(folder);
}

}  // namespace

CheckedRecord::CheckedRecord(const OpenPool& pool) {
  const FileIdentity& manifest = pool.manifest_stamp().identity;
  const std::array<std::uint64_t, 2> identity = {manifest.device, manifest.inode};
  name_ = fmt::format("{}{:016x}", kNameStart, checksum_of(std::as_bytes(std::span(identity))));
  if (can_be_recorded(pool)) text_ = record_text(pool);
}

bool CheckedRecord::is_there() const {
  if (text_.empty()) return false;
  const std::optional<MappedFile> found = mapped_in(folder_of_records(Missing::leave), name_);
  return found && is_equal(found->bytes(), text_);
}

void CheckedRecord::write() const {
  if (text_.empty()) return;
  const std::array<std::span<const std::byte>, 1> pieces = {std::as_bytes(std::span(text_))};
  write_in_cache(name_, pieces);
}

std::optional<CheckedRecord::Kept> CheckedRecord::kept(std::string_view what) const {
  if (text_.empty()) return std::nullopt;
  std::optional<MappedFile> found = mapped_in(folder_of_records(Missing::leave), name_of(what));
  const std::size_t head = head_of_kept(0).size();
  if (!found || found->bytes().size() < head) return std::nullopt;
  const std::span<const std::byte> bytes = found->bytes().subspan(head);
  if (!is_equal(found->bytes().first(head), head_of_kept(checksum_of(bytes)))) return std::nullopt;
  return Kept{std::move(*found), bytes};
}

void CheckedRecord::keep(std::string_view what, std::span<const std::span<const std::byte>> pieces) const {
  if (text_.empty()) return;
  RunningChecksum checksum;
  for (const std::span<const std::byte> piece : pieces) checksum.add(piece);
  const std::string head = head_of_kept(checksum.value());
  std::vector<std::span<const std::byte>> all = {std::as_bytes(std::span(head))};
  all.insert(all.end(), pieces.begin(), pieces.end());
  write_in_cache(name_of(what), all);
}

void CheckedRecord::remove() const {
  const Descriptor folder = folder_of_records(Missing::leave);
  for (const std::string& name : {name_, name_of(kAverage), name_of(kRows)})
    if (folder.is_open()) ::unlinkat(folder.number(), name.c_str(), 0);
}

std::string CheckedRecord::head_of_kept(std::uint64_t checksum) const {
  constexpr std::size_t aligned = 8;
  std::string head = fmt::format("{}{:016x}", text_, checksum);
  head.append(aligned - 1 - head.size() % aligned, ' ');
  return head + '\n';
}

CheckedTexts check_once(const OpenPool& pool, PoolTrust trust,
                        const std::function<CheckedTexts(CheckExtent)>& check) {
  const auto checked = [&](CheckExtent extent) {
    CheckedTexts texts = check(extent);
    pool.check_unchanged();
    return texts;
  };
  if (trust == PoolTrust::structure) return checked(CheckExtent::structure);
  if (trust == PoolTrust::checksums) return checked(CheckExtent::everything);
  const CheckedRecord record(pool);
  if (trust == PoolTrust::renewed) record.remove();
  try {
    if (trust == PoolTrust::remembered && record.is_there()) return checked(CheckExtent::outline);
    CheckedTexts texts = checked(CheckExtent::everything);
    record.write();
    return texts;
  } catch (const CorruptFileError&) {
    record.remove();
    throw;
  }
}

}  // namespace inkling
