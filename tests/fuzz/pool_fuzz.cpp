// A whole pool in memory, made and damaged as the input says, with checksums that fit: it gives a CorruptFileError, or it can be
// read from end to end and its columns are its rows transposed. A damaged pool that a record says was checked can also be read
// from end to end.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>

#include "engine/sparse/csr_matrix.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "tests/fuzz/one_thread.hpp"
#include "tests/fuzz/scripted_pool.hpp"

using namespace inkling;  // NOLINT(google-build-using-namespace): a program of one function

namespace {

// Reads all of a table.
std::size_t read(const std::optional<StringTable>& table) {
  std::size_t sum = 0;
  for (std::int64_t row = 0; table && row < table->size(); ++row)
    for (const char byte : (*table)[row]) sum += static_cast<unsigned char>(byte);
  return sum;
}

void demand(bool truth) {
  if (!truth) std::abort();
}

void read_all(const PoolContents& contents) {
  const CsrView rows = contents.matrix.by_document;
  const CsrView columns = contents.matrix.by_feature;
  check_csr(rows.columns(), rows.offsets(), rows.features(), rows.values());
  const CsrMatrix expected = transposed(rows);
  const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
  demand(std::ranges::equal(expected.view().offsets(), columns.offsets()));
  demand(std::ranges::equal(expected.view().features(), columns.features()));
  demand(std::ranges::equal(expected.view().values(), columns.values(), {}, bits, bits));
  for (const std::int32_t label : contents.labels)
    demand(label == -1 || static_cast<std::size_t>(label) < contents.label_names.size());
  demand(read(contents.vocabulary) + read(contents.ids) + read(contents.texts) < (std::size_t{1} << 40U));
}

bool is_refused(const PoolFiles& files) {
  try {
    static_cast<void>(checked_contents("fuzz", files, CheckExtent::structure));
    return false;
  } catch (const CorruptFileError&) {
    return true;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::use_one_thread();
  fuzz::Script script(std::span(data, size));
  const fuzz::ScriptedPool pool = fuzz::scripted_pool(script);
  PoolFiles view;
  for (const auto& [name, bytes] : pool.files) view.emplace(name, bytes);
  try {
    static_cast<void>(test::scan_of(checked_contents("fuzz", view, CheckExtent::outline)));
  } catch (const CorruptFileError&) {
    demand(is_refused(view));  // the whole check must refuse whatever the check of the outline refuses
    return 0;
  }
  try {
    read_all(checked_contents("fuzz", view, pool.trusts() ? CheckExtent::structure : CheckExtent::everything));
  } catch (const CorruptFileError&) {
    return 0;
  }
  return 0;
}
