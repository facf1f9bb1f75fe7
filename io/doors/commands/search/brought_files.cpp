#include "io/doors/commands/search/brought_files.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "io/base/file/digit_groups.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/system/file.hpp"
#include "io/base/system/folder.hpp"
#include "io/base/system/interruption.hpp"
#include "io/base/system/limits.hpp"
#include "io/base/system/process.hpp"
#include "io/base/wording/byte_size.hpp"
#include "io/doors/cli/terminal.hpp"
#include "io/doors/cli/usage_error.hpp"
#include "io/doors/commands/build_target.hpp"
#include "io/doors/commands/commands.hpp"
#include "io/doors/commands/search/pool_of_records.hpp"
#include "io/doors/serve/http/http_message.hpp"

namespace inkling {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kReadUpload = "read-upload";
// Names of files that are brought begin with no dot. While one comes, a file of this name and its own is there.
constexpr std::string_view kComing = ".coming-";
constexpr std::string_view kMessages = ".messages-";
constexpr std::string_view kTitle = ".title-";
constexpr std::string_view kOwner = ".owner-";
constexpr std::string_view kRemoved = ".removed-";
constexpr std::uint64_t kOneMebibyte = std::uint64_t{1} << 20U;
constexpr std::chrono::milliseconds kTimeOfAny{8'000};
constexpr std::chrono::milliseconds kTimeOfMebibyte{2'000};

std::string pool_beside(const std::string& path) { return path + ".pool"; }

// The line that says why the reader ended; the remarks of building stand before it.
std::string reason_of_exit(std::string text) {
  constexpr std::string_view speaker = "inkling read-upload: ";
  const std::size_t at = ("\n" + text).rfind("\n" + std::string(speaker));
  if (at != std::string::npos) text.erase(0, at + speaker.size());
  return text.substr(0, text.find('\n'));
}

// "WHERE: expected WHAT" has its parts apart, as a reader in this process would give them.
Refusal refusal_of(const std::string& message) {
  constexpr std::string_view middle = ": expected ";
  const std::size_t at = message.find(middle);
  if (at == std::string::npos) return {422, message};
  return {422, message, message.substr(0, at), message.substr(at + middle.size())};
}

std::string text_if_there(const std::string& path, std::uint64_t most) {
  return exists_at(path) ? text_of_file(path, most).value_or(std::string()) : std::string();
}

[[noreturn]] void refuse(int code, const std::string& said) {
  constexpr int first_signal = 128;
  const std::string message = reason_of_exit(said);
  if (code > first_signal)
    throw HttpRefusal(422, fmt::format("the process that read this file ended by signal {}: nothing of the file is kept; "
                                       "'inkling build' shows more",
                                       code - first_signal));
  if (code == ExitCode::usage) throw HttpRefusal(422, message);
  if (code == ExitCode::bad_input || code == ExitCode::corrupt_file) throw HttpRefusal(refusal_of(message));
  if (message.find("not enough memory") != std::string::npos)
    throw HttpRefusal(422,
                      "reading this file takes more memory than this server gives to one: --memory of inkling serve gives more");
  throw HttpRefusal(503, fmt::format("{}; nothing of this request was kept", message));
}

// Without the folder of the server, which the person who brings a file does not know, and without an option of the command line,
// which the page offers as a box.
std::vector<std::string> remarks_in(std::string_view said, const std::string& folder) {
  constexpr std::string_view speaker = "inkling build: ";
  std::vector<std::string> remarks;
  for (std::size_t end = said.find('\n'); end != std::string_view::npos; said.remove_prefix(end + 1), end = said.find('\n')) {
    if (!said.starts_with(speaker)) continue;
    std::string remark(said.substr(speaker.size(), end - speaker.size()));
    if (remark.find(" --rated-by ") != std::string::npos) continue;
    for (std::size_t at = remark.find(folder); at != std::string::npos; at = remark.find(folder)) remark.erase(at, folder.size());
    remarks.push_back(std::move(remark));
  }
  return remarks;
}

// Refuses files that need so much of the disk, as far as it is known, and would leave none for the searches, which lie on it, too.
void check_room(const fs::path& folder, std::uint64_t bytes) {
  constexpr std::uint64_t most_kept = 1024 * kOneMebibyte;
  constexpr std::uint64_t share_kept = 20;
  std::error_code is_unknown;
  const fs::space_info disk = fs::space(path_for_libraries(folder.generic_string()), is_unknown);
  if (is_unknown) return;
  if (disk.available >= bytes + std::min<std::uint64_t>(most_kept, disk.capacity / share_kept)) return;
  throw HttpRefusal(
      422, fmt::format("the disk of this server has {} left, too little for these files and for its searches: ask whoever "
                       "runs it for room",
                       byte_size_text(disk.available)));
}

std::uint64_t memory_of_reader(std::uint64_t memory) {
  const auto threads = static_cast<std::uint64_t>(available_threads());
  return std::max(memory, (192 + 16 * threads) * kOneMebibyte);
}

int read_upload(std::span<const std::string> args) {
  constexpr std::size_t before_files = 4;
  if (args.size() <= before_files)
    throw UsageError("expected the place of a pool, memory, an encoding, the field of the text (or nothing), and files");
  std::vector<std::string> build;
  std::string names;
  for (const std::string& file : args.subspan(before_files)) {
    build.push_back(file.starts_with('-') ? "./" + file : file);
    names += (names.empty() ? "" : " ") + visible_text(file);
  }
  build.insert(build.end(), {"--out", args[0], "--keep-text", "--force", "--memory", args[1], "--encoding", args[2]});
  if (!args[3].empty()) build.insert(build.end(), {"--text-field", args[3]});
  try {
    const TextBuildSummary built = build_records(build);
    tell(fmt::format("{}: {} documents of {}\n", visible_text(args[0]), digit_groups(built.corpus.documents), names));
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}; 'inkling build {} --out POOL' takes options that say what it holds", error.what(), names));
  }
  return ExitCode::ok;
}

}  // namespace

/// A file that comes or goes, of which nothing stays unless its pool is there at the end.
class BroughtFiles::Coming {
 public:
  Coming(const BroughtFiles& files, std::string name) : files_(files), name_(std::move(name)) {
    write_file((files_.folder_ / (std::string(kComing) + name_)).generic_string(), "");
  }
  ~Coming() { files_.remove_unless_read(name_); }
  Coming(const Coming&) = delete;
  Coming& operator=(const Coming&) = delete;

