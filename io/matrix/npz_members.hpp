// The arrays in a zip file of NumPy, each to be read on its own.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "io/source/archive_reader.hpp"
#include "io/source/byte_stream.hpp"

namespace inkling {

/// The arrays of a matrix by name, each to be read on its own, side by side.
class NpzMembers {
 public:
  NpzMembers() = default;
  virtual ~NpzMembers() = default;
  NpzMembers(const NpzMembers&) = delete;
  NpzMembers& operator=(const NpzMembers&) = delete;

  /// As messages name the file.
  [[nodiscard]] virtual const std::string& path() const = 0;
  /// The bytes of "NAME.npy"; null where there is none.
  [[nodiscard]] virtual std::unique_ptr<InputStream> open(std::string_view name) = 0;
  /// Of the file.
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};

/// Those of a zip file.
class ZipMembers final : public NpzMembers {
 public:
  ZipMembers(std::string path, UnpackingLimits limits);

  [[nodiscard]] const std::string& path() const override { return path_; }
  [[nodiscard]] std::unique_ptr<InputStream> open(std::string_view name) override;
  [[nodiscard]] std::uint64_t bytes() const override { return bytes_; }

 private:
  std::string path_;
  UnpackingLimits limits_;
  std::uint64_t bytes_;
};

}  // namespace inkling
