// `inkling about`: shows which build this is and what it runs on.
#include <string>

#include <boost/version.hpp>
#include <fmt/format.h>
#include <tbb/version.h>

#include "io/base/file/json_writer.hpp"
#include "io/base/process/build_info.hpp"
#include "io/base/process/thread_limit.hpp"
#include "io/doors/cli/terminal.hpp"
#include "io/doors/commands/commands.hpp"

namespace inkling {
namespace {

struct Facts {
  std::string tbb = TBB_runtime_version();
  std::string fmt = fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100);
  std::string boost = fmt::format("{}.{}.{}", BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100);
  int threads = available_threads();
  TerminalFacts terminal = terminal_facts(Stream::output);
};

std::string json_of(const Facts& facts) {
  JsonWriter json;
  json.begin_object();
  json.member("program", "inkling").member("version", program_version);
  json.member("compiler", compiler).member("build_type", build_type);
  json.key("libraries").begin_object();
  json.member("tbb", facts.tbb).member("fmt", facts.fmt).member("boost", facts.boost).end_object();
  json.member("threads", facts.threads);
  json.key("terminal").begin_object();
  json.member("is_terminal", facts.terminal.is_terminal);
  json.member("colour", facts.terminal.colour == Colour::on);
  json.member("columns", facts.terminal.columns).end_object();
  json.end_object();
  return json.take();
}

std::string text_of(const Facts& facts) {
  const Style style(facts.terminal.colour);
  std::string text = style.bold(fmt::format("inkling {}", program_version)) + "\n";
  text += fmt::format("  compiler    {}, {}\n", compiler, build_type);
  text += fmt::format("  libraries   TBB {}, fmt {}, Boost {}\n", facts.tbb, facts.fmt, facts.boost);
  text += fmt::format("  threads     {}\n", facts.threads);
  text += facts.terminal.is_terminal ? fmt::format("  terminal    {} columns, colour {}\n", facts.terminal.columns,
                                                   facts.terminal.colour == Colour::on ? "on" : "off")
                                     : std::string("  terminal    none: standard output goes elsewhere\n");
  return text;
}

int about(const ParsedOptions& options) {
  const Facts facts;
  fmt::print("{}", options.flag("json") ? json_of(facts) + "\n" : text_of(facts));
  return ExitCode::ok;
}

}  // namespace

Command about_command() {
  OptionTable table({.command = "inkling about",
                     .purpose = "Shows which build this is and what it runs on.",
                     .example = "inkling about --json",
                     .groups = {{.heading = "Output", .options = {{.name = "json", .help = "print one JSON object"}}}}});
  return command_of(std::move(table), about);
}

}  // namespace inkling
