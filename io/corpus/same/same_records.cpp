#include "io/corpus/same/same_records.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace inkling {
namespace {

enum class Link { doi, pmid, title, text };

constexpr std::size_t kIdentitiesRead = std::size_t{1} << 14U;
// A record is compared with so many clusters of one key: with more, its title is that of a series.
constexpr std::size_t kMostClusters = 64;

template <typename Value>
bool differ(Value one, Value other) {
  return one != 0 && other != 0 && one != other;
}
template <typename Value>
bool agree(Value one, Value other) {
  return one != 0 && one == other;
}

bool have_common_author(const RecordIdentity& one, const RecordIdentity& other) {
  return one.author[0] != 0 && std::ranges::find_first_of(one.author, other.author) != one.author.end();
}
bool authors_differ(const RecordIdentity& one, const RecordIdentity& other) {
  return one.author[0] != 0 && other.author[0] != 0 && !have_common_author(one, other);
}

// Whether the years of two records of one title let them be one: journals print some papers in the year after they came out.
bool years_agree(const RecordIdentity& one, const RecordIdentity& other) {
  if (agree(one.year, other.year)) return true;
  if (one.year == 0 || other.year == 0) return agree(one.page, other.page) || have_common_author(one, other);
  return agree(one.page, other.page) && std::max(one.year, other.year) - std::min(one.year, other.year) == 1;
}

// Whether two records that share the key of a link are one.
bool are_one(Link link, const RecordIdentity& one, const RecordIdentity& other) {
  if (differ(one.doi, other.doi)) return false;
  // All abstracts of a congress may have the DOI of their supplement.
  const bool are_two_works = differ(one.title, other.title) && authors_differ(one, other);
  if (link == Link::doi || link == Link::pmid) return !are_two_works;
  if (differ(one.pmid, other.pmid) && !agree(one.doi, other.doi)) return false;
  if (authors_differ(one, other) || (differ(one.page, other.page) && differ(one.volume, other.volume))) return false;
  const bool is_short = one.has(RecordIdentity::kShortTitle) || other.has(RecordIdentity::kShortTitle);
  if (link == Link::title) return years_agree(one, other) && (!is_short || agree(one.page, other.page));
  if (one.has(RecordIdentity::kAbstract) && other.has(RecordIdentity::kAbstract)) return true;
  if (differ(one.year, other.year)) return false;
  return !is_short || agree(one.page, other.page) || !(one.says_where() || other.says_where());
}

int evidence(const RecordIdentity& one, const RecordIdentity& other) {
  return 4 * static_cast<int>(agree(one.doi, other.doi)) + 2 * static_cast<int>(agree(one.page, other.page)) +
         static_cast<int>(agree(one.volume, other.volume)) + static_cast<int>(have_common_author(one, other));
}

StringMark key_of(Link link, const RecordIdentity& record) {
  switch (link) {
    case Link::doi: return {0, record.doi};
    case Link::pmid: return {0, record.pmid};
    case Link::title: return {0, record.title};
    case Link::text: break;
  }
  return {};
}

// The clusters of some rows, each with what its records say together.
class Clusters {
 public:
  Clusters(std::vector<std::int64_t> rows, std::uint64_t all_rows, const ReadIdentities& read) : rows_(std::move(rows)) {
    std::vector<RecordIdentity> some(kIdentitiesRead);
    for (std::size_t at = 0; at < rows_.size();) {
      const auto first = static_cast<std::uint64_t>(rows_[at]);
      const auto read_now =
          std::span(some).first(static_cast<std::size_t>(std::min<std::uint64_t>(some.size(), all_rows - first)));
      read(first, read_now);
      for (; at < rows_.size() && static_cast<std::uint64_t>(rows_[at]) < first + read_now.size(); ++at)
        identities_.push_back(read_now[static_cast<std::size_t>(rows_[at]) - first]);
    }
    extents_.reserve(rows_.size());
    for (const RecordIdentity& identity : identities_) extents_.push_back(identity.extent);
    parents_.resize(rows_.size());
    for (std::size_t n = 0; n < parents_.size(); ++n) parents_[n] = n;
  }

  // Requires: pairs of rows and the first row of their key.
  void link(Link link, const CopiedSetRows& pairs) {
    std::vector<std::pair<std::int64_t, std::int64_t>> by_key;
    for (std::size_t n = 0; n < pairs.rows.size(); ++n) by_key.emplace_back(pairs.originals[n], pairs.rows[n]);
    std::ranges::sort(by_key);
    std::vector<std::size_t> clusters;
    for (std::size_t n = 0; n < by_key.size(); ++n) {
      if (n == 0 || by_key[n].first != by_key[n - 1].first) clusters = {root_of(by_key[n].first)};
      take(link, root_of(by_key[n].second), clusters);
    }
  }

