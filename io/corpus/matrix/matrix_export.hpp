// Writes a pool's matrix in the formats of other programs.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "engine/sparse/csr_view.hpp"
#include "io/base/file/output_file.hpp"

namespace inkling {

/// Lifetime: lends what a pool owns. Pass by value.
struct ExportedMatrix {
  CsrView rows;
  std::span<const std::int32_t> labels;  // by row: an index of the names, or -1; empty if no row has a label
  std::span<const std::string> label_names;
};

/// Text has values as the shortest decimals that read back as the same float32. No function closes the file; each throws
/// SystemError.

/// One row a line, features from 1. If all labels are numbers, or lists of numbers between commas, they are written as
/// they are; otherwise by their index, counted from 1. A row without a label gets 0.
void export_svmlight(const ExportedMatrix& matrix, OutputFile& file);

/// Format coordinate, real, general; entries by row. There is no place for labels.
void export_matrix_market(const ExportedMatrix& matrix, OutputFile& file);

/// A csr matrix as scipy.sparse.save_npz writes it, not compressed. There is no place for labels.
void export_npz(const ExportedMatrix& matrix, OutputFile& file);

/// The vectors of documents as an array of float32 of NumPy's format, a row each; zeros where a document has none.
void export_vectors(VectorView vectors, OutputFile& file);

}  // namespace inkling
