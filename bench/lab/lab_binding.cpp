// What the laboratory has beyond the package: searches and reviews as worlds, rivals, and the words of sentences.
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bench/rivals/rival_presets.hpp"
#include "bench/worlds/question_words.hpp"
#include "bench/worlds/screening_world.hpp"
#include "bench/worlds/search_world.hpp"
#include "engine/core/errors.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"
#include "io/doors/python/bindings.hpp"
#include "io/doors/python/core_pool.hpp"
#include "io/search/service/asked_words.hpp"
#include "io/search/simulation/topic_words.hpp"
#include "io/search/stopping/good_left.hpp"

namespace inkling::python {
namespace {

namespace nb = nanobind;

using bench::MarkedDocuments, bench::Screening, bench::SearchBeginning, bench::SearchSetting;
using Ids = std::vector<std::int32_t>;
using SharedMarks = std::shared_ptr<CsrMatrix>;

SearchBeginning beginning_named(const std::string& name) {
  if (name == "document") return SearchBeginning::document;
  if (name == "words") return SearchBeginning::words;
  if (name == "nothing") return SearchBeginning::nothing;
  throw FormatError("beginning '" + name + "'", "expected document, words or nothing");
}

void make_setting(SearchSetting* self, const std::string& begins, bool marks_in_all) {
  new (self) SearchSetting{.begins = beginning_named(begins),
                           .marks_in = marks_in_all ? MarkedDocuments::all : MarkedDocuments::rated_good};
}

World search_world(const CorePool& pool, const Ids& topics, const SharedMarks& highlights, const SearchSetting& setting,
                   std::int32_t topic, std::uint64_t seed, std::uint64_t trial) {
  const nb::gil_scoped_release released;
  return bench::make_search_world({pool.view(), topics, highlights.get()}, setting, topic, seed, trial);
}

World screening_world(const CorePool& pool, const std::vector<bool>& relevant, const SharedMarks& marks, std::uint64_t seed,
                      std::uint64_t trial) {
  const nb::gil_scoped_release released;
  return bench::make_screening_world({pool.view(), relevant, marks}, seed, trial);
}

Preset rival(const std::string& name) {
  if (const std::optional<Preset> found = bench::find_any_preset(name)) return *found;
  throw FormatError("policy '" + name + "'", "expected one of rival_names()");
}

std::vector<std::string> rival_names() {
  std::vector<std::string> names;
  for (const Preset& preset : bench::rivals_of_practice()) names.emplace_back(preset.name);
  return names;
}

/// A draw is how many documents it was drawn from, how many had no rating, how many of the others were good, and whether it is.
std::int64_t most_good_left(const std::vector<std::tuple<std::int64_t, std::int64_t, std::int64_t, bool>>& draws,
                            std::int64_t unrated, std::int64_t good_found) {
  std::vector<RandomDraw> drawn;
  drawn.reserve(draws.size());
  for (const auto& [among, unread, good_before, good] : draws) drawn.push_back({among, unread, good_before, good});
  return good_left(drawn, unrated, good_found).at_most;
}

}  // namespace

void bind_lab(nb::module_& module) {
  nb::class_<SearchSetting>(module, "SearchSetting", "A search for one topic.")
      .def("__init__", make_setting, nb::arg("begins"), nb::arg("marks_in_all"))
      .def_rw("first_words", &SearchSetting::first_words)
      .def_rw("largest_share", &SearchSetting::largest_share)
      .def_rw("most_documents", &SearchSetting::most_documents)
      .def_rw("words", &SearchSetting::words)
      .def_rw("mark_probability", &SearchSetting::mark_probability)
      .def_rw("highlights", &SearchSetting::highlights)
      .def_rw("wrong_ratings", &SearchSetting::wrong_ratings)
      .def_rw("misleading_marks", &SearchSetting::misleading_marks)
      .def("size", [](const SearchSetting& setting, std::int64_t documents, std::int64_t of_topic) {
        const bench::SearchSize size = bench::size_of_search(setting, documents, of_topic);
        return std::pair(size.wanted, size.others);
      });
  module.def("search_world", search_world, nb::arg("pool"), nb::arg("topics"), nb::arg("highlights").none(), nb::arg("setting"),
             nb::arg("topic"), nb::arg("seed"), nb::arg("trial"), nb::keep_alive<0, 1>());
  module.def("screening_world", screening_world, nb::arg("pool"), nb::arg("relevant"), nb::arg("marks").none(), nb::arg("seed"),
             nb::arg("trial"), nb::keep_alive<0, 1>());
  module.def("start_of_screening", [](const std::vector<bool>& relevant, std::uint64_t seed, std::uint64_t trial) {
    const bench::ScreeningStart start = bench::draw_start(relevant, seed, trial);
    return std::pair(start.relevant, start.irrelevant);
  });
  module.def("searchable_topics", [](const Ids& topics, std::int64_t fewest, std::uint64_t seed) {
    return bench::searchable_topics(topics, fewest, seed);
  });
  module.def("telling_words", [](const CorePool& pool, const Ids& topics, std::int32_t topic) {
    return telling_words(pool.view(), topics, topic, pool.view().features());
  });
  module.def("marks_in_relevant",
             [](const CorePool& pool, const std::vector<bool>& relevant, const Ids& words, std::size_t most) {
               return std::make_shared<CsrMatrix>(bench::marks_in_relevant(pool.view(), relevant, words, most));
             });
  module.def("checksum", [](const std::string& text) { return checksum_of(std::as_bytes(std::span(text))); });
  module.def("rival", rival, nb::arg("name"));
  module.def("rival_names", rival_names);
  module.def("words_of_sentences", bench::words_of_sentences, nb::arg("path"), nb::arg("sentences"));
  module.attr("proposed_confidence") = kProposedConfidence;
  module.def("most_good_left", most_good_left, nb::arg("draws"), nb::arg("unrated"), nb::arg("good_found"));
}

}  // namespace inkling::python
