#include "io/doors/steps/parts.hpp"

namespace inkling {

CommandGroup parts_of_work() {
  return {.task = "More",
          .commands = {plan_step(), count_step(), merge_step(), build_step(), join_step(), learn_step(), score_step(),
                       merge_scores_step()},
          .word = "parts",
          .purpose =
              "Builds and scores in parts what is too large for one machine. The steps may run on any "
              "machines that see the same files, and what comes out is that of one machine, to the last bit. "
              "A step may be killed and run again: an output that is there whole is kept."};
}

}  // namespace inkling
