#include "tests/support/io/lying_pools.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

#include "io/corpus/pool/format/npy_header.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::test {
namespace {

using Lies = std::vector<Lie>;
using Bytes = std::vector<std::byte>;
constexpr std::size_t kHeader = kPoolNpyHeaderBytes;

std::string text_in(const Bytes& bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

Bytes bytes_in(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

struct ArrayOfPool {
  std::string name, descr;
  std::size_t number_bytes;
};

const std::array<ArrayOfPool, 18> kArrays = {{{"indptr.npy", "<i8", 8},
                                              {"indices.npy", "<i4", 4},
                                              {"data.npy", "<f4", 4},
                                              {"by_feature/indptr.npy", "<i8", 8},
                                              {"by_feature/indices.npy", "<i4", 4},
                                              {"by_feature/data.npy", "<f4", 4},
                                              {"document_frequency.npy", "<i4", 4},
                                              {"idf.npy", "<f8", 8},
                                              {"documents/ids.npy", "|u1", 1},
                                              {"documents/ids_indptr.npy", "<i8", 8},
                                              {"documents/texts.npy", "|u1", 1},
                                              {"documents/texts_indptr.npy", "<i8", 8},
                                              {"documents/labels.npy", "<i4", 4},
                                              {"documents/copies.npy", "<i4", 4},
                                              {"documents/originals.npy", "<i4", 4},
                                              {"documents/vectors.npy", "|i1", 1},
                                              {"documents/vector_scales.npy", "<f4", 4},
                                              {"documents/vector_centre.npy", "<f4", 4}}};

std::size_t count_of(const Bytes& bytes, const ArrayOfPool& array) { return (bytes.size() - kHeader) / array.number_bytes; }

void set_header(Bytes& bytes, const std::string& descr, std::int64_t count) {
  const std::string header = pool_npy_header(descr, count);
  std::ranges::copy(std::as_bytes(std::span(header)), bytes.begin());
}

template <typename Number>
void put(Bytes& bytes, const ArrayOfPool& array, std::size_t index, Number number) {
  std::memcpy(bytes.data() + kHeader + index * array.number_bytes, &number, std::min(sizeof number, array.number_bytes));
}

template <typename Number>
Number number_in(const Bytes& bytes, const ArrayOfPool& array, std::size_t index) {
  Number number{};
  std::memcpy(&number, bytes.data() + kHeader + index * array.number_bytes, std::min(sizeof number, array.number_bytes));
  return number;
}

// One number of an array becomes another one.
template <typename Number>
void add_numbers(Lies& lies, const ArrayOfPool& array, const std::vector<Number>& numbers) {
  const std::size_t count = count_of(PoolToTell(sound_pool()).files[array.name], array);
  for (const std::size_t index : {std::size_t{0}, std::size_t{1}, count / 2, count - 1}) {
    for (std::size_t n = 0; n < numbers.size(); ++n) {
      lies.push_back({array.name + ": number " + std::to_string(index) + " is wrong in way " + std::to_string(n),
                      [=](PoolToTell& pool) { put(pool.files[array.name], array, index, numbers[n]); }});
    }
    lies.push_back({array.name + ": number " + std::to_string(index) + " is one more", [=](PoolToTell& pool) {
                      Bytes& bytes = pool.files[array.name];
                      const Number before = number_in<Number>(bytes, array, index);
                      put(bytes, array, index, static_cast<Number>(before + Number{1}));
                    }});
  }
}

void add_wrong_numbers(Lies& lies) {
  using Double = std::numeric_limits<double>;
  using Float = std::numeric_limits<float>;
  for (const ArrayOfPool& array : kArrays) {
    if (array.descr == "<i8") add_numbers<std::int64_t>(lies, array, {-1, 0, std::numeric_limits<std::int64_t>::max()});
    if (array.descr == "<i4") add_numbers<std::int32_t>(lies, array, {-1, 0, std::numeric_limits<std::int32_t>::max()});
    if (array.descr == "<f4") add_numbers<float>(lies, array, {Float::quiet_NaN(), Float::infinity(), 0.25F});
    if (array.descr == "<f8") add_numbers<double>(lies, array, {Double::quiet_NaN(), -Double::infinity(), 0.25});
    if (array.descr == "|u1") add_numbers<std::uint8_t>(lies, array, {0xFF, 0x80, 0});
  }
}

// Changes to the header and the length of an array.
void add_wrong_forms(Lies& lies) {
  for (const ArrayOfPool& array : kArrays) {
    const auto add = [&](const std::string& what, const std::function<void(Bytes&, std::int64_t)>& change) {
      lies.push_back({array.name + ": " + what, [=](PoolToTell& pool) {
                        Bytes& bytes = pool.files[array.name];
                        change(bytes, static_cast<std::int64_t>(count_of(bytes, array)));
                      }});
    };
    const std::string descr = array.descr;
    const std::size_t width = array.number_bytes;
    add("one number less", [=](Bytes& bytes, std::int64_t count) {
      bytes.resize(bytes.size() - width);
      set_header(bytes, descr, count - 1);
    });
    add("one number more", [=](Bytes& bytes, std::int64_t count) {
      bytes.resize(bytes.size() + width);
      set_header(bytes, descr, count + 1);
    });
    add("a header that counts one less", [=](Bytes& bytes, std::int64_t count) { set_header(bytes, descr, count - 1); });
    add("a header that counts far more", [=](Bytes& bytes, std::int64_t) { set_header(bytes, descr, std::int64_t{1} << 60U); });
    add("big-endian", [](Bytes& bytes, std::int64_t) { bytes[21] = std::byte{'>'}; });
    add("numbers of another kind", [](Bytes& bytes, std::int64_t) { bytes[22] = std::byte{'c'}; });
    add("version 2.0", [](Bytes& bytes, std::int64_t) { bytes[6] = std::byte{2}; });
    add("version 1.1", [](Bytes& bytes, std::int64_t) { bytes[7] = std::byte{1}; });
    add("no numbers", [=](Bytes& bytes, std::int64_t) {
      bytes.resize(kHeader);
      set_header(bytes, descr, 0);
    });
    add("no header", [](Bytes& bytes, std::int64_t) { bytes.erase(bytes.begin(), bytes.begin() + kHeader); });
    add("nothing", [](Bytes& bytes, std::int64_t) { bytes.clear(); });
  }
}

void add_wrong_lines(Lies& lies) {
  const std::vector<std::pair<std::string, std::string>> vocabulary = {
      {"too few lines", "a\nb\nc\nd\ne\nf\n"},
      {"too many lines", "a\nb\nc\nd\ne\nf\ng\nh\n"},
      {"no line end", "a\nb\nc\nd\ne\nf\ng"},
      {"lines that do not ascend", "a\nc\nb\nd\ne\nf\ng\n"},
      {"a line twice", "a\na\nc\nd\ne\nf\ng\n"},
      {"bytes that are no character", "a\nb\nc\nd\ne\nf\n\xFF\n"},
      {"an empty first line", "\nb\nc\nd\ne\nf\ng\n"},
      {"nothing", ""},
      {"a control character", "a\nb\nc\nd\ne\x1B[31m\nf\ng\n"}};
  for (const auto& [what, text] : vocabulary) {
    lies.push_back(
        {"vocabulary.txt: " + what, [text = text](PoolToTell& pool) { pool.files["vocabulary.txt"] = bytes_in(text); }});
  }
  for (const auto& [what, text] :
       std::vector<std::pair<std::string, std::string>>{{"a name less", "gardening\n"},
                                                        {"no name", ""},
                                                        {"no line end", "gardening\nsailing"},
                                                        {"names that do not ascend", "sailing\ngardening\n"},
                                                        {"a name twice", "sailing\nsailing\n"},
                                                        {"an empty name", "\nsailing\n"},
                                                        {"bytes that are no character", "gardening\n\xC3\n"}}) {
    lies.push_back({"documents/label_names.txt: " + what,
                    [text = text](PoolToTell& pool) { pool.files["documents/label_names.txt"] = bytes_in(text); }});
  }
}

void add_missing_files(Lies& lies) {
  for (const std::string_view name : kPoolFileNames) {
    lies.push_back(
        {std::string(name) + ": not in the folder", [name](PoolToTell& pool) { pool.files.files().erase(std::string(name)); }});
    lies.push_back({std::string(name) + ": not in the manifest", [name](PoolToTell& pool) {
                      std::erase_if(pool.manifest.files, [name](const FileRecord& file) { return file.name == name; });
                    }});
    lies.push_back({std::string(name) + ": has the contents of another file",
                    [name](PoolToTell& pool) { pool.files[std::string(name)] = pool.files["documents/labels.npy"]; }});
  }
}

void add_wrong_manifests(Lies& lies) {
  for (const std::int64_t number :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{4}, std::int64_t{12}, kMostRowsOrColumns, std::int64_t{1} << 62U}) {
    const std::string told = std::to_string(number);
    const std::int64_t rows = std::min(number, kMostRowsOrColumns);
    lies.push_back({"rows: " + told, [rows](PoolToTell& pool) { pool.manifest.rows = rows; }});
    lies.push_back({"columns: " + told, [rows](PoolToTell& pool) { pool.manifest.columns = rows; }});
    lies.push_back({"nonzeros: " + told, [number](PoolToTell& pool) { pool.manifest.nonzeros = number; }});
  }
  lies.push_back({"files: twice the same", [](PoolToTell& pool) { pool.manifest.files.push_back(pool.manifest.files.back()); }});
  lies.push_back({"files: not in order", [](PoolToTell& pool) { std::swap(pool.manifest.files[0], pool.manifest.files[1]); }});
  lies.push_back({"files: one that no pool has", [](PoolToTell& pool) { pool.manifest.files.push_back({"zzz.npy", 0, {}}); }});
  lies.push_back({"files: a way out of the folder", [](PoolToTell& pool) {
                    pool.manifest.files.push_back({"../secret.npy", 0, {}});
                  }});
  for (const char* const recipe :
       {"{}", R"({"text":[]})", R"({"text":{}})", R"({"text":7})",
        R"({"text":{"token_rule":"words","min_token_length":2,"lower_case":true,"stop_words":[],"shortest_ngram":1,)"
        R"("longest_ngram":1000000,"min_documents":{"count":1},"max_documents":{"share":1},"max_features":null,)"
        R"("term_weight":"raw","idf":"smooth","norm":"l2"}})"}) {
    lies.push_back({std::string("recipe: ") + recipe, [recipe](PoolToTell& pool) { pool.manifest.recipe = recipe; }});
  }
}

// Changes to one of two places that must agree.
void add_disagreements(Lies& lies) {
  lies.push_back({"two values of a row have changed places", [](PoolToTell& pool) {
                    Bytes& bytes = pool.files["data.npy"];
                    std::swap_ranges(bytes.begin() + kHeader, bytes.begin() + kHeader + 4, bytes.begin() + kHeader + 4);
                  }});
  lies.push_back({"two values of a column have changed places", [](PoolToTell& pool) {
                    Bytes& bytes = pool.files["by_feature/data.npy"];
                    std::swap_ranges(bytes.begin() + kHeader, bytes.begin() + kHeader + 4, bytes.begin() + kHeader + 4);
                  }});
  lies.push_back({"the columns are those of no entry", [](PoolToTell& pool) {
                    for (std::size_t n = 0; n < 8; ++n) put(pool.files["by_feature/indptr.npy"], kArrays[3], n, std::int64_t{0});
                  }});
  lies.push_back({"an id begins within a character", [](PoolToTell& pool) {
                    put(pool.files["documents/ids_indptr.npy"], kArrays[9], 5,
                        number_in<std::int64_t>(pool.files["documents/ids_indptr.npy"], kArrays[9], 5) - 1);
                  }});
}

}  // namespace

PoolToTell sound_pool() {
  static const PoolToTell sound = [] {
    const TemporaryFolder folder;
    write_pool(small_pool(), folder.file("P"));
    PoolBytes files(folder.file("P"));
    Manifest manifest = parse_manifest("manifest", text_in(files["manifest.json"]));
    return PoolToTell{std::move(files), std::move(manifest)};
  }();
  return sound;
}

std::vector<Lie> all_lies() {
  Lies lies;
  add_wrong_numbers(lies);
  add_wrong_forms(lies);
  add_wrong_lines(lies);
  add_missing_files(lies);
  add_wrong_manifests(lies);
  add_disagreements(lies);
  return lies;
}

void write_told_pool(const PoolToTell& pool, const std::string& path) {
  namespace fs = std::filesystem;
  fs::remove_all(path);
  for (const char* const folder : {"", "/by_feature", "/documents"}) fs::create_directories(path + folder);
  Manifest manifest = pool.manifest;
  for (FileRecord& record : manifest.files) {
    const auto found = pool.files.files().find(record.name);
    if (found == pool.files.files().end()) continue;
    record.bytes = found->second.size();
    record.checksums = block_checksums(found->second);
  }
  for (const auto& [name, bytes] : pool.files.files()) std::ofstream(path + "/" + name, std::ios::binary) << text_in(bytes);
  std::ofstream(path + "/manifest.json", std::ios::binary) << manifest_text(manifest);
}

}  // namespace inkling::test
