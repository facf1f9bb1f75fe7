// Live searches over shards, by threads and by processes, make the same choices as one process with the whole pool and learn the
// same model to the last bit.
#include "io/parts/live/sharded_search.hpp"

#include <array>
#include <exception>
#include <memory>
#include <span>
#include <thread>

#include <doctest/doctest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/core/errors.hpp"
#include "engine/scoring/survey/average_document.hpp"
#include "io/parts/live/pipe_group.hpp"
#include "tests/io/parts/live/thread_group.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

/// A random search: a pool, its shards, and the answers, which depend on the round and the document alone.
struct LiveCase {
  std::string policy = "ff-oful";
  std::uint64_t number = 0;
  std::int64_t rounds = 2000;
  std::int32_t documents = 500;
  std::int32_t features = 40;
  int workers = 1;
  PolicyOptions options = {};

  [[nodiscard]] CsrMatrix pool() const {
    RandomStream random = test::stream_for(2405, number);
    return test::random_matrix({.documents = documents,
                                .features = features,
                                .density = features > 256 ? 0.03 : 0.15,
                                .degenerate = true},
                               random);
  }

  /// The first row of each rank, and the number of all rows. A worker may hold no rows.
  [[nodiscard]] std::vector<std::int64_t> cuts() const {
    RandomStream random = test::stream_for(2406, number);
    std::vector<std::int64_t> cuts = {0, documents};
    for (int worker = 1; worker < workers; ++worker) cuts.push_back(test::between(0, documents, random));
    std::ranges::sort(cuts);
    return cuts;
  }

  [[nodiscard]] RandomStream exploration() const { return {number, 7, RandomRole::exploration}; }
  [[nodiscard]] RandomStream sampling() const { return {number, 7, RandomRole::sampling}; }

  [[nodiscard]] PolicyOptions options_for(PoolView whole) const {
    PolicyOptions resolved = options;
    resolved.inkling.average = std::make_shared<const AverageDocument>(average_document(whole.by_feature));
    resolved.factor = FactorKind::dense;
    return resolved;
  }

  /// The answer of a round: a rating with marks, and sometimes words that are rated apart.
  [[nodiscard]] LiveEvent said(std::int64_t round, DocumentId document, SparseRow row) const {
    RandomStream random = test::stream_for(2407 + number, static_cast<std::uint64_t>(round));
    LiveEvent event{.document = document};
    double mean = 0.0;
    for (std::size_t n = 0; n < row.size(); ++n)
      mean += static_cast<double>(row.values[n]) * (row.features[n] % 5 == 0   ? 1.0
                                                    : row.features[n] % 7 == 0 ? -1.0
                                                                               : 0.0);
    event.reward = policy == "inkling" ? (mean > 0.8 ? 1.0 : 0.0) : mean + 0.3 * random.normal();
    for (const FeatureId feature : row.features)
      if (random.coin(feature % 5 == 0 ? 0.1 : 0.01)) event.words.push_back({.feature = feature});
    if (random.coin(0.3))
      for (SaidWord& word : event.words) word.confidence = 0.75;
    if (random.coin(0.01))
      event.words.push_back({static_cast<FeatureId>(random.below(static_cast<std::uint64_t>(features))),
                             random.coin(0.5) ? 1.0 : -1.0, 0.5});
    return event;
  }
};

/// The choices of a search, whether each was drawn at random, and all weights at the end.
struct LiveTrace {
  std::vector<std::int32_t> choices;
  std::vector<double> weights;
  std::int64_t explored = 0;
  std::int32_t features_in_use = 0;

  bool operator==(const LiveTrace&) const = default;

  void note(const Play& play) {
    choices.push_back(play.document);
    explored += play.explored ? 1 : 0;
  }
  void close(const Policy& policy, std::int32_t features) {
    features_in_use = policy.features_in_use();
    for (FeatureId feature = 0; feature < features; ++feature)
      weights.push_back(policy.learner()->weight(feature));
  }
};

LiveTrace trace_of_one_process(const LiveCase& live) {
  const PoolMatrix pool(live.pool());
  Policy policy(pool.view(), *find_preset(live.policy), live.options_for(pool.view()), live.exploration(),
                live.sampling());
  LiveTrace trace;
  for (std::int64_t round = 0; round < live.rounds && !policy.exhausted(); ++round) {
    const Play play = policy.choose();
    trace.note(play);
    const LiveEvent said = live.said(round, play.document, pool.view().by_document.row(play.document));
    policy.observe({.document = said.document, .reward = said.reward, .words = said.words});
  }
  trace.close(policy, live.features);
  return trace;
}

