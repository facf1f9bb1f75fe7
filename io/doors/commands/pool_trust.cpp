#include "io/doors/commands/pool_trust.hpp"

namespace inkling {

std::vector<Option> pool_trust_options() {
  return {{"check", Flag{}, "", std::nullopt,
           "check the whole pool, even if it passed before and no file has changed since; this finds silent "
           "corruption of the disk"},
          {"trust", Flag{}, "", std::nullopt, "do not compare checksums"}};
}

PoolTrust pool_trust_of(const ParsedOptions& given) {
  if (given.flag("check") && given.flag("trust")) throw UsageError::option("check", "expected without --trust");
  if (given.flag("trust")) return PoolTrust::structure;
  return given.flag("check") ? PoolTrust::renewed : PoolTrust::remembered;
}

}  // namespace inkling
