#include "io/corpus/pool/open/checked_record.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/process/build_info.hpp"
#include "io/base/system/process.hpp"
#include "io/corpus/pool/format/running_checksum.hpp"

namespace inkling {
namespace {

constexpr std::string_view kNameStart = "checked-";
constexpr unsigned kOwnFolder = 0700;
constexpr unsigned kOwnFile = 0600;
constexpr unsigned kOthersWrite = 0022;

// Whether a later change could still have the same time, or the clock was set back.
bool changed_lately(const FileStamp& stamp, const FileTime& now) noexcept {
  constexpr std::int64_t coarsest = 2;
  return stamp.changed.seconds + coarsest >= now.seconds;
}

std::string time_text(const FileTime& time) { return fmt::format("{}.{:09}", time.seconds, time.nanoseconds); }

std::string stamp_line(std::string_view name, const FileStamp& stamp) {
  return fmt::format("{} device {} inode {} bytes {} written {} changed {}\n", name, stamp.identity.device, stamp.identity.inode,
                     stamp.size, time_text(stamp.modified), time_text(stamp.changed));
}

bool can_be_recorded(const OpenPool& pool) {
  const FileStamp& manifest = pool.manifest_stamp();
  return !changed_lately(manifest, pool.opened_at()) && !pool.files().empty() &&
         std::ranges::all_of(pool.files(), [&](const auto& named) {
           const PoolFileReader& file = named.second;
           return file.stamp().identity.device == manifest.identity.device && !changed_lately(file.stamp(), pool.opened_at()) &&
                  file.file().keeps_stamps();
         });
}

std::string record_text(const OpenPool& pool) {
  std::string text = fmt::format("inkling checked this pool, record 1, by version {}\nmanifest {:016x}\n", program_version,
                                 pool.manifest_checksum());
  text += stamp_line(PoolFile::manifest, pool.manifest_stamp());
  for (const auto& [name, file] : pool.files()) text += stamp_line(name, file.stamp());
  return text;
}

// The status of a folder or file; nothing unless it belongs to this user and nobody else may write to it.
std::optional<FileStatus> own_status(const File& file) noexcept {
  const std::optional<FileStatus> status = file.is_open() ? file.status() : std::nullopt;
  const bool is_own = status && status->is_own() && (status->permissions & kOthersWrite) == 0;
  return is_own ? status : std::nullopt;
}

std::string folder_in(const std::string& cache) { return cache + "/inkling"; }

bool is_folder_of_user(const std::string& path) noexcept {
  const std::optional<FileStatus> status = status_at(path.c_str());
  return status && status->is_folder() && status->is_own();
}

// Makes no folder in a folder of another user: otherwise a program that runs as root would leave a folder to which that
// user cannot write.
void make_folder_of_records(const std::string& cache) {
  const std::string above = cache.substr(0, std::max<std::size_t>(cache.rfind('/'), 1));
  if (!is_folder_of_user(cache) && is_folder_of_user(above)) static_cast<void>(make_folder_at(cache.c_str(), kOwnFolder));
  if (is_folder_of_user(cache)) static_cast<void>(make_folder_at(folder_in(cache).c_str(), kOwnFolder));
}

enum class Missing { leave, make };

// The folder of records; not open if there is none that can be trusted.
File folder_of_records(Missing missing) {
  const std::optional<std::string> cache = folder_of_user_cache();
  if (!cache) return File();
  if (missing == Missing::make) make_folder_of_records(*cache);
  File folder = File::open(folder_in(*cache), OpenAs::unfollowed_folder);
  return own_status(folder) ? std::move(folder) : File();
}

// A file of this user to which nobody else may write; nothing if it is any other file.
std::optional<MappedFile> mapped_in(const File& folder, const std::string& name) {
  if (!folder.is_open()) return std::nullopt;
  const File file = File::open_in(folder, name, OpenAs::unfollowed_reader);
  const std::optional<FileStatus> status = own_status(file);
  if (!status || !status->is_file() || status->names > 1) return std::nullopt;  // 0: just replaced
  try {
    return MappedFile(file, name);
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
  return fmt::format("{}.partial-{}-{}", name, process_number(), number++);
}

using Pieces = std::span<const std::span<const std::byte>>;

void write_record(const File& folder, const std::string& name, Pieces pieces) {
  const std::string partial = name_for_a_while(name);
  File file = File::open_in(folder, partial, OpenAs::fresh, kOwnFile);
  if (!file.is_open()) return;
  const auto is_written = [&](std::span<const std::byte> piece) { return file.write_all(piece) == 0; };
  const bool is_whole = std::ranges::all_of(pieces, is_written) && file.close() == 0 && rename_in(folder, partial, name) == 0;
  if (!is_whole) static_cast<void>(remove_file_in(folder, partial));
}

// The names of records and of partial records. Other files are never removed.
std::vector<std::string> names_of_records() {
  std::vector<std::string> names;
  each_name_in(folder_in(folder_of_user_cache().value_or("")), [&](const std::string& name) {
    if (name.starts_with(kNameStart)) names.push_back(name);
    return true;
  });
  return names;
}

// If there are too many records, keeps the newest ones, half of the most that may be.
void remove_old_records(const File& folder) {
  std::vector<std::string> names = names_of_records();
  if (names.size() <= CheckedRecord::most_records) return;
  using Dated = std::pair<FileTime, std::string>;
  std::vector<Dated> dated;
  dated.reserve(names.size());
  for (std::string& name : names)
    if (const std::optional<FileStatus> status = link_status_in(folder, name))
      dated.emplace_back(status->modified, std::move(name));
  std::ranges::sort(dated, std::greater());
  constexpr std::size_t left = CheckedRecord::most_records / 2;
  for (const Dated& old : std::span(dated).subspan(std::min(left, dated.size())))
    static_cast<void>(remove_file_in(folder, old.second));
}

void write_in_cache(const std::string& name, Pieces pieces) {
  const File folder = folder_of_records(Missing::make);
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
  const File folder = folder_of_records(Missing::leave);
  for (const std::string& name : {name_, name_of(kAverage), name_of(kRows)})
    if (folder.is_open()) static_cast<void>(remove_file_in(folder, name));
}

std::string CheckedRecord::head_of_kept(std::uint64_t checksum) const {
  constexpr std::size_t aligned = 8;
  std::string head = fmt::format("{}{:016x}", text_, checksum);
  head.append(aligned - 1 - head.size() % aligned, ' ');
  return head + '\n';
}

CheckedTexts check_once(const OpenPool& pool, PoolTrust trust, const std::function<CheckedTexts(CheckExtent)>& check) {
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
