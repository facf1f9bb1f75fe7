#include "io/matrix/matrix_source.hpp"

#include "engine/core/errors.hpp"
#include "io/matrix/npz_source.hpp"
#include "io/matrix/text_matrix_source.hpp"

namespace inkling {

std::unique_ptr<MatrixSource> open_matrix_source(const std::vector<std::string>& paths,
                                                 const MatrixSourceOptions& options) {
  if (options.format == MatrixFormat::svmlight) return std::make_unique<SvmlightSource>(paths, options);
  if (paths.size() > 1) throw FormatError(paths[1], "expected one file for a matrix, found a second");
  if (options.format == MatrixFormat::matrix_market)
    return std::make_unique<MatrixMarketSource>(paths, options);
  const UnpackingLimits limits = {.most_expansion = options.most_expansion,
                                  .most_unpacked_bytes = options.most_unpacked_bytes};
  return std::make_unique<NpzSource>(std::make_unique<ZipMembers>(paths.at(0), limits));
}

}  // namespace inkling
