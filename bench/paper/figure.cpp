#include "bench/paper/figure.hpp"

namespace inkling::bench {

std::string_view verdict_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::fails:
      return "does not hold";
    case Verdict::not_comparable:
      break;
  }
  return "not comparable";
}

}  // namespace inkling::bench
