#include "io/corpus/text/encoding_guess.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include <unicode/uchar.h>
#include <unicode/ucnv.h>
#include <unicode/ucnv_cb.h>
#include <unicode/ucnv_err.h>
#include <unicode/uscript.h>

#include "io/base/file/utf8.hpp"
#include "io/corpus/text/decoding.hpp"

namespace inkling {
namespace {

// Beyond so many bytes the rest of a text says nothing new.
constexpr std::size_t kMostEvidence = std::size_t{1} << 14U;

struct CloseHandle {
  void operator()(UConverter* converter) const { ucnv_close(converter); }
};
using OwnedConverter = std::unique_ptr<UConverter, CloseHandle>;

OwnedConverter converter_of(const char* name) {
  UErrorCode failure = U_ZERO_ERROR;
  OwnedConverter converter(ucnv_open(name, &failure));
  return U_FAILURE(failure) != 0 ? nullptr : std::move(converter);
}

/// An encoding that a text may have. Numbers are bits: how much it surprises that a text has this, so less is likelier.
struct Candidate {
  const char* name;
  UScriptCode script;
  std::u16string_view letters;  ///< of its languages, the most frequent first
  double first;                 ///< the most frequent letter
  double last;                  ///< the least frequent one; of characters of two bytes, each that is not among the frequent ones
  double rarity;                ///< the encoding itself
  int first_lead = 0;           ///< of two bytes: the characters that are in daily use
  int last_lead = 0;
};

// In order of how often words that hold them are used, as wordfreq 3.1 (R. Speer) counts them, and of Thai the Thai National
// Corpus.
constexpr std::u16string_view kSimplified =
    u"的是一在不人有了我国这为中个大会们他来和年上以要到时对么能你就发可地生家出也说于学后成与过行用日多自现都没作下得开经"
    u"还法动好方而公子事分之民主里政看吗本月所天新业同全定部最其进如前机美那当工关实小被但因长样理等什道去些面很心间区内电"
    u"然力起体只着从并者高加想文问种员重及点将意合产三外由市无女已制网第情场名应西代正表真此位题相明资计建利系化期特性度果"
    u"次给让两通教任比该东活手世提或使她物数立认怎知结入更总务话斯统目社展战做设安别信影己受解军司回把保平常见向海变报治台"
    u"爱品北何接界论组件权选府议少它共运车至记又原金身式老路决科联视口处各持站量交万直反南打据基始再快水门十感程导传院才放"
    u"今术强元完号图规改管划亚领际单头二尔需布达队片求非历每书指马广党几太先带游城办球色觉义级师专类约集告技团取儿参克史服"
    u"格候调包请德必拉乐许造确气难吧收证称语山死线示条像流命根则近济京听英士价推标举争友干支委四续况准形男望官且走失言备容"
    u"观华港质案钱查整未费空转较众神商风校字香啊首州料育创织却照亲识消研离具算欢哪型注源护连节周即投获音清增供五孩光项张息"
    u"白构省律声演农究器边步喜局医象写除境思赛装谁跟便杀击响职助易版希属住洲巴星企引找试考列罗存须越态群县功纪复超害戏显族"
    u"维深责值买足环模极协花断客警吃王百段验切往早终另远够独精习营括革岁曾评随例黑错继米林预玩故份速闻效致火妈阿呢拿兰采热"
    u"房病户限艺严仅录江势控察满优兴绝土施宣武患疗临床析健康童药症疾综述";
constexpr std::u16string_view kTraditional =
    u"的是一在不人有了我國這中個大會們他來和年上以要到時對麼能你就可地生發家出也說於學後成與過行用日多自現都沒作下得開經還"
    u"法動好方而公子事分之民主政看嗎本月所天新業全同定部最其進如前機美那當工關實小被但因長樣理等什道去些很心面間區內電然力"
    u"起體從者高加想文問種員重並只及點將意合產三外由市無女已網第情場名應西代正真此表位題相明資計建利化期特性度果次給讓兩通"
    u"教任比該東活手世提或使她物數立認怎知結入更總制務話斯統目社展戰做設安別信影己受解軍司把保平常見海變報向治愛品北回何接"
    u"界論組件權選府議臺少它共運車至記又原金身式老路決科聯視口處各持站量交萬直反南打據基始再快水門十感程導傳院放今術強元完"
    u"號圖規改管亞劃領際系單頭二爾需達才隊片求非每書指馬廣黨歷幾太先帶城辦球色覺義級師專類約集告技團取兒史參服格克候調包請"
    u"德必拉樂許遊造確氣難吧收證稱語山死線示條像流命根則近濟京聽英士價推標舉爭友支委四續況形男望官且走失言備容觀華港質案錢"
    u"查整未費空轉較神商風校字香啊首州料育創佈織卻照親識消研離算歡哪型源護連節具即準投音清增供五孩光項張息白構獲省律聲演農"
    u"究器邊步喜醫象寫除境思賽裝誰跟便殺擊響職局助易版希屬住洲巴星企引找試考列羅存越須態縣功紀超害戲顯族維深責值買足環注幹"
    u"模極協花斷客警王喫百段驗切往早終另遠夠獨精習營括革歲曾評隨例黑錯繼米林預玩故份速聞效里火媽阿呢拿蘭熱係房病戶限藝嚴僅"
    u"錄江勢控察滿採致優興絕土施宣武止負尼謝食患療臨牀析健康童藥症疾綜述";
constexpr std::u16string_view kKana =
    u"のいてなにたしでるとはがかっをすーもらうんれまだこンりくあよさけきそスイトやおどえルわちッラリめつクアねじせみゃろタ"
    u"ドレロシばカマジフプコメバムテチキグサずょごブャオニデパィナウビエほュダべミげへセツズョハモネベガポぎボェケワノソび"
    u"ピむぶホぞゲぐァひヤペぁゴぜざギザゆぱヒふォぼづぇユぬヘゼヨぽヴ・ヶ゚ゾゅぉヌ゙ぷぴゥぅ";
constexpr std::u16string_view kKanji =
    u"人日大本出見一分時事中言思年行間気生自方上会子今前者的入月手国作合来何女全最無場動用目後発学話定当理高感性部地回新画"
    u"使下実私物体知通力家同名対度業良多持開代金意内長関変所数戦要外社以取化明現食法結心世不好成俺楽味考能小立機書初面期少"
    u"様田付違先員車山市解問連報近安番記加公売仕神教界特主表信東品電聞選終題悪必正二強男続真死道料決語他可野確文相美情水向"
    u"切愛身受円集別始達彼元在活買着重三引位過有次海保経送点原利調制万白式第屋限設民直起待勝組得果店込運色放県指約流予置認"
    u"読状参京政川応音誰口校島系残件産配天平想進常計素優欲由空議説際像風落士止然足単伝映線消早務演声格友係反殺質夫頭葉木和"
    u"飲北乗供治転僕撃登交半広台親夜都個帰共張形録完存価基支願覚増投判王示害念術顔呼態失笑型絶難返育構容命朝告再写権試追影"
    u"等検観量備号工週太軍探義装緒断光曲企住種収器町論験査石歳営古西君任役土周字護職病段婚技奴嫌院版視超注毎歌普十速望母資"
    u"花非側馬値更団歩園魔載区村求象氏飛未急効離規済福科製師族提例割働移撮黒証細居警英丈休球低負満介率識類室米父駅火異攻接"
    u"改統官訳程争頃去井隊復深藤派医展総造抜助門寝研皆与星比赤突了岡為催故処守打頼除千局換座専編建管施敵察興府宮減若差破客"
    u"漫準怖走阪販案服精簡援域忘許降費況南両夢防倒究似商末薬各武党曜我壊習協青罪首痛恋路戻郎評谷修夏史肉導苦松館幸横歴遊被"
    u"逃極枚響図帯熱激退材含策独弾兵遠巻条軽沢患療臨床析健康童及看症環境";
constexpr std::u16string_view kHangul =
    u"이다는에하고가을지의로서은아한어도기사니있를나해리시그요인들자일게대라으스수만보제면정주전부여거과장했상안마구었데오"
    u"야내원우신적것성국되세위와무할동생소트드모미진문중말화공까러비습간없분조저입개터유계치월같경회선년때연실바음관용더명"
    u"학네영교당작좋방려않합래발건된단재며각운금람행남물알차등통번르던두타후프겠체크랑식히너산";
constexpr std::u16string_view kWestern = u"éäüöàèßåçøæñíáóãêôâîûúõëïòùìœðþýÿ";
constexpr std::u16string_view kCentral = u"áéíčšžăýóěłęúșîżřćțşţöąśťőâüľůôďňđńűäźĺŕëç";
constexpr std::u16string_view kCyrillic = u"оеаинтсрвлкмдпуяыгьзбчйхжшюцщэфіїъєёґ";
constexpr std::u16string_view kThai = u"านร่อกง้เมัยวีลดทหตะิคสบปจแไขใพื็ชูุำึ์ผโถณศธญษภซๆฉฐฟฝฏฎฤฒ๊ฮฯ๋ฑฆฬฌ";
constexpr std::u16string_view kArabic = u"اليمنورتعبدةهفكسأقحجىشصطخذإضثزغئءظآؤیپچژگ";
// The ISO encodings that are parts of those of Windows are left out.
constexpr std::array kCandidates = {
    Candidate{"UTF-8", USCRIPT_COMMON, {}, 0.0, 0.0, -4.0},
    Candidate{"windows-1252", USCRIPT_LATIN, kWestern, 2.5, 11.0, 0.0},
    Candidate{"windows-1250", USCRIPT_LATIN, kCentral, 3.4, 9.5, 10.0},
    Candidate{"ISO-8859-2", USCRIPT_LATIN, kCentral, 3.4, 9.5, 12.0},
    Candidate{"windows-1254", USCRIPT_LATIN, u"ıüşçğöâîûİ", 2.0, 9.0, 12.0},
    Candidate{"windows-1251", USCRIPT_CYRILLIC, kCyrillic, 3.0, 9.0, 6.0},
    Candidate{"KOI8-R", USCRIPT_CYRILLIC, kCyrillic, 3.0, 9.0, 9.0},
    Candidate{"KOI8-U", USCRIPT_CYRILLIC, kCyrillic, 3.0, 9.0, 10.0},
    Candidate{"IBM866", USCRIPT_CYRILLIC, kCyrillic, 3.0, 9.0, 8.0},
    Candidate{"ISO-8859-5", USCRIPT_CYRILLIC, kCyrillic, 3.0, 9.0, 12.0},
    Candidate{"windows-1253", USCRIPT_GREEK, u"ατοσιενρπκμηυλίάόέγδωήχθύφώβξζψϊϋΐΰ", 3.0, 9.0, 12.0},
    Candidate{"windows-1255", USCRIPT_HEBREW, u"יוהלאתרבמשענםדכחקפסןגזצטךףץ", 3.0, 7.0, 12.0},
    Candidate{"windows-1256", USCRIPT_ARABIC, kArabic, 3.3, 9.0, 8.0},
    Candidate{"ISO-8859-6", USCRIPT_ARABIC, kArabic, 3.3, 9.0, 12.0},
    Candidate{"windows-874", USCRIPT_THAI, kThai, 3.9, 10.0, 6.0},
    Candidate{"GB18030", USCRIPT_HAN, kSimplified, 2.5, 13.5, 6.0, 0xB0, 0xD7},
    Candidate{"Big5", USCRIPT_HAN, kTraditional, 2.5, 13.5, 7.0, 0xA4, 0xC6},
    Candidate{"Shift_JIS", USCRIPT_HIRAGANA, kKanji, 3.25, 14.0, 6.0, 0x88, 0x97},
    Candidate{"EUC-JP", USCRIPT_HIRAGANA, kKanji, 3.25, 14.0, 7.0, 0xB0, 0xCF},
    Candidate{"EUC-KR", USCRIPT_HANGUL, kHangul, 2.5, 13.5, 12.0, 0xB0, 0xC8},
};

struct Decoded {
  UChar32 character = 0;
  unsigned char lead = 0;
  unsigned char trail = 0;
  int bytes = 1;

