// A file of searches to which many threads append at once.
#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

#include "io/session/session_file.hpp"

namespace inkling {

/// Waiting for the disk takes as long for a hundred batches as for one, so whatever threads append while the disk is busy
/// is kept together by the next of them. It has no thread of its own.
/// Thread safety: any number of threads may call anything at once.
class SessionWriter {
 public:
  /// Requires: opened with SessionAccess::write.
  explicit SessionWriter(SessionFile file) : file_(std::move(file)) {}
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
    return use(file_);
  }

 private:
  // A batch that waits for its turn. It lives where its thread waits.
  struct Waiting {
    const SessionBatch& batch;
    std::exception_ptr failure = {};
    bool done = false;
  };

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

  void append_all(const std::vector<Waiting*>& group) noexcept;
  void append_one(Waiting& waiting) noexcept;

  SessionFile file_;
  std::mutex mutex_;  // of all below
  std::condition_variable changed_;
  std::vector<Waiting*> queue_;
  bool busy_ = false;
};

}  // namespace inkling
