// Inkling for C++: pools that `inkling build` made. An open one gives what a policy takes: `OpenedPool::view()`.
#pragma once

#include <inkling/inkling.hpp>

#include "io/corpus/pool/open/opened_pool.hpp"