/// The rows of one worker.
PoolMatrix shard_of(const CsrMatrix& whole, std::int64_t first, std::int64_t end) {
  std::vector<std::int64_t> offsets = {0};
  std::vector<FeatureId> features;
  std::vector<float> values;
  for (std::int64_t i = first; i < end; ++i) {
    const SparseRow row = whole.view().row(static_cast<std::int32_t>(i));
    features.insert(features.end(), row.features.begin(), row.features.end());
    values.insert(values.end(), row.values.begin(), row.values.end());
    offsets.push_back(static_cast<std::int64_t>(features.size()));
  }
  return PoolMatrix(
      CsrMatrix(whole.view().columns(), std::move(offsets), std::move(features), std::move(values)));
}

LiveTrace trace_of_worker(const LiveCase& live, ShardGroup& group) {
  const CsrMatrix whole = live.pool();
  const std::vector<std::int64_t> cuts = live.cuts();
  const auto rank = static_cast<std::size_t>(group.rank());
  const PoolMatrix shard = shard_of(whole, cuts[rank], cuts[rank + 1]);
  const PoolMatrix all(live.pool());  // needed for the average document only
  ShardedSearch search(group, shard.view(), {.first_documents = cuts, .nonzeros = whole.view().nonzeros()},
                       *find_preset(live.policy), live.options_for(all.view()), live.exploration(),
                       live.sampling());
  LiveTrace trace;
  for (std::int64_t round = 0; round < live.rounds && !search.exhausted(); ++round) {
    const Play play = search.choose();
    trace.note(play);
    // A simulated reader answers at the worker of the document, a person at that of rank 0.
    const int from = round % 3 == 0 ? 0 : search.holder(play.document);
    static_cast<void>(search.learn(from, [&] {
      const SparseRow row = whole.view().row(play.document);
      return live.said(round, play.document, row);
    }));
  }
  trace.close(search.policy(), live.features);
  return trace;
}

std::vector<LiveTrace> traces_of_threads(const LiveCase& live) {
  test::ThreadTeam team(live.workers);
  std::vector<LiveTrace> traces(static_cast<std::size_t>(live.workers));
  {
    std::vector<std::jthread> workers;
    for (int rank = 0; rank < live.workers; ++rank)
      workers.emplace_back([&, rank] {
        test::ThreadGroup group(team, rank);
        try {
          traces[static_cast<std::size_t>(rank)] = trace_of_worker(live, group);
        } catch (const std::exception& error) {
          MESSAGE(error.what());
          team.step.arrive_and_drop();
        }
      });
  }
  return traces;
}

std::vector<std::byte> bytes_of_trace(const LiveTrace& trace) {
  std::vector<std::byte> bytes;
  const auto put = [&](std::span<const std::byte> more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
  };
  put(std::as_bytes(std::span(trace.choices)));
  put(std::as_bytes(std::span(trace.weights)));
  put(std::as_bytes(std::span(&trace.explored, 1)));
  return bytes;
}

struct SocketPairs {
  explicit SocketPairs(int workers) {
    for (int worker = 1; worker < workers; ++worker) {
      std::array<int, 2> ends{};
      REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0);
      near.push_back(ends[0]);
      far.push_back(ends[1]);
    }
  }
  static void close_all(std::vector<int>& ends) {
    for (const int end : ends) ::close(end);
    ends.clear();
  }

  std::vector<int> near;  // the ends of rank 0
  std::vector<int> far;   // the ends of rank 1, 2 ...
};

/// Runs `work` in a child process for each rank from 1 on, and here as rank 0. Returns the result of rank 0.
template <typename Work>
auto with_processes(int workers, const Work& work) {
  SocketPairs sockets(workers);
  std::vector<pid_t> children;
  for (int rank = 1; rank < workers; ++rank) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      const int own = sockets.far[static_cast<std::size_t>(rank - 1)];
      for (const int end : sockets.near) ::close(end);
      for (const int end : sockets.far)
        if (end != own) ::close(end);
      int failed = 0;
      try {
        PipeGroup group(rank, workers, {own});
        static_cast<void>(work(group));
      } catch (...) {
        failed = 1;
      }
      ::_exit(failed);
    }
    children.push_back(child);
  }
  SocketPairs::close_all(sockets.far);
  PipeGroup group(0, workers, sockets.near);
  const auto result = work(group);
  SocketPairs::close_all(sockets.near);
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
  }
  return result;
}

/// The traces of all workers, as the worker of rank 0 received them.
std::vector<std::vector<std::byte>> traces_of_processes(const LiveCase& live) {
  return with_processes(live.workers, [&](ShardGroup& group) {
    const std::vector<std::byte> own = bytes_of_trace(trace_of_worker(live, group));
    std::vector<std::vector<std::byte>> all;
    for (int rank = 0; rank < live.workers; ++rank) all.push_back(group.broadcast(own, rank));
    return all;
  });
}

void check_same_choices(LiveCase live, std::span<const int> numbers_of_workers) {
  const LiveTrace expected = trace_of_one_process(live);
  CHECK(expected.choices.size() == static_cast<std::size_t>(live.rounds));
  for (const int workers : numbers_of_workers) {
    CAPTURE(workers);
    live.workers = workers;
    for (const LiveTrace& trace : traces_of_threads(live)) CHECK((trace == expected));
  }
}

