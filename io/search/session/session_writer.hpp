// A file of searches to which many threads append at once.
#pragma once

#include <condition_variable>
#include <exception>
#include <list>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include "io/search/session/session_file.hpp"

namespace inkling {

/// To wait for the disk takes as long for a hundred batches as for one. So all batches that threads append while the disk is
/// busy wait, and the first thread in the queue writes them in one transaction. Each waiting thread is woken once. A separate
/// thread moves events from the write-ahead log into the file itself, so soon that a copy of the file alone, made at any time,
/// has all events that are older than a second.
/// Thread safety: any number of threads may call anything at once.
class SessionWriter {
 public:
  /// Requires: opened with SessionAccess::write.
  explicit SessionWriter(SessionFile file);
  ~SessionWriter() = default;  // Requires: no call is in progress
  SessionWriter(const SessionWriter&) = delete;
  SessionWriter& operator=(const SessionWriter&) = delete;

  /// As SessionFile::append of this one batch: returns when it is durable, or throws what was wrong with it. Bad batches of
  /// other threads do not make it throw. Batches of one search are kept in the order in which these calls began.
  void append(const SessionBatch& batch);

  /// Calls use(file) while no other thread uses the file.
  template <typename Use>
  auto with_file(const Use& use) {
    const Turn turn(*this);
    tell_checkpointer();
    return use(file_);
  }

 private:
  // A thread that waits for the file, to append a batch or to use the file alone. It is shared, because the waiting thread
  // returns as soon as it is notified, while the thread that notifies it still uses this object.
  class Waiting {
   public:
    explicit Waiting(const SessionBatch* batch) : batch_(batch) {}

    // Null if the thread wants to use the file alone. Lifetime: until the waiting thread returns from `append`.
    [[nodiscard]] const SessionBatch* batch() const noexcept { return batch_; }
    // Waits until another thread says that it is this one's turn, or that its batch was kept or refused.
    void wait();
    void say_turn() { say(false, {}); }
    void say_done(std::exception_ptr failure) { say(true, std::move(failure)); }

    // Requires: `wait` returned.
    [[nodiscard]] bool is_done() const noexcept { return is_done_; }
    [[nodiscard]] const std::exception_ptr& failure() const noexcept { return failure_; }

   private:
    void say(bool done, std::exception_ptr failure);

    const SessionBatch* batch_;
    std::mutex mutex_;  // guards all members below
    std::condition_variable changed_;
    bool is_told_ = false;
    bool is_done_ = false;
    std::exception_ptr failure_;
  };
  using Queue = std::list<std::shared_ptr<Waiting>>;

  // While it lives, its thread is the only one that uses the file.
  class Turn {
   public:
    explicit Turn(SessionWriter& writer);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    SessionWriter& writer_;
  };

  // Returns when it is this thread's turn, which is then the first of the queue, or when another thread has appended its batch.
  void wait_for_turn(const std::shared_ptr<Waiting>& mine);
  [[nodiscard]] Queue take_batches() noexcept;
  void tell_checkpointer();
  void checkpoint_until(const std::stop_token& stop);
  void pass_on();
  [[nodiscard]] bool append_all(const Queue& group) noexcept;
  [[nodiscard]] std::exception_ptr append_one(const SessionBatch& batch) noexcept;

  SessionFile file_;
  std::mutex mutex_;  // guards all members below
  Queue queue_;
  bool is_used_ = false;
  bool is_behind_ = false;  // some events are in the write-ahead log only
  std::condition_variable_any behind_;
  std::jthread checkpointer_;  // the last member: it ends before the others
};

}  // namespace inkling
