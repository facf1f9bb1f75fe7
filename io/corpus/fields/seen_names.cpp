#include "io/corpus/fields/seen_names.hpp"

namespace inkling {

void SeenNames::add(const SeenFields& fields) {
  const std::lock_guard lock(mutex_);
  found_.insert(fields.found.begin(), fields.found.end());
  label_lists_ += fields.label_lists;
  for (const std::string& name : fields.names)
    if (names_.size() < most_names) names_.insert(name);
}

// Names that were not wanted are needed only while a wanted one is missing: for the message.
void SeenNames::note_label(std::size_t index, std::string_view label) {
  if (index < label_seen_.size()) {
    if (!label_seen_[index].load(std::memory_order_relaxed) && !label_seen_[index].exchange(true)) --labels_missing_;
    return;
  }
  if (labels_missing_.load(std::memory_order_relaxed) == 0) return;
  if (label.empty()) {
    unlabelled_.store(true, std::memory_order_relaxed);
    return;
  }
  const std::lock_guard lock(mutex_);
  if (other_labels_.size() < most_names && !other_labels_.contains(label)) other_labels_.emplace(label);
}

bool SeenNames::has_field(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  return found_.contains(name);
}

std::vector<std::string> SeenNames::field_names() const {
  const std::lock_guard lock(mutex_);
  return {names_.begin(), names_.end()};
}

std::vector<std::string> SeenNames::other_labels() const {
  const std::lock_guard lock(mutex_);
  return {other_labels_.begin(), other_labels_.end()};
}

std::int64_t SeenNames::label_lists() const {
  const std::lock_guard lock(mutex_);
  return label_lists_;
}

}  // namespace inkling
