#include "bench/report/page_style.hpp"

#include <string_view>

#include <fmt/format.h>

#include "bench/report/svg_chart.hpp"

namespace inkling::bench {
namespace {

constexpr std::string_view kLayout = R"(
body { margin: 0 auto; max-width: 1240px; padding: 2rem 1rem 4rem; color: var(--ink); background: var(--paper);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .6rem; }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 2.6rem 0 .4rem; }
h3 { font-size: 1.05rem; line-height: 1.3; margin: 1.6rem 0 .3rem; }
p { margin: .6rem 0; max-width: 44rem; }
p.summary { font-size: 1.15rem; }
p.note, figcaption, summary { color: var(--muted); font-size: .9rem; }
a { color: var(--link); }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 380px), 1fr)); gap: 1rem; margin: 1rem 0; }
figure { margin: 0; max-width: 38rem; break-inside: avoid; }
figure svg { display: block; width: 100%; height: auto; border: 1px solid var(--line); border-radius: 6px; }
figcaption { margin: .4rem .2rem 0; }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .8rem .3rem 0; text-align: left; white-space: nowrap; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--muted); }
table.words td { white-space: normal; vertical-align: top; }
table.words td:first-child { white-space: nowrap; }
.number { text-align: right; }
summary { cursor: pointer; }
pre { margin: .6rem 0; padding: .6rem .8rem; border: 1px solid var(--line); border-radius: 6px; font-size: .85rem;
  white-space: pre-wrap; overflow-wrap: anywhere; }
)";

constexpr std::string_view kParts = R"(
ul.contents { columns: 22rem; column-gap: 2rem; margin: .6rem 0; padding: 0; list-style: none; }
ul.contents li { margin: 0 0 .35rem; break-inside: avoid; }
ul.contents small { color: var(--muted); }
.tallies { display: flex; flex-wrap: wrap; gap: .8rem; margin: 1rem 0; padding: 0; list-style: none; }
.tallies li { padding: .5rem 1.1rem .5rem .9rem; border: 1px solid var(--line); border-left: .3rem solid currentColor;
  border-radius: 6px; }
.tallies b { font-size: 1.6rem; line-height: 1.2; margin-right: .4rem; }
.good { color: var(--good); }
.bad { color: var(--bad); }
.neutral { color: var(--muted); }
.verdict { font-weight: 600; white-space: nowrap; }
ul.statements { margin: 1rem 0; padding: 0; list-style: none; max-width: 46rem; }
ul.statements > li { margin: 0 0 1rem; padding-left: .8rem; border-left: .2rem solid var(--line); break-inside: avoid; }
ul.statements p { margin: 0 0 .3rem; }
ul.statements dl { display: flex; flex-wrap: wrap; gap: 0 1.4rem; margin: 0 0 .3rem; font-size: .9rem;
  font-variant-numeric: tabular-nums; }
ul.statements dt, ul.statements dd { display: inline; margin: 0; }
ul.statements dt { color: var(--muted); }
table.statements { max-width: 62rem; }
table.statements td { white-space: normal; vertical-align: top; }
table.statements td:first-child, table.statements td:last-child { white-space: nowrap; }
@media (max-width: 40rem) {
  table.words td:first-child { white-space: normal; min-width: 6rem; }
  table.statements, table.statements tbody { display: block; }
  table.statements tr { display: grid; grid-template-columns: auto 1fr; padding: .4rem 0;
    border-bottom: 1px solid var(--line); }
  table.statements td { padding: 0; border: 0; }
  table.statements td:nth-child(2) { grid-area: 2 / 1 / 3 / 3; }
  table.statements td:last-child { text-align: right; white-space: normal; overflow-wrap: anywhere; }
}
@media print {
  body { padding: 0; font-size: 11pt; }
  .figures { grid-template-columns: 1fr 1fr; }
  .figures > :only-child { grid-column: 1 / 3; max-width: 26rem; }
  .wide { overflow: visible; }
  table { font-size: 8pt; }
  th, td { padding-right: .5rem; }
  h2, h3, summary { break-after: avoid; }
  tr { break-inside: avoid; }
  a { color: inherit; text-decoration: none; }
  details::details-content { content-visibility: visible; }
}
)";

}  // namespace

std::string page_style() {
  // Paper is white, whatever the screen was.
  return fmt::format(
      ":root {{ color-scheme: light dark; --paper: #ffffff; --ink: #1c2126; --muted: #5b6470; "
      "--line: #dfe3e8; --link: #0b5cad; --good: #00704f; --bad: #b3261e; }}\n"
      "@media screen and (prefers-color-scheme: dark) {{ :root {{ --paper: #14171a; --ink: #e8ebee; "
      "--muted: #a3adb8; --line: #2b3137; --link: #7cb8f2; --good: #4fc79b; --bad: #f2918a; {}}} }}\n{}{}",
      svg_colours_on_black(), kLayout, kParts);
}

}  // namespace inkling::bench
