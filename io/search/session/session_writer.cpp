#include "io/search/session/session_writer.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <new>
#include <ranges>
#include <span>
#include <vector>

namespace inkling {

SessionWriter::SessionWriter(SessionFile file) : file_(std::move(file)) {
  file_.checkpoints_when_told();
  checkpointer_ = std::jthread([this](const std::stop_token& stop) { checkpoint_until(stop); });
}

void SessionWriter::tell_checkpointer() {
  {
    const std::scoped_lock lock(mutex_);
    if (std::exchange(is_behind_, true)) return;
  }
  behind_.notify_one();
}

// Waits a quarter of a second before each checkpoint, so that one checkpoint moves all events of that time.
void SessionWriter::checkpoint_until(const std::stop_token& stop) {
  constexpr std::chrono::milliseconds waits(250);
  while (true) {
    {
      std::unique_lock lock(mutex_);
      if (!behind_.wait(lock, stop, [this] { return is_behind_; })) return;
      if (behind_.wait_for(lock, stop, waits, [] { return false; }); stop.stop_requested()) return;
      is_behind_ = false;
    }
    bool is_whole = false;
    try {
      const Turn turn(*this);
      is_whole = file_.checkpoint();
    } catch (const std::bad_alloc&) {
      // The next checkpoint tries again.
    }
    if (!is_whole) tell_checkpointer();  // a reader still uses older pages, or the disk failed
  }
}

void SessionWriter::Waiting::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return is_told_; });
}

void SessionWriter::Waiting::say(bool done, std::exception_ptr failure) {
  {
    const std::scoped_lock lock(mutex_);
    is_told_ = true;
    is_done_ = done;
    failure_ = std::move(failure);
  }
  changed_.notify_one();
}

void SessionWriter::wait_for_turn(const std::shared_ptr<Waiting>& mine) {
  {
    const std::scoped_lock lock(mutex_);
    queue_.push_back(mine);
    if (!std::exchange(is_used_, true)) return;
  }
  mine->wait();
}

// Takes from the queue all batches that come before the first thread that wants the file for itself.
SessionWriter::Queue SessionWriter::take_batches() noexcept {
  const std::scoped_lock lock(mutex_);
  const auto alone =
      std::ranges::find_if(queue_, [](const std::shared_ptr<Waiting>& waiting) { return waiting->batch() == nullptr; });
  Queue group;
  group.splice(group.end(), queue_, queue_.begin(), alone);
  return group;
}

void SessionWriter::pass_on() {
  std::shared_ptr<Waiting> next;
  {
    const std::scoped_lock lock(mutex_);
    is_used_ = !queue_.empty();
    if (is_used_) next = queue_.front();
  }
  if (next) next->say_turn();
}

void SessionWriter::append(const SessionBatch& batch) {
  const auto mine = std::make_shared<Waiting>(&batch);
  wait_for_turn(mine);
  if (mine->is_done()) {
    if (mine->failure()) std::rethrow_exception(mine->failure());
    return;
  }
  tell_checkpointer();
  const Queue group = take_batches();  // this thread's batch is the first of them
  const auto others = std::ranges::subrange(std::next(group.begin()), group.end());
  if (group.size() > 1 && append_all(group)) {
    pass_on();  // first, so that the next batches are written while these threads are notified
    for (const std::shared_ptr<Waiting>& other : others) other->say_done(nullptr);
    return;
  }
  const std::exception_ptr failure = append_one(batch);
  for (const std::shared_ptr<Waiting>& other : others) other->say_done(append_one(*other->batch()));
  pass_on();
  if (failure) std::rethrow_exception(failure);
}

// False if none of them was kept. The caller then appends each alone, which shows which of them are bad.
bool SessionWriter::append_all(const Queue& group) noexcept {
  try {
    std::vector<SessionBatch> batches;
    batches.reserve(group.size());
    for (const std::shared_ptr<Waiting>& waiting : group) batches.push_back(*waiting->batch());
    file_.append(batches);
    return true;
  } catch (...) {
    return false;
  }
}

std::exception_ptr SessionWriter::append_one(const SessionBatch& batch) noexcept {
  try {
    file_.append(std::span(&batch, 1));
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}

SessionWriter::Turn::Turn(SessionWriter& writer) : writer_(writer) {
  writer_.wait_for_turn(std::make_shared<Waiting>(nullptr));
  const std::scoped_lock lock(writer_.mutex_);
  writer_.queue_.pop_front();
}

SessionWriter::Turn::~Turn() { writer_.pass_on(); }

}  // namespace inkling
