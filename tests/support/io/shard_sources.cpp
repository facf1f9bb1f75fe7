#include "tests/support/io/shard_sources.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>

#include "tests/support/io/shard_builds.hpp"

namespace inkling::test {
namespace {

std::string text_at_random(RandomStream& random) {
  static const std::vector<std::string> rare = {"naïve", "ΣΑΣ", "東京", "an_uncommonly_long_word_that_is_no_key"};
  std::string text;
  for (std::uint64_t n = random.below(25); n > 0; --n) {
    text += random.coin(0.1) ? rare[random.below(rare.size())] : "w" + std::to_string(random.below(1 + random.below(60)));
    text += random.coin(0.9) ? " " : ", ";
  }
  return text;
}

// A folder in which each document is a file.
std::vector<std::string> random_folder(const std::string& folder, RandomStream& random) {
  const std::string root = folder + "/sources";
  for (std::uint64_t n = random.below(40); n > 0; --n) {
    const std::string topic = root + "/topic" + std::to_string(random.below(3));
    std::filesystem::create_directories(topic);
    std::ofstream(topic + "/" + std::to_string(n), std::ios::binary) << text_at_random(random);
  }
  std::filesystem::create_directories(root);
  return {root};
}

}  // namespace

std::vector<std::string> random_corpus(const std::string& folder, const std::string& format, RandomStream& random) {
  if (format == "dir") return random_folder(folder, random);
  std::vector<std::string> sources;
  const bool labelled = random.coin(0.7);
  for (int file = 0; file < 3; ++file) {
    sources.push_back(folder + "/source" + std::to_string(file));
    std::ofstream out(sources.back(), std::ios::binary);
    if (format == "csv") out << "text,id,label\n";
    if (format == "tsv") out << "text\tid\tlabel\n";
    for (std::uint64_t n = random.below(60); n > 0; --n) {
      const std::string label = labelled && random.coin(0.3) ? "topic " + std::to_string(random.below(5)) : "";
      std::string id;  // unique
      if (random.coin(0.2)) id = "id" + std::to_string(random.below(1000)) + "." + std::to_string(n) + "." + std::to_string(file);
      if (format == "lines") out << text_at_random(random) << '\n';
      if (format == "csv")
        out << '"' << text_at_random(random) << (random.coin(0.3) ? "\n\"\"x\"\"\n" : "") << "\"," << id << ',' << label << '\n';
      if (format == "tsv") out << text_at_random(random) << '\t' << id << '\t' << label << '\n';
      if (format == "jsonl")
        out << R"({"text": ")" << text_at_random(random) << R"(", "id": ")" << id << R"(", "label": ")" << label << '"'
            << (random.coin(0.2) ? R"(, "year": )" + std::to_string(random.below(99)) : "") << "}\n";
    }
  }
  return sources;
}

TextRecipe random_recipe_of_parts(RandomStream& random) {
  TextRecipe recipe;
  if (random.coin(0.3)) recipe.stop_words = {"w0", "w3"};
  recipe.longest_ngram = random.coin(0.5) ? static_cast<std::int32_t>(2 + random.below(2)) : 1;
  if (random.coin(0.3)) recipe.shortest_ngram = recipe.longest_ngram;
  recipe.min_documents_of_runs = static_cast<std::int64_t>(1 + random.below(3));
  if (random.coin(0.4)) recipe.min_documents = {DocumentThreshold::Kind::count, 3.0};
  if (random.coin(0.4)) recipe.max_documents = {DocumentThreshold::Kind::share, 0.3};
  if (random.coin(0.4)) recipe.max_features = static_cast<std::int64_t>(1 + random.below(30));
  recipe.weight = static_cast<TermWeight>(random.below(3));
  recipe.idf = static_cast<IdfKind>(random.below(3));
  recipe.norm = static_cast<RowNorm>(random.below(3));
  return recipe;
}

std::string file_with(const std::string& folder, const std::string& name, const std::string& text) {
  std::ofstream(folder + "/" + name, std::ios::binary) << text;
  return folder + "/" + name;
}

BuildPlan four_parts(const TemporaryFolder& folder, const TextRecipe& recipe) {
  RandomStream random(40, 0, RandomRole::pool);
  std::string text;
  for (int n = 0; n < 200; ++n) text += text_at_random(random) + "\n";
  SourceOptions lines;
  lines.format = "lines";
  const std::string source = file_with(folder.path().generic_string(), "lines.txt", text);
  // A time of whole seconds can be set again on every system.
  std::filesystem::last_write_time(source, std::chrono::floor<std::chrono::seconds>(std::filesystem::last_write_time(source)));
  return plan_for({source}, lines, recipe, TextKeeping::keep, 4);
}

}  // namespace inkling::test
