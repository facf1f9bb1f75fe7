#include <utility>

#include "io/pool/open/pool.hpp"
#include "io/pool/set/pool_member.hpp"

namespace inkling {
namespace {

class MappedMember final : public PoolMember {
 public:
  explicit MappedMember(Pool pool) : pool_(std::move(pool)) {}

  [[nodiscard]] const std::string& path() const override { return pool_.path(); }
  [[nodiscard]] const Manifest& manifest() const override { return pool_.manifest(); }
  [[nodiscard]] const std::optional<StringTable>& vocabulary() const override { return pool_.vocabulary(); }
  void drop_vocabulary() override {}

  [[nodiscard]] CsrMatrix row(DocumentId row) const override {
    CsrMatrix one(pool_.view().features());
    one.append_row(pool_.view().by_document.row(row));
    return one;
  }
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> postings_of(FeatureId feature) const override {
    const auto at = static_cast<std::size_t>(feature);
    const std::span<const std::int64_t> offsets = pool_.view().by_feature.offsets();
    return {offsets[at], offsets[at + 1]};
  }
  [[nodiscard]] std::optional<std::string> id(DocumentId row) const override {
    if (!pool_.ids()) return std::nullopt;
    return std::string((*pool_.ids())[row]);
  }
  [[nodiscard]] const Pool* mapped() const override { return &pool_; }
  [[nodiscard]] const ReadPool* read() const override { return nullptr; }

 private:
  Pool pool_;
};

}  // namespace

std::unique_ptr<PoolMember> map_member(const std::string& path, PoolTrust trust) {
  return std::make_unique<MappedMember>(Pool::open(path, trust));
}

}  // namespace inkling
