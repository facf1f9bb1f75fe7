// An example program that opens a pool of `inkling build`, and prints its size:
//   open_pool POOL
#include <cstdio>
#include <exception>

#include <inkling/pool.hpp>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: open_pool POOL\n");
    return 2;
  }
  try {
    const inkling::OpenedPool pool(argv[1]);
    const inkling::PoolView view = pool.view();
    std::printf("%lld documents, %lld features, %lld non-zeros\n", static_cast<long long>(view.documents()),
                static_cast<long long>(view.features()), static_cast<long long>(view.by_document.nonzeros()));
    if (const auto id = pool.id(0)) std::printf("the first one is %s\n", id->c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "open_pool: %s\n", error.what());
    return 1;
  }
}
