// What requests about the searches of a file are answered with, as openapi.json says.
#pragma once

#include <span>
#include <string>

#include "io/doors/serve/session_table.hpp"

namespace inkling {

[[nodiscard]] std::string session_answer(ServedSearch& search);
[[nodiscard]] std::string session_list_answer(std::span<const SessionTable::Line> lines);

}  // namespace inkling
