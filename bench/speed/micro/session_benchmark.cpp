// How many events of searches become durable in a second, with one program thread or many that wait for theirs.
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "io/search/session/session_writer.hpp"

namespace inkling::bench {
namespace {

/// A file of searches in a temporary folder, one search a thread; the destructor removes both.
class OpenLog {
 public:
  explicit OpenLog(int searches) {
    std::string folder = (std::filesystem::temp_directory_path() / "inkling-micro-XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) throw std::system_error(errno, std::generic_category(), folder);
    folder_ = folder;
    SessionFile file((folder_ / "log").string(), SessionAccess::write);
    for (int n = 0; n < searches; ++n) sessions_.insert(sessions_.end(), file.begin(SessionFacts()).id);
    writer_ = std::make_unique<SessionWriter>(std::move(file));
  }
  ~OpenLog() {
    writer_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  OpenLog(const OpenLog&) = delete;
  OpenLog& operator=(const OpenLog&) = delete;
  OpenLog(OpenLog&&) = delete;
  OpenLog& operator=(OpenLog&&) = delete;

  /// The next rating of a search, durably.
  void rate(int search, std::int64_t sequence) {
    SearchEvent event;
    event.sequence = sequence;
    event.kind = SearchEventKind::rated;
    event.document = static_cast<DocumentId>(sequence);
    event.reward = 1.0;
    event.words = {{.feature = 5, .reward = 1.0}, {.feature = 70, .reward = -0.5}};
    writer_->append({sessions_[static_cast<std::size_t>(search)], "ada", std::span(&event, 1)});
  }

 private:
  std::filesystem::path folder_;
  std::vector<std::string> sessions_;
  std::unique_ptr<SessionWriter> writer_;
};

void keep_events(benchmark::State& state) {
  static std::unique_ptr<OpenLog> log;  // of all threads of a run, which begin and end their loops together
  if (state.thread_index() == 0) log = std::make_unique<OpenLog>(state.threads());
  std::int64_t sequence = 0;
  for (auto _ : state) log->rate(state.thread_index(), ++sequence);
  state.SetItemsProcessed(state.iterations());
  if (state.thread_index() == 0) log.reset();
}
BENCHMARK(keep_events)->Threads(1)->Threads(16)->Threads(128)->UseRealTime();

}  // namespace
}  // namespace inkling::bench
