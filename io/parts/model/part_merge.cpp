#include "io/parts/model/part_merge.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/system/interruption.hpp"

namespace inkling {

MergedParts::MergedParts(std::span<const std::string> paths) {
  if (paths.empty()) throw FormatError("parts", "expected at least one");
  for (const std::string& path : paths) {
    throw_if_interrupted();
    parts_.push_back(read_score_part(path));
    check_same(parts_.back());
  }
  std::ranges::stable_sort(parts_, {}, [](const ShardScores& part) { return part.origin.shard; });
  check_shards();
}

void MergedParts::check_same(const ShardScores& part) const {
  const ShardScores& first = parts_.front();
  const auto refuse = [&](std::string_view expectation) {
    throw FormatError(part.path, fmt::format("expected {}, as {} has", expectation, first.path));
  };
  if (part.origin.collection != first.origin.collection || part.origin.shards != first.origin.shards)
    refuse("scores of the same set");
  if (part.origin.model != first.origin.model) refuse("scores by the same model");
  if (part.program_version != first.program_version) refuse("scores by the same version of the program");
  if (part.origin.explains != first.origin.explains)
    refuse(first.origin.explains ? "scores with the words that made them (--explain)"
                                 : "scores without the words that made them");
  if (part.users.offsets != first.users.offsets || part.users.bytes != first.users.bytes) refuse("the same users");
}

void MergedParts::check_shards() const {
  const std::int64_t shards = parts_.front().origin.shards;
  std::int64_t next_row = 0;
  for (std::size_t n = 0; n < parts_.size(); ++n) {
    const PartOrigin& origin = parts_[n].origin;
    if (n > 0 && parts_[n - 1].origin.shard == origin.shard) {
      throw FormatError(parts_[n].path,
                        fmt::format("expected each shard once, found shard {} here and in {}", origin.shard, parts_[n - 1].path));
    }
    if (std::cmp_not_equal(origin.shard, n))
      throw FormatError("parts", fmt::format("expected those of all {} shards of the set, found none of shard {}", shards, n));
    if (origin.first_row != next_row)
      throw FormatError(parts_[n].path, fmt::format("expected rows from {} on, found {}", next_row, origin.first_row));
    next_row += origin.rows;
  }
  if (std::cmp_not_equal(parts_.size(), shards)) {
    throw FormatError("parts",
                      fmt::format("expected those of all {} shards of the set, found none of shard {}", shards, parts_.size()));
  }
}

std::int64_t MergedParts::documents() const { return parts_.back().origin.first_row + parts_.back().origin.rows; }

std::int64_t MergedParts::most() const {
  const auto least = std::ranges::min_element(parts_, {}, [](const ShardScores& part) { return part.origin.top; });
  return least->origin.top;
}

std::vector<std::string> MergedParts::users() const {
  const PackedStrings& packed = parts_.front().users;
  std::vector<std::string> names;
  names.reserve(packed.size());
  for (std::size_t user = 0; user < packed.size(); ++user) names.emplace_back(packed[user]);
  return names;
}

std::vector<MergedParts::Place> MergedParts::best_of(std::size_t user, std::size_t count) const {
  std::vector<Place> places;
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    const auto begin = static_cast<std::size_t>(parts_[part].indptr[user]);
    const auto end = static_cast<std::size_t>(parts_[part].indptr[user + 1]);
    for (std::size_t line = begin; line < std::min(end, begin + count); ++line) places.push_back({part, line});
  }
  const auto scored = [&](const Place& place) {
    const ShardScores& part = parts_[place.part];
    return ScoredDocument{.document = part.documents[place.line], .ucb = part.ucb[place.line]};
  };
  const std::size_t kept = std::min(count, places.size());
  std::ranges::partial_sort(places, places.begin() + static_cast<std::ptrdiff_t>(kept),
                            [&](const Place& left, const Place& right) { return ranks_before(scored(left), scored(right)); });
  places.resize(kept);
  return places;
}

void MergedParts::write(std::int64_t count, ScoreOutput& output) const {
  const std::size_t users = parts_.front().users.size();
  std::vector<std::vector<Place>> best;
  std::vector<std::int64_t> lines;
  best.reserve(users);
  lines.reserve(users);
  for (std::size_t user = 0; user < users; ++user) {
    best.push_back(best_of(user, static_cast<std::size_t>(count)));
    lines.push_back(std::ssize(best.back()));
  }
  output.begin(lines);
  const bool explain = output.options().explain;
  for (std::size_t user = 0; user < users; ++user) {
    throw_if_interrupted();
    for (const Place& place : best[user]) {
      const ShardScores& part = parts_[place.part];
      std::vector<WordShare> words;
      if (explain) words = part.words_of(place.line);
      output.append(user, part.line(place.line, user, explain ? &words : nullptr));
    }
  }
}

}  // namespace inkling
