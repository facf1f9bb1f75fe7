#include "bench/paper/data/topic_oracle.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "engine/core/errors.hpp"

namespace inkling::bench {
namespace {

using Fits = std::vector<const SparseLogisticFit*>;

std::vector<FeatureId> union_of(const Fits& fits) {
  std::set<FeatureId> all;
  for (const SparseLogisticFit* fit : fits) all.insert(fit->support.begin(), fit->support.end());
  return {all.begin(), all.end()};
}

/// The regressions of all topics, with supports of one size.
class Search {
 public:
  Search(CsrView documents, std::span<const std::int32_t> labels, const std::vector<std::string>& topics, const OracleSize& size,
         const std::function<void()>& check_interruption)
      : topics_(topics), size_(size), check_interruption_(check_interruption) {
    for (std::size_t topic = 0; topic < topics.size(); ++topic)
      paths_.emplace_back(OneAgainstRest{documents, labels, static_cast<std::int32_t>(topic)});
  }

  /// One fit for each topic. All supports have one size, or some the next smaller one, so that their union comes nearest to the
  /// wanted size.
  [[nodiscard]] Fits best() {
    const std::size_t size = smallest_sufficient_size();
    const Fits larger = fits_near(size);
    const Fits smaller = size > size_.topic.least ? fits_near(size - 1) : larger;
    Fits found = larger;
    for (std::size_t topic = 0; topic < topics_.size(); ++topic) {
      Fits with_smaller = found;
      with_smaller[topic] = smaller[topic];
      if (distance_to_wanted(with_smaller) < distance_to_wanted(found)) found = with_smaller;
    }
    return found;
  }

 private:
  /// The smallest size with which the union is as large as wanted, or the largest allowed. The union grows by about as many words
  /// as the supports together, so a few steps find it.
  [[nodiscard]] std::size_t smallest_sufficient_size() {
    std::size_t low = size_.topic.least;
    std::size_t high = size_.topic.most;
    std::size_t size = std::clamp(size_.all_topics / topics_.size(), low, high);
    while (low < high) {
      size = std::clamp(size, low, high - 1);
      const std::size_t all = union_of(fits_near(size)).size();
      const std::size_t steps = std::max<std::size_t>(1, sizes_apart(all, size_.all_topics) / topics_.size());
      if (all < size_.all_topics) {
        low = size + 1;
        size += steps;
      } else {
        high = size;
        size -= std::min(size, steps);
      }
    }
    return low;
  }

  [[nodiscard]] Fits fits_near(std::size_t wanted) {
    Fits fits;
    for (std::size_t topic = 0; topic < topics_.size(); ++topic) {
      check_interruption_();
      fits.push_back(paths_[topic].support_between(size_.topic, wanted));
      if (fits.back() == nullptr) {
        throw FormatError(topics_[topic], fmt::format("expected a topic that an L1 logistic regression tells from the others by "
                                                      "{} to {} features, found none near {}",
                                                      size_.topic.least, size_.topic.most, wanted));
      }
    }
    return fits;
  }

  [[nodiscard]] std::size_t distance_to_wanted(const Fits& fits) const {
    return sizes_apart(union_of(fits).size(), size_.all_topics);
  }

  const std::vector<std::string>& topics_;
  const OracleSize& size_;
  const std::function<void()>& check_interruption_;
  std::vector<SupportPath> paths_;
};

}  // namespace

TopicOracle find_topic_oracle(CsrView documents, std::span<const std::int32_t> labels, const std::vector<std::string>& topics,
                              const OracleSize& size, const std::function<void()>& check_interruption) {
  Search search(documents, labels, topics, size, check_interruption);
  const Fits fits = search.best();
  TopicOracle oracle;
  oracle.words_of_all = union_of(fits);
  oracle.facts =
      "An L1 logistic regression of each topic against the others, with penalties at which the topics "
      "keep about equally many features: ";
  for (std::size_t topic = 0; topic < topics.size(); ++topic) {
    oracle.words.push_back(fits[topic]->support);
    oracle.facts += (topic == 0 ? "" : "; ") + fit_facts(topics[topic], *fits[topic]);
  }
  oracle.facts += fmt::format(". Together {} features.", oracle.words_of_all.size());
  return oracle;
}

std::string fit_facts(const std::string& topic, const SparseLogisticFit& fit) {
  return fmt::format("{} {} features at penalty {:.4g} ({} speak for it; {:.1f} % of the documents on their side)", topic,
                     fit.support.size(), fit.penalty,
                     std::ranges::count_if(fit.weights, [](double weight) { return weight > 0.0; }), 100.0 * fit.accuracy);
}

}  // namespace inkling::bench