  [[nodiscard]] bool is_ascii_word() const { return character < 0x80 && u_isalpha(character) != 0; }
  [[nodiscard]] bool is_word() const { return u_isalpha(character) != 0 || u_charType(character) == U_NON_SPACING_MARK; }
};

std::vector<Decoded> decoded_by(const char* name, std::string_view bytes) {
  std::vector<Decoded> text(1);  // a blank before and after it
  const OwnedConverter converter = converter_of(name);
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  while (converter && at < end) {
    const char* const from = at;
    UErrorCode failure = U_ZERO_ERROR;
    const UChar32 character = ucnv_getNextUChar(converter.get(), &at, end, &failure);
    if (U_FAILURE(failure) != 0) break;  // cut at the end
    const auto byte = [&](std::ptrdiff_t n) { return static_cast<unsigned char>(n < at - from ? from[n] : 0); };
    text.push_back({character, byte(0), byte(1), static_cast<int>(at - from)});
  }
  text.push_back({});
  return text;
}

bool is_among(UChar32 character, std::u16string_view some) {
  return character <= 0xFFFF && some.find(static_cast<char16_t>(character)) != std::u16string_view::npos;
}

constexpr std::u16string_view kSigns = u"–—’·®´،؛؟\u00A0‘“”„«»°±µ×§…ªº€™¼½¾‰•†№¹²³¿¡";
constexpr double kImpossible = 40.0;
constexpr double kNonsense = 14.0;  // such as a sign that nearly no text has

std::size_t rank_among(UChar32 character, std::u16string_view some) {
  return character <= 0xFFFF ? some.find(static_cast<char16_t>(character)) : std::u16string_view::npos;
}

// Of thousands of characters the n-th most frequent one is n times rarer than the first (Zipf).
double wide_bits(const Candidate& candidate, const Decoded& one) {
  const UChar32 c = one.character;
  if (candidate.script == USCRIPT_HIRAGANA) {
    if (c >= 0xFF61 && c <= 0xFF9F) return 8.5 * one.bytes;
    const std::size_t kana = rank_among(c, kKana);
    if (kana != std::u16string_view::npos) return 2.0 + std::log2(8.0 + static_cast<double>(kana));
  }
  const std::size_t rank = rank_among(c, candidate.letters);
  if (rank != std::u16string_view::npos) return candidate.first + std::log2(12.0 + static_cast<double>(rank));
  if (u_hasBinaryProperty(c, UCHAR_IDEOGRAPHIC) == 0 && candidate.script != USCRIPT_HANGUL) return 20.0;
  const bool is_extension = candidate.first_lead == 0xB0 && one.trail < 0xA1;  // GBK to GB 2312
  const bool in_use = one.bytes == 2 && one.lead >= candidate.first_lead && one.lead <= candidate.last_lead && !is_extension;
  return in_use ? candidate.last : one.bytes == 2 ? 19.0 : 24.0;
}

// Thai is not written with a vowel above or below nothing, nor with one that precedes a consonant before anything else.
bool breaks_thai(UChar32 before, UChar32 character, UChar32 after) {
  const bool is_mark =
      character == 0xE31 || (character >= 0xE34 && character <= 0xE3A) || (character >= 0xE47 && character <= 0xE4E);
  const bool after_letter = before >= 0xE01 && before <= 0xE4E && !(before >= 0xE40 && before <= 0xE46);
  const bool is_first = character >= 0xE40 && character <= 0xE44;
  return (is_mark && !after_letter) || (is_first && !(after >= 0xE01 && after <= 0xE2E));
}

UScriptCode script_of(UChar32 character) {
  UErrorCode failure = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(character, &failure);
  return script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA ? USCRIPT_HAN : script;
}

// Any language may be in UTF-8, but a word is of one script.
double utf8_bits(const Decoded& before, const Decoded& one) {
  const UScriptCode script = script_of(one.character);
  const bool is_one_script = before.character < 0x80 || !before.is_word() || script == script_of(before.character) ||
                             script == USCRIPT_INHERITED || script == USCRIPT_COMMON;
  const bool in_use = one.bytes > 2 ? one.is_word() || one.bytes > 3 || is_among(one.character, kSigns)
                                    : one.character < 0x180 || (one.character >= 0x2B9 && one.character <= 0x2DD) ||
                                          (one.character >= 0x386 && one.character < 0x460) ||
                                          (one.character >= 0x5D0 && one.character < 0x660);
  return (in_use ? 8.0 + one.bytes : 22.0) + (is_one_script ? 0.0 : 10.0);
}

// How much a letter surprises by its case.
double case_bits(const Decoded& long_before, const Decoded& before, const Decoded& one) {
  if (u_isupper(one.character) != 0)
    return u_islower(before.character) != 0 ? 10.0 : u_isupper(before.character) != 0 ? 3.0 : 2.0;
  return u_isupper(before.character) != 0 && u_isupper(long_before.character) != 0 ? 6.0 : 0.0;
}

double letter_bits(const Candidate& candidate, const Decoded& before, const Decoded& one, const Decoded& after) {
  const UChar32 c = one.character;
  const UScriptCode script = script_of(c);
  if (script != candidate.script && script != USCRIPT_INHERITED) return kNonsense;
  const std::size_t rank = std::min(rank_among(c, candidate.letters), rank_among(u_tolower(c), candidate.letters));
  const double share = static_cast<double>(rank) / static_cast<double>(candidate.letters.size());
  double bits =
      rank == std::u16string_view::npos ? candidate.last + 2.0 : candidate.first + (candidate.last - candidate.first) * share;
  // Latin words are of ASCII but for single letters, others have none.
  if (candidate.script == USCRIPT_LATIN) return bits + (before.is_word() && !before.is_ascii_word() ? 8.0 : 4.0);
  if (before.is_ascii_word()) bits += 6.0;
  if (after.is_ascii_word()) bits += 6.0;
  if (candidate.script == USCRIPT_THAI && breaks_thai(before.character, c, after.character)) bits += 8.0;
  const auto is_consonant = [](UChar32 letter) { return letter >= 0xE01 && letter <= 0xE2E; };
  if (is_consonant(before.character) && is_consonant(c)) bits += 1.5;
  if (candidate.script == USCRIPT_HEBREW && is_among(c, u"ךםןףץ") && after.is_word()) bits += 8.0;
  if (candidate.script == USCRIPT_HEBREW && is_among(c, u"כמנפצ") && !after.is_word()) bits += 4.0;
  return bits;
}

double sign_bits(const Decoded& before, const Decoded& one, const Decoded& after) {
  constexpr double usual = 7.0;
  const UChar32 c = one.character;
  const bool is_wide = (c >= 0x3000 && c <= 0x303F) || (c >= 0xFF01 && c <= 0xFF60);
  if (is_wide || is_among(c, u"–—’·®´،؛؟\u00A0")) return usual;
  if (is_among(c, u"¿¡")) return after.is_word() && !before.is_word() ? usual : kNonsense;
  if (is_among(c, u"¹²³")) return u_isalpha(before.character) != 0 ? kNonsense : usual;
  if (is_among(c, u"№§±×½¼¾") && after.is_word()) return kNonsense;
  const bool is_within = before.is_word() && after.is_word();
  return !is_within && is_among(c, kSigns) ? usual : kNonsense;
}

/// How much the text surprises in an encoding; where that is more than `most`, only so much that it is.
double bits_of(const Candidate& candidate, std::string_view bytes, double most) {
  const std::vector<Decoded> text = decoded_by(candidate.name, bytes);
  double bits = candidate.rarity;
  for (std::size_t n = 1; n + 1 < text.size() && bits < most; ++n) {
    const Decoded& before = text[n - 1];
    const Decoded& one = text[n];
    const Decoded& after = text[n + 1];
    const bool is_utf8 = candidate.script == USCRIPT_COMMON;
    const bool is_none = is_utf8 ? one.character == 0xFFFD && one.lead != 0xEF
                                 : one.character == 0xFFFD || (one.lead >= 0x80 && one.character < 0xA0) ||
                                       u_isdefined(one.character) == 0 || u_charType(one.character) == U_PRIVATE_USE_CHAR;
    if (is_none)
      bits += kImpossible;
    else if (one.character < 0x80)
      bits += one.character < '0' ? 0.0 : 5.0;
    else if (is_utf8)
      bits += utf8_bits(before, one) + case_bits(text[n - std::min<std::size_t>(n, 2)], before, one);
    else if (!one.is_word())
      bits += sign_bits(before, one, after);
    else if (candidate.first_lead > 0)
      bits += wide_bits(candidate, one) + (before.is_ascii_word() ? 2.0 : 0.0) + (after.is_ascii_word() ? 2.0 : 0.0);
    else
      bits += letter_bits(candidate, before, one, after) + case_bits(text[n - std::min<std::size_t>(n, 2)], before, one);
  }
  return bits;
}

// The words that are not ASCII, with a blank between two: what else a text holds says nothing. Bytes before "0" are never part
// of a character of several bytes, but in UTF-16.
std::string words_beyond_ascii(std::string_view bytes) {
  const auto ends_word = [](char byte) { return byte >= '\0' && byte < '0'; };
  std::string words;
  for (std::size_t at = 0; at < bytes.size() && words.size() < kMostEvidence;) {
    const auto beyond =
        std::find_if(bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.end(), [](char b) { return b < '\0'; });
    const auto end = std::find_if(beyond, bytes.end(), ends_word);
    const auto before = std::find_if(std::make_reverse_iterator(beyond),
                                     std::make_reverse_iterator(bytes.begin() + static_cast<std::ptrdiff_t>(at)), ends_word);
    words.append(before.base(), end).push_back(' ');
    at = static_cast<std::size_t>(end - bytes.begin());
  }
  return words;
}

// Text in UTF-16 has zeros in one half of its pairs of bytes, if only in line ends and commas; text in other encodings has none.
// Some characters of Chinese have one in the other half, so blanks, line ends and commas decide where there are any.
std::string guessed_utf16(std::string_view bytes) {
  std::array<std::size_t, 2> zeros = {0, 0};
  std::array<std::size_t, 2> of_signs = {0, 0};
  std::size_t of_ascii = 0;  // pairs of two
  for (std::size_t at = 0; at + 1 < bytes.size(); at += 2) {
    for (const std::size_t half : {0U, 1U}) {
      if (bytes[at + half] != '\0') continue;
      ++zeros[half];
      if (std::string_view(" \r\n\t,;").find(bytes[at + 1 - half]) != std::string_view::npos) ++of_signs[half];
    }
    if (bytes[at] >= ' ' && bytes[at + 1] >= ' ') ++of_ascii;
  }
  const auto& deciding = of_signs[0] == of_signs[1] ? zeros : of_signs;
  const bool is_little = deciding[1] > deciding[0];
  const std::size_t wide = bytes.size() / 2 - std::min(bytes.size() / 2, zeros[0] + zeros[1]);
  if (std::max(deciding[0], deciding[1]) < 2 * std::min(deciding[0], deciding[1])) return {};
  if (of_ascii * 5 > wide * 4 && of_ascii > zeros[0] + zeros[1]) return {};
  const std::string name = is_little ? "UTF-16LE" : "UTF-16BE";
  EncodingConverter converter(name);
  std::string text;
  converter.append(bytes.substr(0, bytes.size() - bytes.size() % 2), false, text);
  return converter.replaced() == 0 ? name : std::string();
}

// ISO-2022-JP is of ASCII bytes, but for what begins its Japanese.
bool has_jis_escape(std::string_view bytes) {
  std::size_t at = bytes.find("\x1B$");
  while (at != std::string_view::npos && !bytes.substr(at + 2).starts_with('B') && !bytes.substr(at + 2).starts_with('@'))
    at = bytes.find("\x1B$", at + 2);
  return at != std::string_view::npos;
}

}  // namespace

std::string guessed_encoding(std::string_view bytes, std::string_view usual) {
  if (is_ascii(bytes) && bytes.find('\0') == std::string_view::npos) return has_jis_escape(bytes) ? "ISO-2022-JP" : "";
  const auto* const first = std::ranges::find_if(bytes, [](char byte) { return byte <= '\0'; });
  constexpr std::ptrdiff_t before = 512;  // so that the pairs of UTF-16 stay pairs
  const auto begin = static_cast<std::size_t>(std::max<std::ptrdiff_t>(first - bytes.begin() - before, 0) / 2 * 2);
  const std::string_view some = bytes.substr(begin, std::size_t{1} << 16U);
  if (some.find('\0') != std::string_view::npos) return guessed_utf16(some);
  const std::string words = words_beyond_ascii(bytes);
  constexpr std::size_t sure = 64;  // so much is not UTF-8 by chance
  if (words.size() >= sure && is_decoded(words, TextEncoding::utf8)) return {};
  constexpr double trust = 24.0;
  const Candidate* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const Candidate& candidate : kCandidates) {
    const double known = candidate.name == usual ? -trust : 0.0;
    const double bits = known + bits_of(candidate, words, least - known);
    if (bits >= least) continue;
    best = &candidate;
    least = bits;
  }
  return best == kCandidates.data() ? std::string() : best->name;
}

