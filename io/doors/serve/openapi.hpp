// The description of the interface, in the form of OpenAPI 3.1.
#pragma once

#include <string>

namespace inkling {

/// openapi.json written out, with the address of each request that a search answers, of which only the table of requests knows.
/// Lifetime: that of the program. Thread safety: any number of threads.
[[nodiscard]] const std::string& openapi_text();

}  // namespace inkling
