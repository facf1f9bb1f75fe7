// `inkling serve`: people search in a browser, programs by HTTP, all of them at once.
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <iterator>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/process/build_info.hpp"
#include "io/base/system/file.hpp"
#include "io/base/system/folder.hpp"
#include "io/base/system/interruption.hpp"
#include "io/base/system/limits.hpp"
#include "io/base/system/memory.hpp"
#include "io/base/system/process.hpp"
#include "io/base/system/terminal.hpp"
#include "io/base/system/waiting.hpp"
#include "io/base/wording/quotes.hpp"
#include "io/corpus/pool/open/joined_pool.hpp"
#include "io/corpus/pool/open/pool_set.hpp"
#include "io/doors/cli/learning_options.hpp"
#include "io/doors/cli/output_guard.hpp"
#include "io/doors/cli/terminal.hpp"
#include "io/doors/commands/build_options.hpp"
#include "io/doors/commands/build_target.hpp"
#include "io/doors/commands/commands.hpp"
#include "io/doors/commands/pool_trust.hpp"
#include "io/doors/commands/search/brought_files.hpp"
#include "io/doors/commands/search/pool_of_records.hpp"
#include "io/doors/commands/search/search_options.hpp"
#include "io/doors/serve/api.hpp"
#include "io/doors/serve/http/http_server.hpp"
#include "io/search/events/learning.hpp"
#include "io/search/session/kept_search_form.hpp"

