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
  std::span<const std::int32_t>
      labels;  // of each row an index of the names or -1; empty where there are none
  std::span<const std::string> label_names;
};

/// Values are the shortest decimals that read back the same float32. The file
/// is not closed. Each throws SystemError.

/// One row a line, features from 1. Labels are written as they are where all of them are numbers, or lists of
/// numbers between commas; otherwise as their index counted from 1. A row without a label has 0.
void export_svmlight(const ExportedMatrix& matrix, OutputFile& file);

/// Format coordinate, real, general; entries by row. There is no place for labels.
void export_matrix_market(const ExportedMatrix& matrix, OutputFile& file);

/// A csr matrix as scipy.sparse.save_npz writes it, not compressed. There is no place for labels.
void export_npz(const ExportedMatrix& matrix, OutputFile& file);

}  // namespace inkling
