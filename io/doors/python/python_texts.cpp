#include "io/doors/python/python_texts.hpp"

#include <array>
#include <charconv>
#include <string_view>

#include "engine/core/errors.hpp"
#include "io/corpus/source/record_parser.hpp"

namespace inkling::python {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 20U;
constexpr std::size_t kMostTexts = 4096;
constexpr std::array<const char*, 4> kParts = {"texts", "ids", "labels", "fields"};

// Requires: Python's lock. Throws FormatError if the text holds half a
// surrogate pair, which no UTF-8 has.
std::string_view utf8_of(PyObject* text, std::size_t part, std::int64_t document) {
  Py_ssize_t size = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(text, &size);
  if (bytes != nullptr) return {bytes, static_cast<std::size_t>(size)};
  PyErr_Clear();
  throw FormatError(std::string(kParts.at(part)) + "[" + std::to_string(document) + "]",
                    "expected text that can be written as UTF-8; it holds half a surrogate pair");
}

}  // namespace

void PythonTexts::append(Chunk& chunk, nanobind::handle document) {
  std::array<std::string_view, kParts.size()> parts;
  for (std::size_t part = 0; part < parts.size(); ++part)
    parts.at(part) = utf8_of(PyTuple_GetItem(document.ptr(), static_cast<Py_ssize_t>(part)), part, documents_);
  if (const RecordVerdict bad = unstorable_label(parts[2]))
    throw FormatError("labels[" + std::to_string(documents_) + "]", bad->expectation);
  const std::size_t title_bytes = PyLong_AsSize_t(PyTuple_GetItem(document.ptr(), static_cast<Py_ssize_t>(parts.size())));
  // Label and fields hold no line end, so they can precede the id.
  std::string name = std::to_string(title_bytes) + '\n';
  for (const std::string_view part : {parts[2], parts[3]}) name.append(part).append("\n");
  chunk.members.push_back({name.append(parts[1]), chunk.bytes.size(), parts[0].size()});
  chunk.bytes.append(parts[0]);
  chunk.bytes.append(" ");
  bytes_ += parts[0].size();
  ++documents_;
}

bool PythonTexts::read(Chunk& chunk) {
  const nanobind::gil_scoped_acquire lock;
  chunk.origin = origin_;
  chunk.bytes.clear();
  chunk.members.clear();
  while (chunk.bytes.size() < kChunkBytes && chunk.members.size() < kMostTexts) {
    const nanobind::object next = nanobind::steal(PyIter_Next(iterator_.ptr()));
    if (!next.is_valid()) {
      if (PyErr_Occurred() != nullptr) throw nanobind::python_error();
      break;
    }
    append(chunk, next);
  }
  return !chunk.members.empty();
}

ChunkOutcome PythonTexts::parse(const Chunk& chunk, const DocumentVisitor& visit) const {
  const std::string_view bytes = chunk.bytes.view();
  for (const Chunk::Member& member : chunk.members) {
    std::string_view name = member.name;
    const auto take_line = [&name] {
      const std::string_view line = name.substr(0, name.find('\n'));
      name.remove_prefix(line.size() + 1);
      return line;
    };
    std::size_t title_bytes = 0;
    const std::string_view title = take_line();
    std::from_chars(title.data(), title.data() + title.size(), title_bytes);
    const std::string_view label = take_line();
    const std::string_view fields = take_line();
    visit({bytes.substr(member.begin, member.size), name, label, title_bytes, fields});
  }
  return {};
}

}  // namespace inkling::python
