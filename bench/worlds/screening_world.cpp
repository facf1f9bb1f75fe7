#include "bench/worlds/screening_world.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <utility>

#include "engine/core/random_stream.hpp"

namespace inkling::bench {
namespace {

DocumentId draw_record(const std::vector<bool>& relevant, bool wanted, RandomStream& random) {
  std::vector<DocumentId> side;
  for (std::size_t record = 0; record < relevant.size(); ++record)
    if (relevant[record] == wanted) side.push_back(static_cast<DocumentId>(record));
  assert(!side.empty());
  return side[static_cast<std::size_t>(random.below(side.size()))];
}

}  // namespace

std::vector<bool> relevant_records(std::span<const std::int32_t> labels, std::int32_t relevant) {
  std::vector<bool> records;
  records.reserve(labels.size());
  for (const std::int32_t label : labels) records.push_back(label == relevant);
  return records;
}

CsrMatrix marks_in_relevant(PoolView pool, const std::vector<bool>& relevant, std::span<const FeatureId> words,
                            std::size_t most) {
  CsrMatrix marks(pool.features());
  for (DocumentId record = 0; record < pool.documents(); ++record) {
    std::vector<FeatureId> marked;
    if (relevant[static_cast<std::size_t>(record)]) {
      const IdView row = pool.by_document.row(record).features;
      for (const FeatureId word : words)
        if (marked.size() < most && std::ranges::binary_search(row, word)) marked.push_back(word);
    }
    std::ranges::sort(marked);
    marks.append_row({marked, std::vector<float>(marked.size(), 1.0F)});
  }
  return marks;
}

ScreeningStart draw_start(const std::vector<bool>& relevant, std::uint64_t seed, std::uint64_t trial) {
  RandomStream random(seed, trial, RandomRole::target);
  const DocumentId wanted = draw_record(relevant, true, random);
  return {wanted, draw_record(relevant, false, random)};
}

World make_screening_world(const Screening& screening, std::uint64_t seed, std::uint64_t trial) {
  const ScreeningStart start = draw_start(screening.relevant, seed, trial);
  std::vector<double> ratings;
  ratings.reserve(screening.relevant.size());
  for (const bool relevant : screening.relevant) ratings.push_back(relevant ? 1.0 : -1.0);
  MarkModel marks = screening.marks ? MarkModel::as_marked(screening.marks, 1.0) : MarkModel(screening.pool.features());
  std::vector<FeatureId> matters = marks.markable();
  return {.pool = screening.pool,
          .rewards = RewardModel::rated(ratings, ratings),
          .marks = std::move(marks),
          .relevant = std::move(matters),
          .pool_owner = nullptr,
          .start = {{}, {start.relevant, start.irrelevant}}};
}

}  // namespace inkling::bench
