#include "io/corpus/pool/open/opened_pool.hpp"

#include "engine/core/errors.hpp"
#include "io/corpus/pool/open/joined_pool.hpp"

namespace inkling {
namespace {

std::optional<std::string_view> string_at(const std::optional<StringTable>& table, std::int64_t row) {
  if (!table || row < 0 || row >= table->size() || !table->has(row)) return std::nullopt;
  return (*table)[row];
}

}  // namespace

OpenedPool::OpenedPool(const std::string& path)
    : path_(path), whole_(std::make_unique<const WholePool>(path, PoolTrust::checksums)) {}
OpenedPool::~OpenedPool() = default;
OpenedPool::OpenedPool(OpenedPool&&) noexcept = default;
OpenedPool& OpenedPool::operator=(OpenedPool&&) noexcept = default;

const std::string& OpenedPool::path() const& { return path_; }
PoolView OpenedPool::view() const& { return whole_->pool().view(); }
std::optional<std::string> OpenedPool::id(DocumentId document) const { return whole_->pool().id(document); }

std::optional<std::string_view> OpenedPool::text(DocumentId document) const& {
  return string_at(whole_->pool().texts(), document);
}

std::optional<std::string_view> OpenedPool::label(DocumentId document) const& {
  const std::span<const std::int32_t> labels = whole_->pool().labels();
  const auto at = static_cast<std::size_t>(document);
  if (at >= labels.size() || labels[at] < 0) return std::nullopt;
  return whole_->pool().label_names()[static_cast<std::size_t>(labels[at])];
}

std::optional<std::string_view> OpenedPool::word(FeatureId feature) const& {
  return string_at(whole_->pool().vocabulary(), feature);
}

std::optional<FeatureId> OpenedPool::feature_of(std::string_view word) const { return whole_->pool().feature_of(word); }

void OpenedPool::check_unchanged() const { whole_->pool().check_unchanged(); }

}  // namespace inkling
