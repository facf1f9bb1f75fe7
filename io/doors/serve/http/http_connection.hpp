// A server and its connections. Only http_server.cpp includes this.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <unordered_set>
#include <utility>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>

#include "io/doors/serve/http/beast_messages.hpp"
#include "io/doors/serve/http/http_server.hpp"

namespace inkling {

inline constexpr std::size_t kReadStep = 16'384;
// What a connection holds of bytes that were read and not understood yet: a header, a line before a chunk, all trailers.
inline constexpr std::size_t kMostBuffered = std::size_t{80} << 10U;
// An answer of any size must be taken within this time.
inline constexpr std::chrono::seconds kWriteTime{60};
// A larger body gets more time than other requests.
inline constexpr std::uint64_t kSmallBody = 1U << 20U;
inline constexpr std::uint64_t kLargestBody = std::uint64_t{1} << 30U;
inline constexpr int kTimesOfLargeBody = 12;
// A large body comes for so long before its pace counts.
inline constexpr std::chrono::seconds kGraceOfBody{1};
inline constexpr std::chrono::milliseconds kPauseWithoutMemory{5};

class HttpServer::State : public std::enable_shared_from_this<State> {
 public:
  State(HttpServerSettings settings, Answer answer, Admit admit)
      : settings_(std::move(settings)), answer_(std::move(answer)), admit_(std::move(admit)) {
    open_addresses();
  }

  [[nodiscard]] std::uint16_t port() const noexcept { return settings_.port; }
  void run();
  void stop() {
    asio::post(io_, [this] { begin_to_end(); });
  }
  [[nodiscard]] HttpServerCounts counts() const { return {connections_.load(), refused_.load(), bad_.load(), busy_.load()}; }

 private:
  class Connection;

  struct Listener {
    Tcp::acceptor acceptor;
    bool is_accepting = false;  // or waits until it may
  };

  void open_addresses();
  [[nodiscard]] error_code open(const std::string& address);
  void accept(Listener& listener);
  void take_connection(Tcp::socket socket);
  [[nodiscard]] bool make_room();
  [[nodiscard]] bool make_room_for_body(std::uint64_t bytes);
  void begin_to_end();
  void run_guarded(const std::function<void()>& handlers);