 private:
  const BroughtFiles& files_;
  std::string name_;
};

BroughtFiles::BroughtFiles(const std::string& sessions_file, std::uint64_t memory, std::function<bool()> is_ending)
    : folder_(sessions_file + ".files"), memory_(memory), is_ending_(std::move(is_ending)) {}

std::vector<std::string> BroughtFiles::pools() const {
  std::vector<std::string> pools;
  each_name_in(folder_.generic_string(), [&](const std::string& name) {
    const std::string pool = (folder_ / name).generic_string();
    if (pool_at(pool) && !exists_at(note_of(kRemoved, pool))) pools.push_back(pool);
    return true;
  });
  std::ranges::sort(pools);
  return pools;
}

std::string BroughtFiles::note_of(std::string_view kind, const std::string& pool) const {
  return (folder_ / (std::string(kind) + fs::path(pool).filename().string())).generic_string();
}

std::string BroughtFiles::noted(std::string_view kind, const std::string& pool) const {
  constexpr std::uint64_t most = 1'000;
  return text_if_there(note_of(kind, pool), most);
}

void BroughtFiles::note(std::string_view kind, const std::string& pool, const std::string& text) const {
  const std::string place = note_of(kind, pool);
  if (!text.empty()) return write_file(place, text);
  static_cast<void>(remove_file(place.c_str()));
}

BroughtBy BroughtFiles::facts_of(const std::string& pool) const {
  return {.title = noted(kTitle, pool), .owner = noted(kOwner, pool)};
}

void BroughtFiles::set_title(const std::string& pool, const std::string& title) const { note(kTitle, pool, title); }

void BroughtFiles::remove(const std::string& pool) {
  const std::unique_lock lock(one_at_a_time_, std::chrono::seconds(1));
  if (!lock) throw HttpRefusal(503, "other files are read now: try again later");
  const Coming leaving(*this, fs::path(pool).stem().string());
  note(kRemoved, pool, "removed");
}

void BroughtFiles::remove_leftovers() const {
  std::vector<std::string> names;
  each_name_in(folder_.generic_string(), [&](const std::string& name) {
    if (name.starts_with(kComing)) names.push_back(name.substr(kComing.size()));
    return true;
  });
  for (const std::string& name : names) remove_unless_read(name);
}

// What killed programs left of a file and of its pool begins with their names (PartialFolder).
void BroughtFiles::remove_unless_read(const std::string& name) const noexcept {
  try {
    const std::string pool = pool_beside((folder_ / name).generic_string());
    const std::string removed = note_of(kRemoved, pool);  // after what it says is removed
    const std::vector<fs::path> of_pool = {pool, folder_ / name, note_of(kTitle, pool), note_of(kOwner, pool), removed};
    std::vector<fs::path> parts = {folder_ / (std::string(kMessages) + name)};
    each_name_in(folder_.generic_string(), [&](const std::string& entry) {
      for (const fs::path& part : of_pool)
        if (entry.starts_with(part.filename().string() + ".partial-")) parts.push_back(folder_ / entry);
      return true;
    });
    if (exists_at(removed) || !pool_at(pool)) parts.insert(parts.end(), of_pool.begin(), of_pool.end());
    parts.push_back(folder_ / (std::string(kComing) + name));
    static_cast<void>(std::ranges::all_of(parts, [](const fs::path& part) { return remove_tree(part.generic_string()); }));
  } catch (...) {  // no memory is left, or the disk fails: the next start removes it
  }
}

BroughtPool BroughtFiles::bring(std::span<const BroughtRecords> files, const ReadingOfFile& as, const std::string& user) {
  std::unique_lock lock(one_at_a_time_, std::defer_lock);
  while (!lock.try_lock_for(std::chrono::milliseconds(100)))
    if (is_ending_()) throw InterruptedError();
  make_folder(folder_.generic_string());
  fs::permissions(path_for_libraries(folder_.generic_string()), fs::perms::owner_all);  // of one that was there, too
  std::vector<std::string> paths;
  std::uint64_t bytes = 0;
  for (const BroughtRecords& file : files) {
    paths.push_back((folder_ / file.name).generic_string());
    bytes += file.bytes.size();
  }
  constexpr std::uint64_t times_of_files = 4;  // the files, their texts, and both layouts of the pool, unless they are packed
  check_room(folder_, times_of_files * bytes);
  const std::string name = joined_name(paths);
  fs::path path = folder_ / name;
  const auto is_taken = [&] {  // also by one whose removal is not finished, which would take this one along
    const std::string pool = pool_beside(path.generic_string());
    return exists_at(path.generic_string()) || exists_at(pool) || exists_at(note_of(kRemoved, pool));
  };
  for (int n = 2; is_taken(); ++n) path = folder_ / fmt::format("{}-{}", n, name);
  const Coming coming(*this, path.filename().string());
  set_title(pool_beside(path.generic_string()), "");
  note(kOwner, pool_beside(path.generic_string()), user);
  if (files.size() > 1) make_folder(path.generic_string());  // several files lie in a folder of their name
  for (std::size_t n = 0; n < files.size(); ++n) {
    paths[n] = files.size() == 1 ? path.generic_string() : (path / files[n].name).generic_string();
    OutputFile file(paths[n]);
    file.append(files[n].bytes);
    file.close();
  }
  std::vector<std::string> remarks = read(path.generic_string(), paths, bytes, as);
  return {pool_beside(path.generic_string()), std::move(remarks)};
}

std::vector<std::string> BroughtFiles::read(const std::string& path, std::span<const std::string> files, std::uint64_t bytes,
                                            const ReadingOfFile& as) const {
  const std::string messages = (folder_ / (std::string(kMessages) + fs::path(path).filename().string())).generic_string();
  const std::uint64_t memory = memory_of_reader(memory_);
  const std::chrono::milliseconds most_time = kTimeOfAny + kTimeOfMebibyte * (bytes / kOneMebibyte);
  const auto seconds = static_cast<std::uint64_t>(std::chrono::ceil<std::chrono::seconds>(most_time).count());
  const std::uint64_t of_build = std::min<std::uint64_t>(memory / 4 * 3, std::uint64_t{1} << 30U);
  std::vector<std::string> command = {
      path_of_own_program(), std::string(kReadUpload), pool_beside(path), std::to_string(of_build), as.encoding, as.text_field};
  command.insert(command.end(), files.begin(), files.end());
  ChildProcess child(command, {}, "/dev/null", messages,
                     ChildLimits{.memory = memory, .cpu_seconds = seconds * static_cast<std::uint64_t>(available_threads())});
  const auto until = std::chrono::steady_clock::now() + most_time;
  std::optional<int> code;
  while (!(code = child.exit_code())) {
    if (is_ending_()) throw InterruptedError();
    check_room(folder_, 0);
    if (std::chrono::steady_clock::now() > until)
      throw HttpRefusal(
          422, fmt::format("this file was not read within {} seconds: divide it, or make its pool by 'inkling build'", seconds));
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  constexpr std::uint64_t most_said = 64U << 10U;
  const std::string said = text_if_there(messages, most_said);  // one that ends before it begins has not made it
  if (*code != ExitCode::ok) refuse(*code, said);
  tell(said);
  return remarks_in(said, fs::path(path).parent_path().generic_string() + "/");
}

Command read_upload_command() {
  return {.name = std::string(kReadUpload), .purpose = "Reads what somebody brought to the server.", .run = read_upload};
}

}  // namespace inkling
