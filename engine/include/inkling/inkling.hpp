// Inkling for C++: the engine. A pool is a matrix of documents by features. A policy looks for the documents that a person
// likes in it: it chooses one, you show it, and you pass the policy a rating of the document and the features that made it good or bad.
//
//   #include <inkling/inkling.hpp>
//
//   const inkling::PoolMatrix pool(inkling::CsrMatrix(columns, offsets, features, values));  // compressed sparse rows
//   inkling::PolicyOptions options;
//   options.with_replacement = false;                                                      // each document once
//   inkling::Policy policy(pool.view(), "ff-oful", options, seed);
//   while (!policy.exhausted()) {
//     const inkling::Play play = policy.choose();
//     policy.observe(play.document, rating, marks);                                        // marks may be empty
//   }
//
// A learner of your own becomes a policy by `policy_with` (engine/policy/learner.hpp).
//
// <inkling/pool.hpp> makes pools and opens them, <inkling/search.hpp> keeps searches of them in a file. Memory that you
// own already needs no copy: PoolView takes the arrays of a matrix and those of its transpose. What may be thrown is in
// engine/core/errors.hpp: nothing here prints, exits or aborts.
#pragma once

#include <inkling/version.hpp>

#include "engine/core/errors.hpp"
#include "engine/core/random_stream.hpp"
#include "engine/policy/learner.hpp"
#include "engine/policy/policy.hpp"
#include "engine/policy/policy_options.hpp"
#include "engine/sparse/csr_matrix.hpp"
