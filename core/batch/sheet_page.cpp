#include "core/batch/sheet_page.h"

#include <cstdint>
#include <string_view>

#include "core/printable.h"

namespace bankside {
namespace {

constexpr const char* style = R"(
:root{color-scheme:light dark;--line:#8884;--card:#8881;--odd:#b3541e}
body{font:14px/1.4 system-ui,sans-serif;margin:1.5rem}
h1{font-size:1.4rem;margin:0 0 .3rem}
main{display:grid;grid-template-columns:repeat(auto-fill,minmax(21.5rem,1fr));gap:.8rem;margin-top:1rem;align-items:start}
article{border:1px solid var(--line);border-radius:6px;padding:.6rem;background:var(--card);min-width:0}
article.odd{border-color:var(--odd);border-width:2px}
h2{font-size:.95rem;margin:0 0 .3rem;overflow-wrap:anywhere}
.why{margin:0 0 .4rem;overflow-wrap:anywhere}
.why b{color:var(--odd)}
.pair{display:flex;gap:.6rem}
figure{margin:0;flex:1 1 0;min-width:0}
img{display:block;max-width:100%;height:auto;background:#000}
.none{display:flex;align-items:center;justify-content:center;height:7rem;padding:.4rem;font-size:.8rem;
border:1px dashed var(--line);overflow:hidden;overflow-wrap:anywhere;text-align:center}
figcaption{font-size:.8rem;opacity:.8;overflow-wrap:anywhere}
)";

const char* wordOf(Oddity oddity) {
  switch (oddity) {
    case Oddity::Failed: return "failed";
    case Oddity::Untried: return "not tried";
    case Oddity::Missing: return "result cannot be read";
    case Oddity::Empty: return "empty response";
    case Oddity::NotFinite: return "values that are no numbers";
    case Oddity::Clipped: return "many values clipped";
    case Oddity::Saturated: return "overexposed input";
    case Oddity::Unlike: return "unlike the others";
    case Oddity::None: return "nothing odd";
  }
  return "";
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char letter : printable(text)) {
    switch (letter) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += letter;
    }
  }
  return result;
}

/// RFC 4648.
std::string base64(std::string_view bytes) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k <= bytes.size() ? digits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string figure(const SheetPage::Picture& picture, const std::string& what, const std::string& id) {
  std::string text = "<figure>";
  if (picture.png.empty()) {
    text += "<div class=\"none\">" + escaped(picture.note.empty() ? "no " + what : picture.note) + "</div>";
  } else {
    text += "<img alt=\"" + escaped(what + " of " + id) + "\" width=\"" + std::to_string(picture.width) +
            "\" height=\"" + std::to_string(picture.height) + "\" src=\"data:image/png;base64," +
            base64(picture.png) + "\">";
  }
  text += "<figcaption>" + escaped(what);
  if (!picture.png.empty() && !picture.note.empty()) text += ", " + escaped(picture.note);
  return text + "</figcaption></figure>";
}

std::string article(const SheetPage::Card& card) {
  const bool odd = card.oddity != Oddity::None;
  std::string text = odd ? "<article class=\"odd\">" : "<article>";
  text += "<h2>" + escaped(card.id) + "</h2>";
  if (odd) {
    text += std::string("<p class=\"why\"><b>") + wordOf(card.oddity) + "</b>";
    if (!card.reason.empty()) text += ": " + escaped(card.reason);
    text += "</p>";
  }
  return text + "<div class=\"pair\">" + figure(card.input, "input", card.id) +
         figure(card.response, "response", card.id) + "</div></article>\n";
}

std::string summary(const SheetPage& page) {
  std::string text = std::to_string(page.images) + (page.images == 1 ? " image" : " images");
  for (std::size_t i = 0; i < oddityCount; ++i) {
    if (page.counts[i] > 0)
      text += ", " + std::to_string(page.counts[i]) + " " + wordOf(static_cast<Oddity>(i));
  }
  text += ". What looks odd comes first";
  if (page.cards.size() < page.images)
    text += "; the first " + std::to_string(page.cards.size()) + " are shown";
  return text + ". Responses are stretched from their least to their largest value.";
}

}  // namespace

std::string toHtml(const SheetPage& page) {
  std::string text = std::string(sheetBeginning) +
                     "<meta name=\"viewport\" content=\"width=device-width\"><title>" + escaped(page.title) +
                     ", contact sheet</title><style>" + style + "</style></head>\n<body><h1>" +
                     escaped(page.title) + "</h1><p>" + summary(page) + "</p>\n<main>\n";
  for (const SheetPage::Card& card : page.cards) text += article(card);
  return text + "</main></body></html>\n";
}

}  // namespace bankside