  HttpServerSettings settings_;
  Answer answer_;
  Admit admit_;
  std::unordered_set<Connection*> open_;  // before io_, whose handlers keep connections
  asio::io_context io_{1};
  std::vector<Listener> listeners_;
  std::optional<asio::thread_pool> threads_;
  std::optional<asio::steady_timer> end_timer_;
  std::optional<asio::steady_timer> accept_timer_;
  bool is_ending_ = false;
  std::uint64_t large_bodies_ = 0;  // bytes of those that are read or answered
  std::atomic<std::size_t> waiting_ = 0;
  std::atomic<std::uint64_t> connections_ = 0, refused_ = 0, bad_ = 0, busy_ = 0;
};

// All its work runs on the one thread that reads and writes, except for answering.
class HttpServer::State::Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(State& server, Tcp::socket socket) : server_(server), peer_(peer_of(socket)), stream_(std::move(socket)) {
    server_.open_.insert(this);
  }
  ~Connection() {
    give_body_back();
    server_.open_.erase(this);
    if (server_.is_ending_ && server_.open_.empty() && server_.end_timer_) server_.end_timer_->cancel();
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void await_request() {
    if (server_.is_ending_) return close();
    waits_since_ = Clock::now();
    if (buffer_.size() > 0) return read_header();
    is_idle_ = true;
    stream_.expires_after(server_.settings_.idle);
    stream_.async_read_some(buffer_.prepare(kReadStep), [self = shared_from_this()](const error_code& error, std::size_t bytes) {
      self->is_idle_ = false;
      if (error) return self->close();
      self->buffer_.commit(bytes);
      self->read_header();
    });
  }

  void end_if_idle() {
    if (is_idle_) close();
  }
  void close() {
    error_code ignored;
    stream_.socket().close(ignored);
    waits_since_.reset();
  }

  using Clock = std::chrono::steady_clock;
  /// Since when a request is awaited or read, or its answer is taken; nothing while it is answered.
  [[nodiscard]] std::optional<Clock::time_point> waits_since() const noexcept { return waits_since_; }
  /// Whether its last request came from a person who is signed in.
  [[nodiscard]] bool is_known() const noexcept { return is_known_; }

 private:
  void read_header() {
    is_head_ = false;
    parser_.emplace();
    parser_->header_limit(server_.settings_.most_header_bytes);
    parser_->body_limit(kLargestBody);
    stream_.expires_after(server_.settings_.request);
    http::async_read_header(stream_, buffer_, *parser_, [self = shared_from_this()](const error_code& error, std::size_t) {
      if (error) return self->refuse(error);
      self->read_body();
    });
  }

  void read_body() {
    // Taken before the body, which trailers may follow: they are no headers.
    request_ = request_of(parser_->get(), peer_);
    const HttpRequest& header = request_;
    if (has_unknown_coding(header)) {
      server_.bad_.fetch_add(1, std::memory_order_relaxed);
      return answer(response_of(Refusal{400, "expected no Transfer-Encoding, or one that is \"chunked\""}), Ending::close);
    }
    const HttpAdmission admission = server_.admit_(header);
    is_known_ = admission.is_known;
    const std::uint64_t limit = admission.most_body_bytes;
    if (parser_->content_length() && *parser_->content_length() > limit)
      return refuse(http::make_error_code(http::error::body_limit));
    parser_->body_limit(limit);
    if (limit > kSmallBody && !take_place_of_body(parser_->content_length().value_or(limit))) {
      server_.busy_.fetch_add(1, std::memory_order_relaxed);
      return answer(response_of(Refusal{429, "more files at once than there is memory for: try again in a second"}),
                    Ending::close);
    }
    if (limit > kSmallBody) stream_.expires_after(server_.settings_.request * kTimesOfLargeBody);
    if (header.count_of_header("Expect") == 0) return read_rest();
    if (!expects_continue(header)) {
      answer(response_of(Refusal{417, "expected no Expect but 100-continue"}), Ending::close);
      return;
    }
    continue_.emplace(http::status::continue_, 11);
    http::async_write(stream_, *continue_, [self = shared_from_this()](const error_code& error, std::size_t) {
      if (error) return self->close();
      self->read_rest();
    });
  }

  void read_rest() {
    http::async_read(stream_, buffer_, *parser_, [self = shared_from_this()](const error_code& error, std::size_t) {
      if (error) return self->refuse(error);
      self->take_request();
    });
  }

  void refuse(const error_code& error) {
    const std::optional<Refusal> refusal = refusal_of(error);
    if (!refusal) return close();
    server_.bad_.fetch_add(1, std::memory_order_relaxed);
    // After a time-out nothing can be written any more by this stream.
    if (error == beast::error::timeout) return close();
    answer(response_of(*refusal), Ending::close);
  }

  void take_request() {
    is_head_ = parser_->get().method() == http::verb::head;
    const bool keeps = parser_->get().keep_alive();
    request_.body = std::move(parser_->get().body());
    parser_.reset();
    waits_since_.reset();
    if (server_.waiting_.load(std::memory_order_relaxed) >= server_.settings_.most_waiting) {
      server_.busy_.fetch_add(1, std::memory_order_relaxed);
      answer(response_of(Refusal{429, "more requests than can wait: try again in a second"}),
             keeps ? Ending::keep : Ending::close);
      return;
    }
    stream_.expires_never();
    answered_by_ = shared_from_this();
    try {
      asio::post(*server_.threads_,
                 [this, waits = Waiting(server_.waiting_), keeps, work = asio::make_work_guard(server_.io_)]() mutable {
                   waits.end();
                   answered_ = server_.answer_(request_);
                   request_ = {};  // before the answer is written, which may take long
                   give_to_writer(keeps);
                 });
    } catch (...) {
      answered_by_.reset();
      throw;
    }
  }

  // Counts a request that waits for a thread.
  class Waiting {
   public:
    explicit Waiting(std::atomic<std::size_t>& count) : count_(&count) { count.fetch_add(1, std::memory_order_relaxed); }
    ~Waiting() { end(); }
    Waiting(Waiting&& other) noexcept : count_(std::exchange(other.count_, nullptr)) {}
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;
    Waiting& operator=(Waiting&&) = delete;
    void end() noexcept {
      if (auto* const count = std::exchange(count_, nullptr)) count->fetch_sub(1, std::memory_order_relaxed);
    }

   private:
    std::atomic<std::size_t>* count_;
  };

  // On the thread that answers. Where no memory is left, it waits for what others free: an exception would end the program.
  void give_to_writer(bool keeps) noexcept {
    for (;;) {
      try {
        return asio::post(server_.io_, [this, keeps] {
          const std::shared_ptr<Connection> own = std::move(answered_by_);
          answer(std::move(answered_), keeps ? Ending::keep : Ending::close);
        });
      } catch (const std::bad_alloc&) {
        std::this_thread::sleep_for(kPauseWithoutMemory);
      }
    }
  }

  // False if all large bodies together would be larger than they may be.
  [[nodiscard]] bool take_place_of_body(std::uint64_t bytes) {
    if (!server_.make_room_for_body(bytes)) return false;
    large_body_ = bytes;
    large_body_since_ = Clock::now();
    server_.large_bodies_ += bytes;
    return true;
  }
  void give_body_back() noexcept { server_.large_bodies_ -= std::exchange(large_body_, 0); }

 public:
  /// Whether a large body is read, and at this pace it will not be whole in time.
  [[nodiscard]] bool has_slow_body() const {
    if (large_body_ == 0 || !waits_since_ || !parser_) return false;
    const std::chrono::duration<double> passed = Clock::now() - large_body_since_;
    const std::chrono::duration<double> whole = server_.settings_.request * kTimesOfLargeBody;
    const auto read = static_cast<double>(parser_->get().body().size());
    return passed > kGraceOfBody && read < static_cast<double>(large_body_) * (passed / whole);
  }
  void give_body_up() {
    give_body_back();
    close();
  }

 private:
  enum class Ending { keep, close };

  void answer(HttpResponse response, Ending ending) {
    const bool keeps = ending == Ending::keep && !server_.is_ending_;
    give_body_back();
    waits_since_ = Clock::now();
    response_.emplace(static_cast<http::status>(response.status), 11);
    for (const HttpHeader& header : response.headers) response_->insert(header.name, header.value);
    response_->keep_alive(keeps);
    const bool has_body = response.status != 204;
    if (has_body) response_->content_length(response.body.size());
    if (has_body && !is_head_) response_->body() = std::move(response.body);
    stream_.expires_after(kWriteTime);
    http::async_write(stream_, *response_, [self = shared_from_this(), keeps](const error_code& error, std::size_t) {
      self->response_.reset();
      if (error) return self->close();
      if (keeps) return self->await_request();
      self->drain();
    });
  }

  // Whoever still sends would not see the answer if the connection ended while bytes are unread.
  void drain() {
    error_code ignored;
    stream_.socket().shutdown(Tcp::socket::shutdown_send, ignored);
    buffer_.clear();
    stream_.expires_after(std::chrono::seconds(1));
    read_and_drop(kDrained);
  }
  void read_and_drop(std::size_t left) {
    stream_.async_read_some(buffer_.prepare(kReadStep),
                            [self = shared_from_this(), left](const error_code& error, std::size_t bytes) {
                              if (error || bytes >= left) return self->close();
                              self->read_and_drop(left - bytes);
                            });
  }
  static constexpr std::size_t kDrained = 1U << 20U;

  State& server_;
  std::string peer_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{kMostBuffered};
  HttpRequest request_;  // that is read, or answered
  HttpResponse answered_;
  std::shared_ptr<Connection> answered_by_;  // itself, while a thread answers: it dies on the one that reads and writes
  std::optional<http::request_parser<http::string_body>> parser_;
  std::optional<http::response<http::string_body>> response_;
  std::optional<http::response<http::empty_body>> continue_;
  std::optional<Clock::time_point> waits_since_;
  std::uint64_t large_body_ = 0;  // bytes of `server_.large_bodies_`
  Clock::time_point large_body_since_;
  bool is_idle_ = false;
  bool is_head_ = false;
  bool is_known_ = false;
};

}  // namespace inkling
