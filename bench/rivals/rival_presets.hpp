// The algorithms of others, as presets beside those of the engine.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "bench/rivals/classifier_learner.hpp"
#include "bench/rivals/rocchio_learner.hpp"
#include "engine/policy/presets.hpp"

namespace inkling::bench {

/// A preset of a classifier with these options, for the rivals below and for variants of them. Lifetime:
/// lends name and summary.
[[nodiscard]] Preset classifier_rival(std::string_view name, std::string_view summary, const ClassifierLearnerOptions& options);

/// Algorithm 1 of Cormack and Grossman (2015), the baseline of the TREC Total Recall track: logistic
/// regression with a small penalty (their Sofia-ML: 1e-4 a document; here a cost of 100), in each training
/// 100 documents that nobody has read as examples of what is useless, and batches of B documents, after each
/// of which B grows by B/10 rounded up. The first wanted document is given to it, or found at random.
[[nodiscard]] Preset autotar();

/// ASReview 3: LinearSVC with a cost of 0.11, wanted documents weighing 9.8 times as much as the others
/// together, a new training after every document. Before it has seen both sides it shows documents at random;
/// ASReview itself shows them in the order of the file, which says what is wanted where files are sorted by
/// topic. The package makes its own features, of words and pairs of words: `beyond reviews` runs it. Here it
/// has those of the pool, so a pool of `inkling build --tf sublinear --ngrams 1,2` comes nearest to it.
[[nodiscard]] Preset asreview();

/// scikit-learn's LogisticRegression and LinearSVC with a cost of 1, always the best document.
[[nodiscard]] Preset greedy_logistic();
[[nodiscard]] Preset greedy_svm();

[[nodiscard]] Preset rocchio();

/// Two ways to learn from marks, trained after every rating. Cost and margin of `contrast` are the best for
/// the search of a topic of 20 Newsgroups among twelve settings that were tried: a margin of 0.03, 0.1 and 0.3, at a
/// tenth of and at the cost of a document, and a cost of documents of 0.1 and 1.
[[nodiscard]] Preset word_documents();
[[nodiscard]] Preset contrast();

/// The seven above: methods in practical use, and known ways to learn from marked words.
[[nodiscard]] std::vector<Preset> rivals_of_practice();

/// The presets of the engine, then the rivals.
[[nodiscard]] std::vector<Preset> all_presets();

/// Finds a preset of `all_presets` by its name.
[[nodiscard]] std::optional<Preset> find_any_preset(std::string_view name);

}  // namespace inkling::bench
