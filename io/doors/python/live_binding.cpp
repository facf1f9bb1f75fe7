// One worker's half of a live search over the shards of a set.
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "engine/core/errors.hpp"
#include "io/corpus/pool/format/set_copies.hpp"
#include "io/corpus/pool/open/pool_set.hpp"
#include "io/doors/python/bindings.hpp"
#include "io/doors/python/core_pool.hpp"
#include "io/doors/python/core_session.hpp"
#include "io/doors/python/python_glue.hpp"
#include "io/parts/live/shard_replica.hpp"
#include "io/search/events/learning.hpp"
#include "io/search/score/average_document.hpp"
#include "io/search/score/score_pass.hpp"

namespace inkling::python {
namespace {

using ReplicaRow = std::tuple<std::vector<FeatureId>, std::vector<float>>;
/// Document (-1: none), score, whether it was drawn at random, radius.
using ProposalTuple = std::tuple<std::int64_t, double, bool, std::optional<double>>;

/// Lifetime: the pool outlives it. Thread safety: refuses a second thread.
struct CoreReplica {
  CoreReplica(const CorePool& pool, ShardReplica::Place shard, const Preset& preset_, const PolicyOptions& options,
              std::uint64_t seed, int threads)
      : preset(preset_), place(threads) {
    place.run([&] { replica.emplace(pool.view(), std::move(shard), preset, options, seed); });
  }

  std::atomic_flag busy = ATOMIC_FLAG_INIT;
  Preset preset;
  WorkPlace place;
  std::optional<ShardReplica> replica;
};

struct CoreSet {
  explicit CoreSet(const std::string& path) : file(read_set_file(path)), copies(read_set_copies(path, file)) {}

  SetFile file;
  CopiedSetRows copies;
};

template <typename Work>
auto by_replica(CoreReplica& core, const Work& work) {
  const OneThread one(core.busy);
  return core.place.run([&] { return work(*core.replica); });
}

void make_replica(CoreReplica* self, const CorePool& pool, const std::tuple<DocumentId, DocumentId, std::int64_t>& shard,
                  const std::string& policy, PolicyOptions options, std::uint64_t seed, int threads,
                  const std::optional<ReplicaRow>& average, const std::optional<std::string>& set_file) {
  if (average) {
    AverageDocument document;
    document.features = std::get<0>(*average);
    document.values = std::get<1>(*average);
    options.inkling.average = std::make_shared<const AverageDocument>(std::move(document));
  }
  ShardReplica::Place where = {std::get<0>(shard), std::get<1>(shard), std::get<2>(shard)};
  if (set_file)
    for (const std::int64_t copy : read_set_copies(*set_file, read_set_file(*set_file)).rows)
      where.copies.push_back(static_cast<DocumentId>(copy));
  new (self) CoreReplica(pool, std::move(where), preset_named(policy), options, seed, threads);
}

ProposalTuple propose(CoreReplica& core) {
  return by_replica(core, [](ShardReplica& replica) -> ProposalTuple {
    if (replica.remaining() == 0) return {-1, 0.0, false, std::nullopt};
    const ShardReplica::Proposal made = replica.propose();
    return {made.best.document, made.best.score, made.explored, made.radius};
  });
}

void teach_replica(CoreReplica& core, DocumentId document, double reward, const WordTuples& words,
                   const std::optional<ReplicaRow>& row) {
  const std::vector<SaidWord> said = said_words(words);
  const PastEvent event = {.document = document < 0 ? kNoDocument : document, .reward = reward, .words = said};
  by_replica(core, [&](ShardReplica& replica) {
    if (!row) return replica.learn(event, nullptr);
    const SparseRow known = {std::get<0>(*row), std::get<1>(*row)};
    replica.learn(event, &known);
  });
}

ReplicaRow row_of_replica(CoreReplica& core, DocumentId document) {
  return by_replica(core, [&](ShardReplica& replica) -> ReplicaRow {
    if (!replica.holds(document)) throw FormatError("document " + std::to_string(document), "expected one of this shard");
    const SparseRow row = replica.row(document);
    return {{row.features.begin(), row.features.end()}, {row.values.begin(), row.values.end()}};
  });
}

std::vector<std::tuple<double, DocumentId>> ranking_of_replica(CoreReplica& core, std::size_t count) {
  return by_replica(core, [&](ShardReplica& replica) {
    std::vector<std::tuple<double, DocumentId>> ranking;
    for (const Ranked& ranked : replica.ranking(count)) ranking.emplace_back(ranked.score, ranked.document);
    return ranking;
  });
}

/// What the leader of a live search takes from the whole set: its average document, for policies that need it, and what a person
/// should know.
std::tuple<std::optional<ReplicaRow>, std::vector<std::string>> look_at_set(const std::string& path, const std::string& policy,
                                                                            const PolicyOptions& options) {
  const Preset& preset = preset_named(policy);
  const nb::gil_scoped_release released;
  if (!preset.uses.word_ratings) {  // nothing of the documents, all of which an opening would check
    std::vector<std::string> remarks;
    if (read_set_file(path).has_uncompared_texts()) remarks.emplace_back(kUncomparedTexts);
    return {std::nullopt, std::move(remarks)};
  }
  const PoolSet pools = PoolSet::open(std::array{path}, PoolAccess::read, PoolTrust::structure);
  std::vector<std::string> remarks = remarks_of(pools, preset, options);
  AverageDocument average = average_document(pools);
  return {ReplicaRow{std::move(average.features), std::move(average.values)}, std::move(remarks)};
}

}  // namespace

void bind_live(nb::module_& module) {
  nb::class_<CoreReplica>(module, "ShardReplica", "One worker's half of a live search.")
      .def("__init__", make_replica, nb::arg("pool"), nb::arg("place"), nb::arg("policy"), nb::arg("options"), nb::arg("seed"),
           nb::arg("threads"), nb::arg("average").none() = nb::none(), nb::arg("set_file").none() = nb::none(),
           nb::keep_alive<1, 2>())
      .def("propose", propose)
      .def("learn", teach_replica, nb::arg("document"), nb::arg("reward"), nb::arg("words"), nb::arg("row").none())
      .def("row", row_of_replica, nb::arg("document"))
      .def("ranking", ranking_of_replica, nb::arg("count"))
      .def_prop_ro("remaining",
                   [](CoreReplica& core) { return by_replica(core, [](ShardReplica& replica) { return replica.remaining(); }); });
  nb::class_<CoreSet>(module, "Set", "What the file of a set says of its documents.")
      .def(nb::init<const std::string&>(), nb::arg("path"))
      .def_prop_ro("documents", [](const CoreSet& set) { return set.file.rows; })
      .def_prop_ro("copies", [](const CoreSet& set) { return set.copies.view().size(); })
      .def_prop_ro("fingerprint", [](const CoreSet& set) { return set.file.fingerprint; })
      .def(
          "original_of", [](const CoreSet& set, std::int64_t document) { return set.copies.view().original_of(document); },
          nb::arg("document"));
  module.def("look_at_set", look_at_set, nb::arg("path"), nb::arg("policy"), nb::arg("options"));
}

}  // namespace inkling::python
