// Inkling for C++: the one header to include.
//
// A pool is a matrix of documents by features. A policy looks for the documents that a person likes in it: it
// chooses one, you show it, and you tell the policy how good the document was and which features made it so.
//
//   using namespace inkling;
//   const PoolMatrix pool(CsrMatrix(columns, offsets, features, values));   // compressed sparse rows
//   PolicyOptions options;
//   options.with_replacement = false;                                       // each document once
//   Policy policy(pool.view(), *find_preset("ff-oful"), options,
//                 RandomStream(seed, 0, RandomRole::exploration), RandomStream(seed, 0, RandomRole::sampling));
//   while (!policy.exhausted()) {
//     const Play play = policy.choose();
//     policy.observe(play.document, reward, marks);                         // marks may be empty
//   }
//
// Where to read on:
//   presets.hpp         the algorithms by name, and how to add one
//   policy_options.hpp  everything that a policy can be told
//   policy.hpp          the loop: choose, observe, forget
//   batch_scan.hpp      scores of all documents at once, from a model that has learned
//   errors.hpp          what may be thrown: nothing here prints, exits or aborts
//
// Memory that you own already needs no copy: PoolView takes the arrays of a matrix and those of its transpose.
#pragma once

#include "engine/core/errors.hpp"
#include "engine/core/random_stream.hpp"
#include "engine/policy/policy.hpp"
#include "engine/policy/policy_options.hpp"
#include "engine/policy/presets.hpp"
#include "engine/scoring/scan/batch_scan.hpp"
#include "engine/scoring/scan/dual_scan.hpp"
#include "engine/sparse/csr_matrix.hpp"
