#include "io/doors/serve/http/http_server.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <new>
#include <thread>
#include <unordered_set>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>

#include "engine/core/errors.hpp"

namespace inkling {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::system::error_code;
using Tcp = asio::ip::tcp;

constexpr std::size_t kReadStep = 16'384;
// What a connection holds of bytes that were read and not understood yet: a header, a line before a chunk, all trailers.
constexpr std::size_t kMostBuffered = std::size_t{80} << 10U;
// An answer of any size must be taken within this time.
constexpr std::chrono::seconds kWriteTime{60};
// A larger body gets more time than other requests.
constexpr std::uint64_t kSmallBody = 1U << 20U;
constexpr std::uint64_t kLargestBody = std::uint64_t{1} << 30U;
constexpr int kTimesOfLargeBody = 12;
// A large body comes for so long before its pace counts.
constexpr std::chrono::seconds kGraceOfBody{1};
constexpr std::chrono::milliseconds kPauseWithoutMemory{5};

// The answer to a request that the parser refuses; nothing if the connection is gone.
std::optional<Refusal> refusal_of(const error_code& error) {
  if (error == http::error::header_limit) return Refusal{431, "the header is longer than 16 KiB", "the header", "at most 16 KiB"};
  if (error == http::error::body_limit)
    return Refusal{413, "the body is longer than it may be", "the body", "at most 64 KiB; 64 MiB for import"};
  if (error == http::error::buffer_overflow)
    return Refusal{431, "a line before a chunk, or what follows the last one, is too long", "the body", "at most 64 KiB"};
  if (error == beast::error::timeout) return Refusal{408, "the request did not come in time"};
  if (error == http::error::bad_version) return Refusal{400, "expected HTTP/1.1 or HTTP/1.0"};
  if (error.category() == http::make_error_code(http::error::bad_method).category() && error != http::error::end_of_stream &&
      error != http::error::partial_message)
    return Refusal{400, "this is no request of HTTP/1.1: " + error.message()};
  return std::nullopt;  // whoever asked has gone
}

// Empty where the connection is gone already.
std::string peer_of(const Tcp::socket& socket) {
  error_code error;
  const Tcp::endpoint peer = socket.remote_endpoint(error);
  return error ? std::string() : peer.address().to_string();
}

HttpRequest request_of(const http::request<http::string_body>& message, const std::string& peer) {
  HttpRequest request = {.method = std::string(message.method_string()), .target = std::string(message.target()), .peer = peer};
  for (const auto& field : message) request.headers.push_back({std::string(field.name_string()), std::string(field.value())});
  return request;
}

bool expects_continue(const HttpRequest& header) {
  const auto expectation = header.header("Expect");
  return expectation && same_but_for_case(*expectation, "100-continue");
}

// Only `chunked` is supported; accepting another coding would allow request smuggling.
bool has_unknown_coding(const HttpRequest& header) {
  const auto coding = header.header("Transfer-Encoding");
  return coding && (header.count_of_header("Transfer-Encoding") > 1 || !same_but_for_case(*coding, "chunked"));
}

}  // namespace

std::optional<std::string> address_of_peer(const std::string& text) {
  error_code error;
  const asio::ip::address address = asio::ip::make_address(text, error);
  return error ? std::nullopt : std::optional(address.to_string());
}

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

void HttpServer::State::open_addresses() {
  for (std::size_t n = 0; n < settings_.addresses.size(); ++n) {
    const error_code error = open(settings_.addresses[n]);
    if (!error || n > 0) continue;
    const bool is_taken = error == boost::system::errc::address_in_use;
    throw SystemError(settings_.addresses[n] + ":" + std::to_string(settings_.port), error.value(),
                      is_taken ? "cannot listen: expected a port that no other program uses"
                               : "cannot listen: expected an address of this computer, such as 0.0.0.0");
  }
}

error_code HttpServer::State::open(const std::string& address) {
  error_code error;
  const asio::ip::address parsed = asio::ip::make_address(address, error);
  if (error) return error;
  const Tcp::endpoint endpoint(parsed, settings_.port);
  Tcp::acceptor acceptor(io_);
  if (acceptor.open(endpoint.protocol(), error)) return error;
  if (acceptor.set_option(asio::socket_base::reuse_address(true), error)) return error;
  if (parsed.is_v6() && acceptor.set_option(asio::ip::v6_only(true), error)) return error;
  if (acceptor.bind(endpoint, error)) return error;
  if (acceptor.listen(asio::socket_base::max_listen_connections, error)) return error;
  settings_.port = acceptor.local_endpoint().port();
  listeners_.push_back({std::move(acceptor)});
  return {};
}

