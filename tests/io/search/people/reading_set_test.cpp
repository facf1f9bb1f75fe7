// Settings of a search with the documents that two people read.
#include "io/search/people/reading_set.hpp"

#include <string>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/search/session/kept_search_form.hpp"

namespace inkling {
namespace {

const ReadingSet kSet = {"0123456789abcdef", {"bob", "e\"ve"}, "ada", "dan", false, {5, 0, 7}};

TEST_CASE("a set reads back from the settings as it was written and leaves other settings unchanged") {
  for (const std::string options : {"{}", R"({"lambda":0.5})", R"({"lambda":0.5,"radius":"automatic"})"}) {
    std::string all = options_with(options, kSet);
    CHECK(take_reading_set(all) == kSet);
    CHECK(all == options);
    CHECK_FALSE(take_reading_set(all).has_value());
  }
}

TEST_CASE("a search with a set offers the documents of the set alone, and an invalid set is refused") {
  SessionFacts facts;
  facts.policy = "inkling";
  facts.options = options_with("{}", kSet);
  CHECK(settings_of_search(facts, nullptr).set == kSet.documents);
  facts.options = "{}";
  CHECK(settings_of_search(facts, nullptr).set.empty());

  for (std::string wrong :
       {R"({"reading":1})", R"({"reading":{}})", R"({"reading":{"pair":"a","readers":["b"],"documents":[1]}})",
        R"({"reading":{"pair":"a","readers":["b","c"],"documents":[-1]}})",
        R"({"reading":{"pair":"a","readers":["b","c"],"documents":[]}})",
        R"({"reading":{"pair":"a","readers":["b","c"],"documents":[1],"more":1}})"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(static_cast<void>(take_reading_set(wrong)), FormatError);
  }
}

}  // namespace
}  // namespace inkling