  [[nodiscard]] CopiedSetRows copies() {
    std::vector<std::size_t> offered(rows_.size(), rows_.size());  // by root
    for (const bool needs_abstract : {true, false})
      for (std::size_t n = 0; n < rows_.size(); ++n) {
        std::size_t& chosen = offered[root(n)];
        const bool may_be = !needs_abstract || (extents_[n] & RecordIdentity::kAbstract) != 0;
        if (chosen == rows_.size() && may_be) chosen = n;
      }
    CopiedSetRows found;
    for (std::size_t n = 0; n < rows_.size(); ++n)
      if (const std::size_t chosen = offered[root(n)]; chosen != n) found.add(rows_[n], rows_[chosen]);
    return found;
  }

 private:
  [[nodiscard]] std::size_t root_of(std::int64_t row) {
    return root(static_cast<std::size_t>(std::ranges::lower_bound(rows_, row) - rows_.begin()));
  }
  [[nodiscard]] std::size_t root(std::size_t n) {
    while (parents_[n] != n) n = parents_[n] = parents_[parents_[n]];
    return n;
  }

  // Joins the cluster with the one of those with its key that it agrees with most, or makes it another one of these.
  void take(Link link, std::size_t cluster, std::vector<std::size_t>& clusters) {
    std::optional<std::size_t> best;
    for (std::size_t& other : clusters) {
      other = root(other);
      if (other == cluster) return;
      if (!are_one(link, identities_[other], identities_[cluster])) continue;
      if (!best || evidence(identities_[other], identities_[cluster]) > evidence(identities_[*best], identities_[cluster]))
        best = other;
    }
    if (best)
      unite(std::min(*best, cluster), std::max(*best, cluster));
    else if (clusters.size() < kMostClusters)
      clusters.push_back(cluster);
  }

  void unite(std::size_t to, std::size_t from) {
    parents_[from] = to;
    RecordIdentity& whole = identities_[to];
    const RecordIdentity& part = identities_[from];
    const auto fill = [](auto& value, const auto& other) {
      if (value == std::remove_reference_t<decltype(value)>{}) value = other;
    };
    fill(whole.doi, part.doi);
    fill(whole.pmid, part.pmid);
    fill(whole.title, part.title);
    fill(whole.author, part.author);
    fill(whole.volume, part.volume);
    fill(whole.page, part.page);
    fill(whole.year, part.year);
  }

  std::vector<std::int64_t> rows_;
  std::vector<RecordIdentity> identities_;  // of a root: of its cluster
  std::vector<std::uint32_t> extents_;      // of the rows themselves
  std::vector<std::size_t> parents_;
};

}  // namespace

CopiedSetRows same_records(std::uint64_t rows, const ReadMarks& texts, const ReadIdentities& identities, SameBy by,
                           std::uint64_t memory) {
  std::vector<RecordIdentity> some;
  const auto keys_of = [&](Link link) -> ReadMarks {
    if (link == Link::text) return texts;
    return [&, link](std::uint64_t first, std::span<StringMark> marks) {
      some.resize(marks.size());
      identities(first, some);
      std::ranges::transform(some, marks.begin(), [link](const RecordIdentity& record) { return key_of(link, record); });
    };
  };
  // By DOI first, so that no other link decides which DOI a cluster has.
  std::vector<std::pair<Link, CopiedSetRows>> linked;
  std::vector<std::int64_t> involved;
  for (const auto& [link, is_on] : {std::pair(Link::doi, by.doi), std::pair(Link::pmid, by.pmid),
                                    std::pair(Link::title, by.title), std::pair(Link::text, by.text)}) {
    if (!is_on) continue;
    const CopiedSetRows& pairs = linked.emplace_back(link, repeated_marks(rows, keys_of(link), memory)).second;
    involved.insert(involved.end(), pairs.rows.begin(), pairs.rows.end());
    involved.insert(involved.end(), pairs.originals.begin(), pairs.originals.end());
  }
  std::ranges::sort(involved);
  const auto again = std::ranges::unique(involved);
  involved.erase(again.begin(), again.end());
  Clusters clusters(std::move(involved), rows, identities);
  for (const auto& [link, pairs] : linked) clusters.link(link, pairs);
  return clusters.copies();
}

}  // namespace inkling
