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

/// Waiting for the disk takes as long for a hundred batches as for one, so whatever threads append while the disk is busy
/// is kept together by the next of them. Each thread that waits is woken once. A thread of its own moves what was kept into
/// the file itself, soon enough that a copy of that alone, made at any time, has all that is older than a second.
/// Thread safety: any number of threads may call anything at once.
class SessionWriter {
 public:
  /// Requires: opened with SessionAccess::write.
  explicit SessionWriter(SessionFile file);
  ~SessionWriter() = default;  // when no call is left
  SessionWriter(const SessionWriter&) = delete;
  SessionWriter& operator=(const SessionWriter&) = delete;
  SessionWriter(SessionWriter&&) = delete;
  SessionWriter& operator=(SessionWriter&&) = delete;

  /// As SessionFile::append of this one batch: returns when it is durable, or throws what was wrong with it. Batches of
  /// other threads have no part in that. Batches of one search are kept in the order in which these calls began.
  void append(const SessionBatch& batch);

  /// Anything else that is done with the file, while nobody appends.
  template <typename Use>
  auto with_file(const Use& use) {
    const Turn turn(*this);
    tell_checkpointer();
    return use(file_);
  }

 private:
  // One who wants the file, with a batch or to use it alone. Owned together, because he goes as soon as he is told.
  class Waiting {
   public:
    explicit Waiting(const SessionBatch* batch) : batch_(batch) {}

    // Lifetime: that of the thread that waits in `append`. None where the file is wanted alone.
    [[nodiscard]] const SessionBatch* batch() const noexcept { return batch_; }
    // Waits until somebody says that it is this one's turn, or that its batch was kept or refused.
    void wait();
    void say_turn() { say(false, {}); }
    void say_done(std::exception_ptr failure) { say(true, std::move(failure)); }

    // Requires: `wait` returned.
    [[nodiscard]] bool is_done() const noexcept { return is_done_; }
    [[nodiscard]] const std::exception_ptr& failure() const noexcept { return failure_; }

   private:
    void say(bool done, std::exception_ptr failure);

    const SessionBatch* batch_;
    std::mutex mutex_;  // of all below
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
    Turn(Turn&&) = delete;
    Turn& operator=(Turn&&) = delete;

   private:
    SessionWriter& writer_;
  };

  // Returns when it is this one's turn, who is the first of the queue then; or when somebody else did its work.
  void wait_for_turn(const std::shared_ptr<Waiting>& mine);
  [[nodiscard]] Queue take_batches() noexcept;
  void tell_checkpointer();
  void checkpoint_until(const std::stop_token& stop);
  void pass_on();
  [[nodiscard]] bool append_all(const Queue& group) noexcept;
  [[nodiscard]] std::exception_ptr append_one(const SessionBatch& batch) noexcept;

  SessionFile file_;
  std::mutex mutex_;  // of all below
  Queue queue_;
  bool is_used_ = false;
  bool is_behind_ = false;  // the file itself lacks something that was kept
  std::condition_variable_any behind_;
  std::jthread checkpointer_;  // the last member: it ends before the others
};

}  // namespace inkling
