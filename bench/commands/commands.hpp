// The commands of the program `inkling-bench`, a source file each; README.md says what each is for.
#pragma once

#include "bench/studies/figure.hpp"
#include "io/cli/command_line.hpp"

namespace inkling::bench {

[[nodiscard]] Command demo_command();
[[nodiscard]] Command simulate_command();
/// `paper` and `beyond`. Lifetime: lends the programme.
[[nodiscard]] Command programme_command(const Programme& programme);
[[nodiscard]] Command corpus_command();
[[nodiscard]] Command ingest_command();
[[nodiscard]] Command scale_command();
[[nodiscard]] Command race_command();

}  // namespace inkling::bench
