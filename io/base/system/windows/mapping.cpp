#include "io/base/system/mapping.hpp"

#include <cerrno>
#include <memory>

#include "io/base/system/faults.hpp"
#include "io/base/system/windows/handles.hpp"

namespace inkling {

const std::byte* map_file(const File& file, std::size_t /*bytes*/) noexcept {
  const Fault fault = fault_of(SystemCall::map, "");
  if (fault.error != 0) return errno = fault.error, nullptr;
  const OwnedHandle mapping(::CreateFileMappingW(handle_of(file), nullptr, PAGE_READONLY, 0, 0, nullptr));
  if (!mapping) return failed(), nullptr;
  const void* const address = ::MapViewOfFile(mapping.get(), FILE_MAP_READ, 0, 0, 0);
  if (address == nullptr) failed();
  return static_cast<const std::byte*>(address);
}

void unmap_file(const std::byte* mapped, std::size_t /*bytes*/) noexcept { ::UnmapViewOfFile(mapped); }

// A file that is mapped cannot be cut here.
const char* mapped_path_at(const void* /*address*/) noexcept { return nullptr; }
void on_cut_file(void (* /*handle*/)(const char* path)) noexcept {}
void note_mapped(const std::byte* /*bytes*/, std::size_t /*size*/, const std::string& /*path*/) {}
void forget_mapped(const std::byte* /*bytes*/) noexcept {}
void outlive_cut_files() {}
bool has_cut_files() noexcept { return false; }
std::optional<std::string> cut_file() { return std::nullopt; }

}  // namespace inkling
