#include "io/corpus/text/function_words.hpp"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "io/base/file/utf8.hpp"

namespace inkling {
namespace {

// Articles, pronouns, prepositions, conjunctions, auxiliary verbs and small numbers, of all languages in one list. Words that
// say something in English ("men", "die", "sera") are left out.
constexpr std::string_view kFunctionWords =
    "a aan aber about above across after again against agli ai al algo algunas algunos all alla alle allem allen "
    "aller alles allo als also although altijd am among an anche and ante antes any ao aos aquela aquele are as "
    "at até au auch aucun auf aus aux avait avant avec avoir back be because been before bei beim being below "
    "between bij bin bis bist both but by c can cannot ce cela ces cet cette che chez chi ci col com come comme "
    "como con contra could cual cuando cui d da dabei dagli dai dal dalla dalle damit dan dann dans das dass "
    "dasselbe dat dazu de degli dei dein deine del dela dele della delle dello dem den denn depuis der deren des "
    "desde dessen deze di did dies diese diesem diesen dieser dieses dit do doch doen does doing donc donde done "
    "dont dort dos dove du durante durch during dus e each een eg eight ein eine einem einen einer eines either "
    "el ela elas ele eles ella ellas elle elles ellos em en entre er era eran erano es esa esas ese eso esos "
    "essa esse essere est esta estaba estado estas este esto estos está están et etc etwas eu euch euer every "
    "fait few five foi for foram four fra from fue fueron further für ge geen gegen gli ha habe haben había had "
    "han hanno has hasta hat hatte hatten have having he heb hebben heeft hem her here hers het hier hij him "
    "hinter his ho hoe how however hun há i ich ie if ihm ihn ihnen ihr ihre ihrem ihren ihrer ik il ils im in "
    "indem ins into io is isso ist isto it its itself j ja je jede jedem jeden jeder jedes jedoch jene just já "
    "kan kann kein keine keinem keinen keiner kunnen können könnte l la las le lei les leur leurs lhe li lo loro "
    "lors los lui m ma maar machen mais man many mas may me meer mehr mein meine mes mesmo met meu mich might "
    "mij minha mir mit moet moins mon more most much mucho muchos muito muss musste must muy my más même mí n na "
    "naar nach nas ne negli nei neither nel nella nelle nello nem ni nicht nichts niet nine no noch nog noi non "
    "nor nos nosotros nossa nosso not notre nous nu nuestra nuestro nun nur não o ob oder of off ohne om omdat "
    "on once onder one only ons ont ook op or other otra otras otro otros ou our ours out over own où par para "
    "pas pela pelas pelo pelos pendant per perché pero peu più plus poco por porque qu qual quale quando que "
    "quel quella quelle quelli quello quem questa queste questi questo qui quien quienes qué rather s sa same "
    "sans se sehr sei sein seine seinem seinen seiner seit selon sem ser ses seu seus seven several shall she "
    "should si sia sich sido sie since sind six so sobre solche soll sollte some sondern sonst sont sous sowie "
    "su sua suas such sue sui sul sulla sulle suo sur sus são sí só t ta también também tanto te tegen tem ten "
    "tes than that the their theirs them then there these they this those though three through thus tiene tienen "
    "to toch todo todos toen too tot tous tout toute toutes tra tu tus two u uit um uma un una unas und under "
    "une uno unos uns unser unter until up upon us use used using van veel versus very vi via viel você voi vom "
    "von voor vor vos votre vous vs waren warum was wat we weil weiter welche welchem welchen welcher wenn wer "
    "werd werde werden were wezen what when where whether which while who whom whose why wie wieder wij wil will "
    "wir wird with within without wo worden wordt would wurde wurden während würde y ya yet yo you your yours "
    "zal ze zelf zich zij zijn zo zonder zou zu zum zur zwar zwischen à è é él étaient était été être über";

bool is_function_word(std::string_view word) {
  static const std::unordered_set<std::string_view> words = [] {
    std::unordered_set<std::string_view> all;
    for (std::string_view rest = kFunctionWords; !rest.empty();) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      all.insert(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return all;
  }();
  return words.contains(word);
}

// Whether it has no two letters in a row: "22", "1a", "x".
bool is_number_or_letter(std::string_view word) {
  bool is_letter_before = false;
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_letter = (c >= 'a' && c <= 'z') || byte >= 0x80U;
    if (is_letter && is_letter_before) return false;
    is_letter_before = is_letter;
  }
  return true;
}

}  // namespace

bool says_nothing(std::string_view term) {
  while (!term.empty()) {
    const std::size_t end = std::min(term.find(' '), term.size());
    const std::string word = ascii_lower_case(term.substr(0, end));
    if (is_function_word(word) || is_number_or_letter(word)) return true;
    term.remove_prefix(std::min(end + 1, term.size()));
  }
  return false;
}

}  // namespace inkling