namespace inkling {
namespace {

constexpr std::int64_t kUsualPort = 8'765;

OptionTable serve_options() {
  OptionTable::Description description = {
      "inkling serve",
      "Lets people search in a browser, and programs by HTTP. It answers on this computer alone, prints the "
      "one address to open, and ends with Ctrl+C. Each answer is kept at once.",
      "inkling serve reviews.csv",
      {{"Searches",
        {{"searches", Path{}, "FILE", std::nullopt,
          "the file that keeps the searches; it is made where there is none (default: POOL.search, beside "
          "the first pool); what is brought by the page lies beside it, in FILE.files; inkling sessions FILE "
          "--backup COPY copies it"},
         {"policy", Choice{names_of_policies(can_search_with)}, "NAME", kDefaultPolicy,
          "how a new search chooses, unless it is begun with another policy"},
         {"active", Integer{1, 1'000'000}, "N", "1000",
          "how many searches stay in memory; others continue from the file when they are asked for"},
         {"memory", Size{1}, "SIZE", std::nullopt,
          "memory in which the searches used last may keep their scores, so that the next document comes "
          "sooner (default: half of the machine's)"}}},
       {"Who may ask",
        {{"port", Integer{0, 65'535}, "N", std::nullopt,
          "where to listen; 0 is any free one (default: 8765, or any where that is taken)"},
         {"listen", Text{}, "ADDRESS", std::nullopt,
          "an address that other computers reach, such as 0.0.0.0; needs --users, and a proxy in front that "
          "speaks TLS"},
         {"open", Flag{}, "", std::nullopt, "show the page in your browser at once, too, on Windows"},
         {"users", Path{}, "FILE", std::nullopt,
          "who may search: a file that is made where there is none, with you; the page of its first user lets others in; each "
          "sees only what is theirs or shared with them"},
         {"add-user", Text{}, "NAME", std::nullopt,
          "add a user to the file of --users, print their token (it is stored nowhere), and end; a running server learns of "
          "them by a restart, of those that its page lets in at once"},
         {"new-token", Text{}, "NAME", std::nullopt,
          "the same of a user who is in that file: the old token is void after a restart"},
         {"remove-user", Text{}, "NAME", std::nullopt,
          "take a user out of the file of --users, and end; a running server forgets them after a restart"},
         {"host", Text{}, "NAMES", std::nullopt,
          "names by which browsers may reach the server beside localhost, with commas between them: that of "
          "the proxy"},
         {"proxy", Text{}, "ADDRESSES", std::nullopt,
          "addresses of proxies, with commas between them, such as 127.0.0.1; if X-Forwarded-Proto of such a "
          "proxy says https, the browser sends its cookie by https alone. io/doors/serve/PROXY.md has the "
          "lines for nginx and Caddy"}}},
       {"Work",
        {{"threads", Integer{1, 1'000}, "N", "32",
          "how many requests are answered at once; most of that time is waiting for the disk"}}},
       records_group(),
       {"The pools", pool_options()}},
      {"[POOL|FILE...]",
       "the pools that can be searched, and sets (set.json), put together in memory; and files of records, of all "
       "of which one pool is made beside the first, once; with none, bring files by the page",
       0, 1'000}};
  return OptionTable(std::move(description));
}

std::vector<std::string> parts_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  for (const std::string_view part : split_at_commas(text))
    if (!part.empty()) parts.emplace_back(part);
  return parts;
}

// Whoever runs the server is the first of a new file, and needs no token: the printed address lets them in.
std::string users_file_of(const std::string& path) {
  if (exists_at(path)) return path;
  std::string name = name_of_user();
  std::ranges::replace(name, ' ', '.');
  make_all_private();
  static_cast<void>(add_user(path, name));
  tell(fmt::format("inkling serve: made {}, whose first user is {}: the page lets others in\n", visible_text(path),
                   visible_text(name)));
  return path;
}

AccessSettings access_settings_of(const ParsedOptions& options) {
  AccessSettings settings = {.hosts = {"localhost", "127.0.0.1", "[::1]"}, .owner = name_of_user()};
  if (options.has("listen")) {
    if (!options.has("users")) throw UsageError::option("listen", "expected with --users: others can reach it");
    settings.hosts.push_back(options.text("listen"));
  }
  if (options.has("host"))
    for (std::string& host : parts_at_commas(options.text("host"))) settings.hosts.push_back(std::move(host));
  if (options.has("proxy")) {
    for (const std::string& proxy : parts_at_commas(options.text("proxy"))) {
      const std::optional<std::string> address = address_of_peer(proxy);
      if (!address)
        throw UsageError::option("proxy", fmt::format("expected an address such as 127.0.0.1, found {}", in_quotes(proxy)));
      settings.proxies.push_back(*address);
    }
  }
  if (options.has("users")) settings.users_file = users_file_of(options.text("users"));
  return settings;
}

constexpr std::array<std::string_view, 3> kUserChanges = {"add-user", "new-token", "remove-user"};

// Changes the file of users. A token is all of standard output, so that a program can take it.
int change_user(const ParsedOptions& options, std::string_view change) {
  if (!options.has("users")) throw UsageError::option(change, "expected with --users");
  if (!options.positionals().empty()) throw UsageError::option(change, "expected no pool: it serves nothing");
  const std::string& name = options.text(change);
  const std::string& users = options.text("users");
  OutputGuard guard;
  guard.writes("--users", users);
  make_all_private();
  if (change == "remove-user") {
    remove_user(users, name);
    tell(fmt::format("inkling serve: {} is not in {} any more\n", visible_text(name), visible_text(users)));
    return ExitCode::ok;
  }
  const std::string token = change == "add-user" ? add_user(users, name) : renew_user(users, name);
  if (!print_summary(token + "\n"))
    throw SystemError("standard output", EIO, fmt::format("cannot write the token; remove the line of {} from {}", name, users));
  tell(fmt::format("inkling serve: {} logs in with this token, which is shown this once; {} has its SHA-256\n",
                   visible_text(name), visible_text(users)));
  return ExitCode::ok;
}

// Listens on --port, or on 8765; takes any free port if 8765 is in use and none was asked for.
std::unique_ptr<HttpServer> listening_server(const ParsedOptions& options, Api*& api, SessionTable*& sessions) {
  HttpServerSettings settings;
  settings.threads = static_cast<std::size_t>(options.integer("threads"));
  settings.addresses = {"127.0.0.1", "::1"};
  if (options.has("listen")) settings.addresses = {options.text("listen")};
  settings.port = static_cast<std::uint16_t>(options.has("port") ? options.integer("port") : kUsualPort);
  settings.at_end = [&sessions] { sessions->end(); };
  const auto open = [&] {
    return std::make_unique<HttpServer>(
        settings, [&api](const HttpRequest& request) { return api->answer(request); },
        [&api](const HttpRequest& request) { return api->admission(request); });
  };
  try {
    return open();
  } catch (const SystemError& error) {
    if (options.has("port") || error.error_number() != EADDRINUSE) throw;
    settings.port = 0;
    return open();
  }
}

std::string server_metrics(const HttpServer& server) {
  const HttpServerCounts counts = server.counts();
  return fmt::format(
      "inkling_connections_total {}\ninkling_refused_connections_total {}\ninkling_bad_requests_total {}\n"
      "inkling_busy_total {}\n",
      counts.connections, counts.refused_connections, counts.bad_requests, counts.busy);
}

// Prints another address and six digits each time that somebody presses Enter, until it is asked to stop.
void give_ways_in(const std::stop_token& stop, Access& access, const std::string& origin) {
  constexpr int patience = 300;  // milliseconds
  const File& input = File::standard(StandardStream::input);
  std::array<std::byte, 256> typed = {};
  while (!stop.stop_requested() && !interrupted()) {
    const Waited waited = wait_for_input(input, nullptr, patience);
    if (!waited.has_input || !may_read_terminal()) {
      if (waited.is_impossible || waited.is_at_end) return;
      if (waited.has_input) std::this_thread::sleep_for(std::chrono::milliseconds(patience));
      continue;
    }
    const std::ptrdiff_t count = input.read(typed);
    if (count <= 0) return;
    if (std::ranges::find(typed, std::byte{'\n'}) == typed.end()) continue;
    typed.fill(std::byte{0});
    const WayIn way = access.new_way_in();
    fmt::print("Open {}?once={}\nor type {} in the browser within five minutes.\n", origin, way.token, way.code);
    std::fflush(stdout);
  }
}

std::string origin_of(const ParsedOptions& options, std::uint16_t port) {
  std::string address = options.has("listen") ? options.text("listen") : "127.0.0.1";
  if (address.find(':') != std::string::npos) address = "[" + address + "]";
  return fmt::format("http://{}:{}/", address, port);
}

void say_where(const Access& access, const std::string& origin, const std::string& sessions, bool is_to_open,
               bool is_for_others) {
  // What a server that others reach prints may be kept in a log.
  const std::string address = is_for_others ? origin : fmt::format("{}?once={}", origin, access.once());
  fmt::print("Open {}\n", address);
  if (is_to_open) show_in_browser(address);
  fmt::print("{}Enter prints {} address, for {} browser{}.\n",
             access.has_logins() ? fmt::format("A browser that was here before needs only {}. ", origin) : "",
             is_for_others ? "an" : "another", is_for_others ? "a" : "another",
             access.tells_users_apart() ? fmt::format(" of {}", visible_text(access.owner())) : "");
  fmt::print("Searches are kept in {}. Ctrl+C ends.\n", visible_text(sessions));
  std::fflush(stdout);
}

std::uint64_t memory_of_scores(const ParsedOptions& options) {
  if (options.has("memory")) return static_cast<std::uint64_t>(options.integer("memory"));
  return memory_of_machine() / 2;
}

std::string sessions_file_of(const ParsedOptions& options, const std::vector<std::string>& pools) {
  if (options.has("searches")) return options.text("searches");
  if (!pools.empty()) return session_file_beside(pools.front());
  make_folder(own_data());
  return own_data() + "/brought.search";
}

int serve(const ParsedOptions& options) {
  for (const std::string_view change : kUserChanges)
    if (options.has(change)) return change_user(options, change);
  std::vector<std::string> paths = pools_of_paths(options.positionals(), given_same_by(options), records_args(options));
  const std::string sessions_file = sessions_file_of(options, paths);
  const std::size_t given = paths.size();
  Api* api_place = nullptr;  // both are set before the server runs
  SessionTable* sessions_place = nullptr;
  BroughtFiles brought(sessions_file, memory_of_scores(options), [&sessions_place] { return sessions_place->is_ending(); });
  for (std::string& pool : brought.pools()) paths.push_back(std::move(pool));
  OutputGuard guard;
  for (const std::string& path : paths) guard.reads("a pool", path);
  for (const std::string& pool : pools_behind(paths)) guard.reads("a pool", pool);
  if (options.has("users")) guard.writes("--users", options.text("users"));
  guard.writes("--searches", sessions_file);

  AccessSettings access_settings = access_settings_of(options);
  raise_limit_of_open_files();  // a server may have more connections than a program usually has files
  share_free_memory();
  const std::unique_ptr<HttpServer> server = listening_server(options, api_place, sessions_place);
  access_settings.cookie_name = fmt::format("inkling-{}", server->port());
  access_settings.logins_file = sessions_file + ".logins";
  Access access(std::move(access_settings));

  // What one person brought is not for the others.
  const auto brought_by = [&](std::size_t n) {
    if (n < given) return std::optional<BroughtBy>();
    BroughtBy facts = brought.facts_of(paths[n]);
    if (!access.tells_users_apart())
      facts.owner.clear();
    else if (facts.owner.empty())
      facts.owner = access.owner();
    return std::optional(std::move(facts));
  };
  const PoolTrust trust = pool_trust_of(options);
  ServedPools pools;
  for (std::size_t n = 0; n < paths.size(); ++n)
    if (pools.add(paths[n], trust, brought_by(n)).has_uncompared_texts())
      tell(fmt::format("inkling serve: {}: {}\n", visible_text(paths[n]), kUncomparedTexts));
  SessionTable sessions(sessions_file, pools,
                        {.most_active = static_cast<std::size_t>(options.integer("active")),
                         .memory_of_scores = memory_of_scores(options),
                         .tells_users_apart = access.tells_users_apart()});
  ApiParts parts = {access,
                    sessions,
                    pools,
                    std::string(program_version),
                    options.text("policy"),
                    [&server] {
                      return server_metrics(*server); }};
  brought.remove_leftovers();  // no other server writes there, because the file of searches is ours
  parts.bring_records = [&brought](std::span<const BroughtRecords> files, const ReadingOfFile& as, const std::string& user) {
    return brought.bring(files, as, user);
  };
  parts.remove_records = [&brought](const std::string& path) { brought.remove(path); };
  parts.title_records = [&brought](const std::string& path, const std::string& title) { brought.set_title(path, title); };
  Api api(std::move(parts));
  api_place = &api;
  sessions_place = &sessions;
  const std::string origin = origin_of(options, server->port());
  say_where(access, origin, sessions_file, options.has("open"), options.has("listen") || options.has("host"));
  const std::jthread ways_in([&](const std::stop_token& stop) { give_ways_in(stop, access, origin); });
  server->run();
  for (const ServedPool* const pool : pools.all()) pool->pool().check_unchanged();
  return ExitCode::ok;
}

}  // namespace

Command serve_command() { return command_of(serve_options(), serve); }

}  // namespace inkling
