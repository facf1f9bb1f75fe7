#include "io/corpus/fields/seen_names.hpp"

#include <thread>

#include <doctest/doctest.h>

namespace inkling {
namespace {

TEST_CASE("fields and labels of all threads are collected") {
  SeenNames seen(2);
  {
    constexpr int most = 8;
    std::vector<std::jthread> threads;
    threads.reserve(most);
    for (int n = 0; n < most; ++n) {
      threads.emplace_back([&seen, n] {
        for (int i = 0; i < 1000; ++i) seen.note_label(n == 3 && i == 999 ? 0 : 2, n % 2 == 0 ? "x" : "y");
        seen.add({.found = {"text"}, .names = {"text", "id" + std::to_string(n)}, .label_lists = n});
      });
    }
  }
  CHECK(seen.has_field("text"));
  CHECK_FALSE(seen.has_field("id0"));
  CHECK(seen.field_names().size() == 9);
  CHECK(seen.label_lists() == 28);
  CHECK(seen.has_label(0));
  CHECK_FALSE(seen.has_label(1));
  CHECK(seen.other_labels() == std::vector<std::string>{"x", "y"});
  CHECK_FALSE(seen.has_unlabelled());
  seen.note_label(2, "");
  CHECK(seen.has_unlabelled());
}

TEST_CASE("other labels are kept only while a wanted one is missing and only up to a limit") {
  SeenNames seen(1);
  for (int n = 0; n < 10000; ++n) seen.note_label(1, "label " + std::to_string(n));
  const std::size_t kept = seen.other_labels().size();
  CHECK(kept < 1000);
  seen.note_label(0, "wanted");
  seen.note_label(1, "late");
  CHECK(seen.other_labels().size() == kept);
}

}  // namespace
}  // namespace inkling
