#include "io/parts/live/pipe_group.hpp"

#include <cerrno>
#include <string>

#include <sys/socket.h>

#include "engine/core/errors.hpp"

namespace inkling {
namespace {

/// A message is far below this; more is no message.
constexpr std::uint64_t kMostMessageBytes = std::uint64_t{1} << 32U;

[[noreturn]] void fail_worker(int worker, int error) {
  throw SystemError("worker " + std::to_string(worker) + " of a live search", error, "talking to it");
}

void send_all(int socket, int worker, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) fail_worker(worker, errno);
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
}

void receive_all(int socket, int worker, std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t received = ::recv(socket, bytes.data(), bytes.size(), 0);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) fail_worker(worker, received == 0 ? ECONNRESET : errno);
    bytes = bytes.subspan(static_cast<std::size_t>(received));
  }
}

void send_message(int socket, int worker, std::span<const std::byte> bytes) {
  const std::uint64_t size = bytes.size();
  const std::span<const std::byte> before = std::as_bytes(std::span(&size, 1));
  std::vector<std::byte> message(before.begin(), before.end());
  message.insert(message.end(), bytes.begin(), bytes.end());
  send_all(socket, worker, message);
}

std::vector<std::byte> receive_message(int socket, int worker) {
  std::uint64_t size = 0;
  receive_all(socket, worker, std::as_writable_bytes(std::span(&size, 1)));
  if (size > kMostMessageBytes) fail_worker(worker, EBADMSG);
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  receive_all(socket, worker, bytes);
  return bytes;
}

}  // namespace

int PipeGroup::socket_to(int worker) const {
  return rank_ == 0 ? sockets_[static_cast<std::size_t>(worker - 1)] : sockets_.front();
}

std::vector<std::byte> PipeGroup::broadcast(std::span<const std::byte> bytes, int from) {
  std::vector<std::byte> told(bytes.begin(), bytes.end());
  if (rank_ != 0) {
    if (from == rank_) send_message(socket_to(0), 0, bytes);
    return from == rank_ ? told : receive_message(socket_to(0), 0);
  }
  if (from != 0) told = receive_message(socket_to(from), from);
  for (int worker = 1; worker < workers_; ++worker)
    if (worker != from) send_message(socket_to(worker), worker, told);
  return told;
}

ShardedChoice PipeGroup::best(const ShardedChoice& own) {
  ShardedChoice best = own;
  const auto bytes_of_best = [&] { return std::as_writable_bytes(std::span(&best, 1)); };
  if (rank_ != 0) {
    send_all(socket_to(0), 0, bytes_of_best());
    receive_all(socket_to(0), 0, bytes_of_best());
    return best;
  }
  for (int worker = 1; worker < workers_; ++worker) {
    ShardedChoice theirs;
    receive_all(socket_to(worker), worker, std::as_writable_bytes(std::span(&theirs, 1)));
    if (chosen_before(theirs, best)) best = theirs;
  }
  for (int worker = 1; worker < workers_; ++worker) send_all(socket_to(worker), worker, bytes_of_best());
  return best;
}

}  // namespace inkling