bool tells_encoding(std::string_view bytes) { return !is_ascii(bytes) || has_jis_escape(bytes) || bytes.ends_with('\x1B'); }

bool tells_enough(std::string_view bytes) {
  constexpr std::ptrdiff_t many = 1024;
  constexpr std::ptrdiff_t some = 6;
  constexpr std::size_t cut = 3;  // of a character at the end
  const auto beyond = std::ranges::count_if(bytes, [](char byte) { return byte < '\0'; });
  return beyond >= many || has_jis_escape(bytes) || (beyond >= some && valid_utf8_prefix(bytes) + cut >= bytes.size());
}

std::string known_encoding(const std::string& name) {
  const OwnedConverter converter = name.empty() ? nullptr : converter_of(name.c_str());
  if (!converter) return {};
  UErrorCode failure = U_ZERO_ERROR;
  const char* const icu = ucnv_getName(converter.get(), &failure);
  const char* known = nullptr;
  for (const char* const standard : {"MIME", "IANA"})
    if (known == nullptr) known = ucnv_getStandardName(icu, standard, &failure);
  return known != nullptr ? known : icu;
}

struct EncodingConverter::Pivot {
  std::array<UChar, 1024> units = {};
  UChar* source = units.data();
  UChar* target = units.data();
};

EncodingConverter::EncodingConverter(const std::string& name) : pivot_(std::make_unique<Pivot>()) {
  from_ = converter_of(name.c_str()).release();
  to_ = converter_of("UTF-8").release();
  UErrorCode failure = U_ZERO_ERROR;
  const auto count = [](const void* context, UConverterToUnicodeArgs* arguments, const char*, std::int32_t length,
                        UConverterCallbackReason reason, UErrorCode* result) {
    if (reason > UCNV_IRREGULAR) return;
    *static_cast<std::int64_t*>(const_cast<void*>(context)) += length;  // NOLINT(cppcoreguidelines-pro-type-const-cast): ICU
    constexpr UChar none = 0xFFFD;
    *result = U_ZERO_ERROR;
    ucnv_cbToUWriteUChars(arguments, &none, 1, 0, result);
  };
  ucnv_setToUCallBack(from_, count, &replaced_, nullptr, nullptr, &failure);
}

EncodingConverter::~EncodingConverter() {
  ucnv_close(from_);
  ucnv_close(to_);
}

void EncodingConverter::append(std::string_view bytes, bool is_last, std::string& out) {
  std::array<char, 4096> some{};
  const char* source = bytes.data();
  const char* const end = source + bytes.size();
  UErrorCode failure = U_ZERO_ERROR;
  do {
    failure = U_ZERO_ERROR;
    char* target = some.data();
    ucnv_convertEx(to_, from_, &target, some.data() + some.size(), &source, end, pivot_->units.data(), &pivot_->source,
                   &pivot_->target, pivot_->units.data() + pivot_->units.size(), 0, is_last ? 1 : 0, &failure);
    out.append(some.data(), static_cast<std::size_t>(target - some.data()));
  } while (failure == U_BUFFER_OVERFLOW_ERROR);
}

}  // namespace inkling