TEST_CASE("1 and 2 and 4 workers with births and random plays choose as one process does") {
  for (const Scoring scoring : {Scoring::sublinear, Scoring::running, Scoring::rescoring}) {
    for (const bool with_replacement : {true, false}) {
      CAPTURE(static_cast<int>(scoring));
      CAPTURE(with_replacement);
      LiveCase live;
      live.number = 1 + static_cast<std::uint64_t>(scoring) * 2 + (with_replacement ? 1 : 0);
      live.rounds = scoring == Scoring::sublinear ? 2000 : 300;
      live.documents = with_replacement ? 500 : 3000;
      live.options.scoring = scoring;
      live.options.with_replacement = with_replacement;
      const LiveTrace expected = trace_of_one_process(live);
      CHECK(expected.explored > 20);
      CHECK(expected.features_in_use > 5);
      check_same_choices(live, std::array{1, 2, 4});
    }
  }
}

TEST_CASE("every policy chooses the same over shards") {
  for (const Preset& preset : presets()) {
    if (!preset.learner || preset.name == "oful-subset") continue;
    for (const std::int32_t features : {30, 300}) {
      CAPTURE(preset.name);
      CAPTURE(features);
      LiveCase live;
      live.policy = preset.name;
      live.number = 100 + static_cast<std::uint64_t>(features);
      live.rounds = 60;
      live.documents = 150;
      live.features = features;
      live.options.with_replacement = features == 30;
      live.options.first_rounds = 20;
      live.options.confidence.noise = 0.3;
      check_same_choices(live, std::array{2, 3});
    }
  }
}

TEST_CASE("workers in several processes choose as one process does") {
  for (const int workers : {1, 2, 4}) {
    CAPTURE(workers);
    LiveCase live;
    live.number = 50 + static_cast<std::uint64_t>(workers);
    live.workers = workers;
    const std::vector<std::byte> expected = bytes_of_trace(trace_of_one_process(live));
    for (const std::vector<std::byte>& trace : traces_of_processes(live)) CHECK((trace == expected));
  }
}

TEST_CASE("the other workers learn which worker died and do not wait for ever") {
  const std::string said = with_processes(3, [](ShardGroup& group) -> std::string {
    for (int round = 0;; ++round) {
      if (group.rank() == 2 && round == 5) ::_exit(0);
      try {
        static_cast<void>(group.best({0.5, group.rank()}));
      } catch (const SystemError& error) {
        return error.what();
      }
    }
  });
  CHECK(said.find("worker 2") != std::string::npos);
}

TEST_CASE("the bytes of an event from another worker are checked") {
  const LiveEvent event{.document = 3, .reward = 0.5, .words = {{1}, {2}, {4, -1.0, 0.5}}};
  const std::vector<FeatureId> features = {0, 4};
  const std::vector<float> values = {1.0F, 2.0F};
  const SparseRow row{features, values};
  const std::vector<std::byte> bytes = bytes_of(event, &row);
  const LiveMessage back = message_of(bytes, 5, "worker 1");
  CHECK(back.event.document == 3);
  CHECK(back.event.words == event.words);
  CHECK(back.row.values == values);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    CHECK_THROWS_AS(static_cast<void>(message_of(std::span(bytes).first(size), 5, "worker 1")), FormatError);
  CHECK_THROWS_AS(static_cast<void>(message_of(bytes, 4, "worker 1")), FormatError);
  for (std::uint64_t trial = 0; trial < 3000; ++trial) {
    RandomStream random = test::stream_for(2408, trial);
    std::vector<std::byte> changed = bytes;
    changed[random.below(changed.size())] = static_cast<std::byte>(random.below(256));
    try {
      for (const FeatureId feature : message_of(changed, 5, "worker 1").row.features) CHECK(feature < 5);
    } catch (const FormatError& error) {
      CHECK(std::string(error.what()).find("worker 1") != std::string::npos);
    }
  }
}

TEST_CASE("shards that do not fit a live search are refused") {
  LoneWorker alone;
  const PoolMatrix pool = test::pool_of(2, {{{0, 1.0F}}, {{1, 1.0F}}});
  const auto refused = [&](std::vector<std::int64_t> firsts, const std::string& why) {
    const auto make = [&] {
      const ShardedSearch search(alone, pool.view(), {.first_documents = std::move(firsts), .nonzeros = 2},
                                 *find_preset("ff-oful"), {}, {1, 0, RandomRole::exploration},
                                 {1, 0, RandomRole::sampling});
    };
    CHECK_THROWS_WITH_AS(make(), doctest::Contains(why.c_str()), FormatError);
  };
  refused({0, 2, 4}, "1 workers");
  refused({0, 3}, "expected 3 documents of worker 0, got 2");
  refused({1, 3}, "documents from 0 on");
}

}  // namespace
}  // namespace inkling
