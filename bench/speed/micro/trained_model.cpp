#include "bench/speed/micro/trained_model.hpp"

namespace inkling::bench {

DocumentId any_document(const ExamplePool& pool, RandomStream& random) {
  return static_cast<DocumentId>(random.below(static_cast<std::uint64_t>(pool.by_document.view().rows())));
}

}  // namespace inkling::bench