void HttpServer::State::accept(Listener& listener) {
  listener.acceptor.async_accept([this, &listener](const error_code& error, Tcp::socket socket) {
    listener.is_accepting = false;
    if (is_ending_) return;
    if (error) {  // no descriptor is left, or the like: try again soon
      accept_timer_.emplace(io_, std::chrono::milliseconds(50));
      accept_timer_->async_wait([this, &listener](const error_code&) { accept(listener); });
      listener.is_accepting = true;
      return;
    }
    try {
      take_connection(std::move(socket));
    } catch (const std::bad_alloc&) {  // this one ends, and the next ones are accepted
      refused_.fetch_add(1, std::memory_order_relaxed);
    }
    accept(listener);
  });
  listener.is_accepting = true;
}

void HttpServer::State::take_connection(Tcp::socket socket) {
  if (open_.size() >= settings_.most_connections && !make_room()) {
    refused_.fetch_add(1, std::memory_order_relaxed);
    error_code ignored;
    socket.close(ignored);
  } else {
    connections_.fetch_add(1, std::memory_order_relaxed);
    error_code ignored;
    socket.set_option(Tcp::no_delay(true), ignored);
    std::make_shared<Connection>(*this, std::move(socket))->await_request();
  }
}

// Closes the connection that has waited longest, preferably of a person who is not signed in. So nobody can keep others out by
// holding connections open, before a request, within one or within an answer. False if all connections are being answered.
bool HttpServer::State::make_room() {
  const auto key = [](const Connection* connection) {
    return std::pair(!connection->waits_since() || connection->is_known(),
                     connection->waits_since().value_or(Connection::Clock::time_point::max()));
  };
  const auto longest = std::ranges::min_element(open_, {}, key);
  if (longest == open_.end() || !(*longest)->waits_since()) return false;
  (*longest)->close();
  return true;
}

// Ends connections whose large body comes too slowly to be whole in time, until there is room for one more; false where all are
// read or answered at a good pace.
bool HttpServer::State::make_room_for_body(std::uint64_t bytes) {
  const auto has_room = [&] { return bytes <= settings_.most_large_bodies - large_bodies_; };
  while (!has_room()) {
    const auto slow = std::ranges::find_if(open_, &Connection::has_slow_body);
    if (slow == open_.end()) return false;
    (*slow)->give_body_up();
  }
  return true;
}

// Where no memory is left, the handler that needed it gives up its connection, and all others are served. If it was to accept
// the next connection, that is done again.
void HttpServer::State::run_guarded(const std::function<void()>& handlers) {
  for (;;) {
    try {
      for (Listener& listener : listeners_)
        if (!listener.is_accepting && !is_ending_) accept(listener);
      return handlers();
    } catch (const std::bad_alloc&) {
      refused_.fetch_add(1, std::memory_order_relaxed);
      std::this_thread::sleep_for(kPauseWithoutMemory);
    }
  }
}

void HttpServer::State::run() {
  threads_.emplace(settings_.threads);
  asio::signal_set signals(io_, SIGINT, SIGTERM);
  signals.async_wait([this](const error_code& error, int) {
    if (!error) begin_to_end();
  });
  run_guarded([this] {
    while (!is_ending_) io_.run_one();
  });
  signals.cancel();
  signals.clear();  // so that a second one ends the program at once
  run_guarded([this] { io_.run(); });
  threads_->join();
  io_.restart();
  run_guarded([this] { io_.run(); });  // what the last answers left to do
}

void HttpServer::State::begin_to_end() {
  if (is_ending_) return;
  is_ending_ = true;
  settings_.at_end();
  error_code ignored;
  for (Listener& listener : listeners_) listener.acceptor.close(ignored);
  const std::vector<Connection*> all(open_.begin(), open_.end());
  for (Connection* const connection : all) connection->end_if_idle();
  end_timer_.emplace(io_, settings_.request);
  // It keeps no one waiting: the last connection ends it.
  end_timer_->async_wait([this](const error_code& error) {
    if (error) return;
    const std::vector<Connection*> left(open_.begin(), open_.end());
    for (Connection* const connection : left) connection->close();
  });
  asio::post(io_, [this] {
    if (open_.empty()) end_timer_->cancel();
  });
}

HttpServer::HttpServer(HttpServerSettings settings, Answer answer, Admit admit)
    : state_(std::make_shared<State>(std::move(settings), std::move(answer), std::move(admit))) {}
HttpServer::~HttpServer() = default;

std::uint16_t HttpServer::port() const noexcept { return state_->port(); }
void HttpServer::run() { state_->run(); }
void HttpServer::stop() { state_->stop(); }
HttpServerCounts HttpServer::counts() const { return state_->counts(); }

}  // namespace inkling
