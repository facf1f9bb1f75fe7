// Inkling for C++: pools of texts. An open one gives what a policy takes: `OpenedPool::view()`.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <inkling/inkling.hpp>

#include "io/corpus/pool/open/opened_pool.hpp"

namespace inkling {

/// Valid UTF-8. The id and the label may be empty.
struct PoolText {
  std::string_view text;
  std::string_view id = {};
  std::string_view label = {};
};

/// Makes a pool in this folder, in place of one that is there, as `inkling build` makes it without options. Throws SystemError;
/// FormatError where no word is left, on a repeated id, and on text that is no UTF-8. Then the folder is as it was. `vectors`: the
/// numbers of a vector for each text, one text after the other, from which `inkling` learns beside the words; or none. FormatError
/// where they are not as many for each text, or one is not finite.
void build_pool(const std::string& folder, std::span<const PoolText> texts, std::span<const float> vectors = {});

}  // namespace inkling
