#include "io/corpus/unpack/archived_links.hpp"

#include <set>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/utf8.hpp"

namespace inkling {
namespace {

std::string folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? std::string_view() : path.substr(0, slash));
}

// The first part of a path, which is taken off it.
std::string_view take_part(std::string_view& path) {
  const std::size_t slash = path.find('/');
  const std::string_view part = path.substr(0, slash);
  path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
  return part;
}

bool is_below(std::string_view path, std::string_view folder) {
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

// The target of a link as a path from the root of the archive; empty if it is outside the archive.
std::string target_of(const ArchivedLink& link) {
  if (!link.symbolic) return tidy_path(link.target);
  if (link.target.starts_with('/')) return {};
  return tidy_path(joined_path(folder_of(tidy_path(link.path)), link.target));
}

}  // namespace

std::string tidy_path(std::string_view path) {
  std::string tidy;
  while (!path.empty()) {
    const std::string_view part = take_part(path);
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      if (tidy.empty()) return {};
      tidy = folder_of(tidy);
      continue;
    }
    if (!tidy.empty()) tidy += '/';
    tidy += part;
  }
  return tidy;
}

bool is_visible(std::string_view path) {
  while (!path.empty())
    if (take_part(path).starts_with('.')) return false;
  return true;
}

ArchivedLinks::ArchivedLinks(const std::string& archive, const std::vector<ArchivedLink>& links) {
  Targets targets;
  for (const ArchivedLink& link : links) targets.insert_or_assign(tidy_path(link.path), link);
  for (const auto& [path, link] : targets) {
    const std::string end = end_of(path, targets);
    if (!end.empty() && is_visible(path) && !is_below(path, end)) links_to_[end].push_back(path);
  }
  check_nesting(archive);
}

// The path after following all links in it; empty if that leads to nothing within the archive.
std::string ArchivedLinks::end_of(const std::string& path, const Targets& targets) {
  constexpr int most_links = 40;  // as Linux has it
  std::string whole = path;
  for (int followed = 0; followed <= most_links; ++followed) {
    std::string_view rest = whole;
    std::string here;
    auto link = targets.end();
    while (!rest.empty() && link == targets.end()) {
      here = joined_path(here, std::string(take_part(rest)));
      link = targets.find(here);
    }
    if (link == targets.end()) return whole;
    const std::string target = target_of(link->second);
    if (target.empty()) return {};
    whole = rest.empty() ? target : target + "/" + std::string(rest);
  }
  return {};
}

// After unpacking, the inner link would be found through the outer one, too. To find it here would need the tree of all
// folders, so such links are refused.
void ArchivedLinks::check_nesting(const std::string& archive) const {
  std::set<std::string_view> all;
  for (const auto& [end, links] : links_to_) all.insert(links.begin(), links.end());
  for (const auto& [end, links] : links_to_) {
    const auto within = all.lower_bound(end + "/");
    if (within == all.end() || !is_below(*within, end)) continue;
    throw FormatError(archive, fmt::format("expected no link within a folder that another link leads to, found {} and "
                                           "{}: unpack it and name the folder",
                                           quoted_text(*within), quoted_text(links.front())));
  }
}

std::vector<std::string> ArchivedLinks::names_of(std::string_view path) const {
  std::vector<std::string> names;
  for (std::size_t end = path.find('/');; end = path.find('/', end + 1)) {
    const std::string_view beginning = path.substr(0, end);
    const std::string_view rest = path.substr(beginning.size());
    if (const auto found = links_to_.find(beginning); found != links_to_.end() && is_visible(rest.substr(rest.empty() ? 0 : 1)))
      for (const std::string& link : found->second) names.push_back(link + std::string(rest));
    if (end == std::string_view::npos) return names;
  }
}

}  // namespace inkling
