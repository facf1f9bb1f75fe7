#include "io/corpus/fields/record_fields.hpp"

#include <doctest/doctest.h>

namespace inkling {
namespace {

TEST_CASE("fields of a record are one JSON object in order and a repeated name becomes a list") {
  RecordFields fields;
  CHECK(fields.json().empty());
  fields.add("title", "A \"quoted\"\nline");
  fields.add("authors", "Ada");
  fields.add_json("year", "1843");
  fields.add("authors", "Bob");
  fields.add("authors", "");
  CHECK(fields.json() == R"({"title":"A \"quoted\"\nline","authors":["Ada","Bob",""],"year":1843})");
  fields.clear();
  CHECK(fields.empty());
  CHECK(fields.json().empty());
  fields.add("", "");
  CHECK(fields.json() == R"({"":""})");
}

TEST_CASE("the role of a field is known by its name whatever its case and accents and signs") {
  CHECK(role_of_field("Article Title") == FieldRole::title);
  CHECK(role_of_field("TI") == FieldRole::title);
  CHECK(role_of_field("Áuthórs") == FieldRole::authors);
  CHECK(role_of_field("Include?") == FieldRole::rating);
  CHECK(role_of_field("label_included") == FieldRole::rating);
  CHECK(role_of_field("Publication Year") == FieldRole::year);
  CHECK_FALSE(role_of_field("colour"));
  CHECK_FALSE(role_of_field(""));
  CHECK_FALSE(role_of_field("\xFF\xFE"));
}

}  // namespace
}  // namespace inkling
