// What every target has beside its parser: the mutations that libFuzzer does not make, and a limit on memory.
#include "tests/fuzz/mutator.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>

#include <malloc.h>

extern "C" int inkling_test_one_input(const std::uint8_t* data, std::size_t size);  // by the target
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  constexpr unsigned of_our_own = 8;  // one mutation in so many: long inputs are slow
  if (seed % of_our_own != 0) return LLVMFuzzerMutate(data, size, most);
  const std::string made =
      inkling::fuzz::Mutation(std::string(reinterpret_cast<const char*>(data), size), most, seed / of_our_own).make();
  std::memcpy(data, made.data(), made.size());
  return made.size();
}

// Memory that an input uses at once, by the operators of C++. More than an input of some 100 KB can need is a finding: so it is one at
// the same input on every machine.
namespace {

constexpr std::size_t kMostInUse = std::size_t{96} << 20U;
std::atomic<std::size_t> in_use = 0;
std::size_t in_use_before = 0;  // the input
bool is_found = false;          // then libFuzzer needs memory to write the input

void* counted(std::size_t bytes) {
  void* const memory = std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  in_use += ::malloc_usable_size(memory);
  if (in_use > in_use_before + kMostInUse && !std::exchange(is_found, true)) {
    static_cast<void>(std::fputs("the input takes more memory than any should\n", stderr));
    std::abort();
  }
  return memory;
}

void uncounted(void* memory) {
  in_use -= ::malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t bytes) { return counted(bytes); }
void* operator new[](std::size_t bytes) { return counted(bytes); }
// AddressSanitizer has these, too, and would find what they gave to be freed by another.
void* operator new(std::size_t bytes, const std::nothrow_t& /*no_throw*/) noexcept { return counted(bytes); }
void* operator new[](std::size_t bytes, const std::nothrow_t& /*no_throw*/) noexcept { return counted(bytes); }
void operator delete(void* memory) noexcept { uncounted(memory); }
void operator delete[](void* memory) noexcept { uncounted(memory); }
void operator delete(void* memory, std::size_t /*bytes*/) noexcept { uncounted(memory); }
void operator delete[](void* memory, std::size_t /*bytes*/) noexcept { uncounted(memory); }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t longest_kept =
      4096;  // longer inputs are tried, but changed no further: each takes as long as a hundred others
  constexpr int not_kept = -1;
  in_use_before = in_use;
  const int done = inkling_test_one_input(data, size);
  return size > longest_kept ? not_kept : done;
}
