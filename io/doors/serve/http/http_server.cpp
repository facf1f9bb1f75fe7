#include "io/doors/serve/http/http_server.hpp"

#include <algorithm>
#include <csignal>
#include <utility>

#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/signal_set.hpp>

#include "engine/core/errors.hpp"
#include "io/doors/serve/http/http_connection.hpp"

namespace inkling {

std::optional<std::string> address_of_peer(const std::string& text) {
  error_code error;
  const asio::ip::address address = asio::ip::make_address(text, error);
  return error ? std::nullopt : std::optional(address.to_string());
}

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
