#include "io/session/session_writer.hpp"

#include <span>
#include <utility>

namespace inkling {

void SessionWriter::append(const SessionBatch& batch) {
  Waiting mine = {batch};
  std::unique_lock lock(mutex_);
  queue_.push_back(&mine);
  changed_.wait(lock, [&] { return mine.done || !busy_; });
  if (!mine.done) {
    busy_ = true;
    const std::vector<Waiting*> group = std::exchange(queue_, {});  // with this one
    lock.unlock();
    append_all(group);
    lock.lock();
    for (Waiting* const waiting : group) waiting->done = true;
    busy_ = false;
    changed_.notify_all();
  }
  if (mine.failure) std::rethrow_exception(mine.failure);
}

void SessionWriter::append_all(const std::vector<Waiting*>& group) noexcept {
  if (group.size() > 1) {
    try {
      std::vector<SessionBatch> batches;
      batches.reserve(group.size());
      for (const Waiting* const waiting : group) batches.push_back(waiting->batch);
      file_.append(batches);
      return;
    } catch (...) {
      // Nothing of them was kept; which of them are to blame shows when each is tried alone.
    }
  }
  for (Waiting* const waiting : group) append_one(*waiting);
}

void SessionWriter::append_one(Waiting& waiting) noexcept {
  try {
    file_.append(std::span(&waiting.batch, 1));
  } catch (...) {
    waiting.failure = std::current_exception();
  }
}

SessionWriter::Turn::Turn(SessionWriter& writer) : writer_(writer) {
  std::unique_lock lock(writer_.mutex_);
  writer_.changed_.wait(lock, [this] { return !writer_.busy_; });
  writer_.busy_ = true;
}

SessionWriter::Turn::~Turn() {
  const std::scoped_lock lock(writer_.mutex_);
  writer_.busy_ = false;
  writer_.changed_.notify_all();
}

}  // namespace inkling
