// Pools, opened and borrowed.
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "engine/core/check_id.hpp"
#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/corpus/fields/record_head.hpp"
#include "io/corpus/from_text/pool_extension.hpp"
#include "io/doors/python/bindings.hpp"
#include "io/doors/python/core_pool.hpp"
#include "io/doors/python/python_glue.hpp"
#include "io/search/events/pool_fingerprint.hpp"
#include "io/search/events/source_facts.hpp"
#include "io/search/session/text_runs.hpp"

namespace inkling::python {
namespace {

using Arrays = std::tuple<ArrayOut<const std::int64_t>, ArrayOut<const std::int32_t>, ArrayOut<const float>>;

const CorePool& pool_of(nb::handle self) { return nb::cast<const CorePool&>(self); }

// SciPy and NumPy do not check ids, so arrays are checked once more before they get them, in about the time of reading them.
Arrays arrays_of(CsrView matrix, std::string_view file, nb::handle owner) {
  const std::span<const std::int32_t> ids = matrix.features().unchecked();
  const auto most = static_cast<std::uint32_t>(matrix.columns());
  std::uint32_t outside = 0;
  for (const std::int32_t id : ids) outside |= static_cast<std::uint32_t>(id) >= most ? 1U : 0U;
  check_cut_files();
  if (outside != 0) {
    const Pool* const mapped = pool_of(owner).mapped();
    if (mapped == nullptr)
      throw FormatError("X.indices", "expected arrays that stay as they were borrowed, found them written to");
    throw CorruptFileError(pool_file_path(mapped->path(), file), "was changed since it was checked");
  }
  return {lent_array(matrix.offsets(), owner), lent_array(ids, owner), lent_array(matrix.values(), owner)};
}

// The value; throws if a file was shortened, so that the value may be incomplete.
template <typename Value>
Value whole(Value value) {
  check_cut_files();
  return value;
}

std::vector<std::string> strings_in(const std::optional<StringTable>& table) {
  if (!table) return {};
  const std::vector<std::string_view> strings = table->all();
  return whole(std::vector<std::string>(strings.begin(), strings.end()));
}

std::optional<std::string> text_of(const CorePool& pool, DocumentId document) {
  check_id("document", document, pool.view().documents());
  if (pool.mapped() == nullptr || !pool.mapped()->texts()) return std::nullopt;
  return whole(std::string((*pool.mapped()->texts())[document]));
}

// The fields as the pool keeps them; empty if it has none.
std::string fields_of(const CorePool& pool, DocumentId document) {
  check_id("document", document, pool.view().documents());
  if (pool.mapped() == nullptr || !pool.mapped()->fields()) return {};
  return std::string((*pool.mapped()->fields())[document]);
}

// Pieces as (number of bytes, feature or nothing).
std::vector<std::pair<std::size_t, std::optional<FeatureId>>> runs_of(const CorePool& pool, const std::string& text) {
  std::vector<std::pair<std::size_t, std::optional<FeatureId>>> pieces;
  const TermLookup lookup = pool.lookup();
  const auto feature_of = [&](std::string_view term) -> std::optional<FeatureId> {
    const std::optional<KnownTerm> known = lookup(term);
    return known ? std::optional(known->feature) : std::nullopt;
  };
  const std::vector<TextRun> runs = text_runs(text, pool.recipe(), feature_of);
  pieces.reserve(runs.size());
  for (const TextRun& run : runs) pieces.emplace_back(run.piece.size(), run.feature);
  return pieces;
}

std::unique_ptr<CorePool> borrow_rows(const ArrayIn<std::int64_t>& offsets, const ArrayIn<std::int32_t>& features,
                                      const ArrayIn<float>& values, std::int64_t columns) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max() - 1;
  if (columns < 0 || columns > most) throw FormatError("the columns", "expected from 0 to " + std::to_string(most) + " of them");
  const CsrView rows(static_cast<std::int32_t>(columns), span_of(offsets), span_of(features), span_of(values));
  std::unique_ptr<CorePool> pool;
  LongWork().run(0, [&] { pool = std::make_unique<CorePool>(rows); });
  return pool;
}

std::unique_ptr<CorePool> open_pool(const std::string& path, bool trust, bool check) {
  const PoolTrust checks = check ? PoolTrust::renewed : PoolTrust::remembered;
  std::unique_ptr<CorePool> pool;
  LongWork work;
  work.heeds_cut_files = false;
  work.run(0, [&] { pool = std::make_unique<CorePool>(path, trust ? PoolTrust::structure : checks); });
  return pool;
}

void verify(const std::string& path) {
  LongWork work;
  work.run(0, [&] { static_cast<void>(verify_pool(path, [&](std::uint64_t, std::uint64_t) { work.stopped(); })); });
}

}  // namespace

