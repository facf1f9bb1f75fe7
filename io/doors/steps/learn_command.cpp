// `inkling parts learn`: what events teach, kept for scoring the shards of a set one by one, anywhere.
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "io/base/file/digit_groups.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/process/build_info.hpp"
#include "io/base/process/stopwatch.hpp"
#include "io/base/process/thread_limit.hpp"
#include "io/doors/cli/learning_options.hpp"
#include "io/doors/cli/terminal.hpp"
#include "io/doors/cli/threads_option.hpp"
#include "io/doors/commands/output_check.hpp"
#include "io/doors/commands/score/teaching_options.hpp"
#include "io/doors/steps/parts.hpp"
#include "io/parts/model/collection.hpp"
#include "io/parts/model/model_file.hpp"
#include "io/search/score/score_pass.hpp"

namespace inkling {
namespace {

OptionTable learn_option_table() {
  OptionGroup running = {"Running", pool_access_options()};
  running.options.push_back(threads_option());
  OptionTable::Description description = {
      "inkling parts learn",
      "Learns from events, and keeps what was learned. With it `inkling parts score` scores the shards of a "
      "set one by one, anywhere.",
      "inkling parts learn corpus/set.json --events me.jsonl --out model",
      {event_options(),
       model_options(),
       {"What comes out",
        {{"out", Path{}, "MODEL", std::nullopt,
          "the folder to make, whole or not at all; one that is there is never replaced, but the same one is "
          "found again",
          Option::Need::required}}},
       running},
      {"POOL...", "a set (set.json), one pool, or several with the same features", 1, SIZE_MAX}};
  description.common = {"events", "out", "policy"};
  return OptionTable(std::move(description));
}

std::string line_of_learning(std::string_view text) { return fmt::format("inkling parts learn: {}\n", visible_text(text)); }

void learn_model(const TeachingOptions& options, const std::string& out, const std::string& learning_text) {
  FolderStaging staging(model_kind(), out);
  const Stopwatch watch;
  const PoolSet pools = PoolSet::open(options.pools, options.access, options.trust);
  const ScoreUsers users = learn_users(pools, options.event_files, options.rules, options.policy, options.learning);
  for (const std::string& text : users.remarks) tell(line_of_learning(text));
  const ModelOrigin origin = {
      .collection = collection_checksum(pools),
      .shape = {.documents = pools.documents(), .features = pools.features(), .features_in_use = users.features_in_use},
      .policy = std::string(options.policy.name),
      .options = learning_text,
      .replays = options.rules.replays};
  pools.check_unchanged();
  const Published published = write_model(staging, users, origin, std::string(program_version));
  tell_summary([&] {
    std::string text = fmt::format("{} by {} of {} in {:.3f} s", counted(std::ssize(users.logs), "user", "users"),
                                   counted(users.features_in_use, "feature", "features"),
                                   counted(pools.documents(), "document", "documents"), watch.seconds());
    if (published == Published::before) text += fmt::format("; {} was there already", out);
    if (users.skipped() > 0) text += fmt::format("; {} skipped", counted(users.skipped(), "bad event", "bad events"));
    return line_of_learning(text);
  });
}

int learn(const ParsedOptions& given) {
  const TeachingOptions options = teaching_options_of(given);
  const NamedFile output = {"--out", given.text("out")};
  refuse_overwriting(std::span(&output, 1), files_called("--events", options.event_files), options.pools);
  ThreadLimit limit(options.threads);
  limit.run([&] { learn_model(options, output.path, learning_options_text(given)); });
  return ExitCode::ok;
}

}  // namespace

Command learn_step() { return command_of(learn_option_table(), learn); }

}  // namespace inkling
