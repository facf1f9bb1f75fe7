// The data sets in miniature, as files of an archive or below a folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/base/file/output_file.hpp"
#include "tests/support/io/archive_builder.hpp"

namespace inkling::test {}

namespace inkling::bench::test {

using namespace inkling::test;  // tests name helpers of both as test::

using inkling::test::ArchivedFiles;

inline void write_folder(const std::string& folder, const ArchivedFiles& files) {
  for (const auto& [name, content] : files) {
    const std::filesystem::path path = std::filesystem::path(folder) / name;
    std::filesystem::create_directories(path.parent_path());
    write_file(path.string(), content);
  }
}

/// Six messages of each of the paper's topics, most of them with words of the topic, and one message of another topic.
inline ArchivedFiles small_newsgroups() {
  const std::vector<std::pair<std::string, std::vector<std::string>>> topics = {
      {"comp.graphics", {"image", "pixel", "polygon"}},
      {"misc.forsale", {"sale", "offer", "shipping"}},
      {"rec.autos", {"car", "engine", "dealer"}},
      {"sci.med", {"doctor", "disease", "treatment"}},
      {"talk.politics.mideast", {"peace", "war", "treaty"}},
      {"alt.atheism", {"doubt", "belief", "reason"}}};
  ArchivedFiles files;
  for (const auto& [topic, words] : topics) {
    for (std::size_t n = 0; n < 6; ++n) {
      const std::string part = n < 4 ? "20news-bydate-train/" : "20news-bydate-test/";
      files.emplace_back(part + topic + "/" + std::to_string(100 + n),
                         "Subject: the caf\xE9\n\n" + words[n % 3] + " " + words[(n + 1) % 3] + " 42 lines\n");
    }
  }
  return files;
}

inline std::string annotation(const std::string& name, const std::string& judgement, const std::string& phrase) {
  return R"({"annotation_id": ")" + name + R"(", "classification": ")" + judgement + R"(", "evidences": [[{"docid": ")" + name +
         R"(", "text": ")" + phrase + "\"}]]}\n";
}

/// Four annotated reviews of each judgement, one without an annotation, and one that is annotated twice.
inline ArchivedFiles small_reviews() {
  ArchivedFiles files = {{"movies/docs/posR_4.txt", "great film , a great and moving story"},
                         {"movies/docs/posR_1.txt", "a great story"},
                         {"movies/docs/posR_2.txt", "moving and great"},
                         {"movies/docs/posR_3.txt", "the story is great \xFF"},
                         {"movies/docs/negR_1.txt", "a bad film"},
                         {"movies/docs/negR_2.txt", "bad and boring story"},
                         {"movies/docs/negR_3.txt", "boring , boring film"},
                         {"movies/docs/negR_4.txt", "it was bad"},
                         {"movies/docs/posR_9.txt", "nobody annotated this one"}};
  files.emplace_back("movies/train.jsonl",
                     annotation("posR_4.txt", "POS", "A GREAT and unheard of") + annotation("posR_1.txt", "POS", "great") +
                         annotation("posR_2.txt", "POS", "moving and great") + annotation("negR_1.txt", "NEG", "bad film") +
                         annotation("negR_2.txt", "NEG", "boring story") + annotation("negR_3.txt", "NEG", "boring"));
  files.emplace_back("movies/test.jsonl", annotation("posR_3.txt", "POS", "is great") +
                                              annotation("negR_4.txt", "NEG", "it was") +
                                              annotation("posR_1.txt", "NEG", "story"));
  files.emplace_back("movies/val.jsonl", "nobody looks at this");
  return files;
}

/// A systematic review of 24 records. Every fourth one is relevant and says so in words of its own; one has no abstract.
inline std::string small_screened_review() {
  std::string lines;
  for (int n = 0; n < 24; ++n) {
    const bool relevant = n % 4 == 0;
    const std::string abstract = relevant ? "statins lower the pressure of patients" : "ships and the sea at night";
    lines += R"({"id": "r-)" + std::to_string(n) + R"(", "title": "number w)" + std::to_string(n % 7) +
             R"( of many", "abstract": )" + (n == 5 ? "null" : "\"" + abstract + "\"") + R"(, "included": )" +
             (relevant ? "1" : "0") + "}\n";
  }
  return lines;
}

}  // namespace inkling::bench::test