void bind_pool(nb::module_& module) {
  nb::class_<CorePool>(module, "Pool", "A pool, mapped or borrowed.")
      .def_static("open", open_pool, nb::arg("path"), nb::arg("trust") = false, nb::arg("check") = false)
      .def_static("borrow", borrow_rows, nb::arg("offsets").noconvert(), nb::arg("features").noconvert(),
                  nb::arg("values").noconvert(), nb::arg("columns"), nb::keep_alive<0, 1>(), nb::keep_alive<0, 2>(),
                  nb::keep_alive<0, 3>())
      .def_prop_ro("documents", [](const CorePool& pool) { return pool.view().documents(); })
      .def_prop_ro("features", [](const CorePool& pool) { return pool.view().features(); })
      .def_prop_ro("nonzeros", [](const CorePool& pool) { return pool.view().by_document.nonzeros(); })
      .def_prop_ro("is_from_text", &CorePool::is_from_text)
      .def_prop_ro("has_texts",
                   [](const CorePool& pool) { return pool.mapped() != nullptr && pool.mapped()->texts().has_value(); })
      .def("rows", [](nb::handle self) { return arrays_of(pool_of(self).view().by_document, PoolFile::row_features, self); })
      .def("columns", [](nb::handle self) { return arrays_of(pool_of(self).view().by_feature, PoolFile::column_rows, self); })
      .def("column_offsets", [](nb::handle self) { return lent_array(pool_of(self).view().by_feature.offsets(), self); })
      .def("vectors",
           [](nb::handle self) {
             const VectorView vectors = pool_of(self).view().by_document.vectors();
             return std::tuple(lent_array(vectors.codes, self), lent_array(vectors.scales, self), vectors.dimensions);
           })
      .def("idf",
           [](nb::handle self) -> std::optional<ArrayOut<const double>> {
             const Pool* const mapped = pool_of(self).mapped();
             if (mapped == nullptr || mapped->idf().empty()) return std::nullopt;
             return lent_array(mapped->idf(), self);
           })
      .def("recipe", [](const CorePool& pool) { return pool.mapped() == nullptr ? "{}" : pool.mapped()->manifest().recipe; })
      .def("fingerprint",
           [](const CorePool& pool) -> std::optional<std::string> {
             if (pool.mapped() == nullptr) return std::nullopt;
             return pool_fingerprint(pool.mapped()->manifest());
           })
      .def("fingerprints_before",
           [](const CorePool& pool) {
             std::vector<std::string> before;
             if (pool.mapped() == nullptr) return before;
             for (PoolBefore& one : pools_before(pool.mapped()->path(), pool.mapped()->manifest()))
               before.push_back(std::move(one.fingerprint));
             return before;
           })
      .def("vocabulary",
           [](const CorePool& pool) -> std::optional<std::vector<std::string>> {
             if (pool.mapped() == nullptr || !pool.mapped()->vocabulary()) return std::nullopt;
             return strings_in(pool.mapped()->vocabulary());
           })
      .def(
          "feature",
          [](const CorePool& pool, const std::string& word) -> std::optional<FeatureId> {
            return pool.mapped() == nullptr ? std::nullopt : whole(pool.mapped()->feature_of(word));
          },
          nb::arg("word"))
      .def(
          "word",
          [](const CorePool& pool, FeatureId feature) -> std::optional<std::string> {
            check_id("feature", feature, pool.view().features());
            if (pool.mapped() == nullptr || !pool.mapped()->vocabulary()) return std::nullopt;
            return whole(std::string((*pool.mapped()->vocabulary())[feature]));
          },
          nb::arg("feature"))
      .def("ids", [](const CorePool& pool) { return strings_in(pool.mapped() ? pool.mapped()->ids() : std::nullopt); })
      .def("label_names",
           [](const CorePool& pool) {
             return pool.mapped() == nullptr ? std::vector<std::string>() : pool.mapped()->label_names();
           })
      .def("copies",
           [](const CorePool& pool) {
             const RowCopies copies = pool.mapped() == nullptr ? RowCopies() : pool.mapped()->copies();
             return lists_of(copies);
           })
      .def("sources",
           [](const CorePool& pool) {
             JsonWriter json;
             write_source_facts(json, pool.mapped() == nullptr ? std::vector<SourceFacts>() : source_facts(*pool.mapped()));
             return json.take();
           })
      .def("labels",
           [](const CorePool& pool) {
             std::vector<std::int32_t> labels;
             if (pool.mapped() == nullptr || pool.mapped()->labels().empty()) return array_of(std::move(labels));
             for (DocumentId row = 0; row < pool.view().documents(); ++row) {
               const std::optional<std::size_t> label = pool.mapped()->label(row);
               labels.push_back(label ? static_cast<std::int32_t>(*label) : -1);
             }
             return array_of(whole(std::move(labels)));
           })
      .def("text", text_of, nb::arg("document"))
      .def("fields", fields_of, nb::arg("document"))
      .def(
          "head",
          [](const CorePool& pool, DocumentId document) {
            const RecordHead head = record_head(fields_of(pool, document));
            return std::tuple(head.title, head.authors, head.year, head.links);
          },
          nb::arg("document"))
      .def("runs", runs_of, nb::arg("text"))
      .def(
          "term_of",
          [](const CorePool& pool, const std::string& written) {
            std::vector<std::string> tokens;
            for (const ExplainedToken& token : explain_text(written, pool.recipe(), {}).tokens)
              tokens.push_back(token.fate == ExplainedToken::Fate::kept ? token.text : std::string());
            return tokens;
          },
          nb::arg("written"))
      .def(
          "transform",
          [](const CorePool& pool, const std::vector<std::string>& texts) {
            TextRows rows;
            LongWork().run(0, [&] { rows = rows_of_texts(pool, texts); });
            return std::tuple(array_of(std::move(rows.offsets)), array_of(std::move(rows.features)),
                              array_of(std::move(rows.values)));
          },
          nb::arg("texts"));
  module.def("verify", verify, nb::arg("path"));
}

}  // namespace inkling::python
