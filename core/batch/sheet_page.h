/// The page of a contact sheet.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "core/batch/contact_sheet.h"

namespace bankside {

inline constexpr std::size_t oddityCount = 9;

struct SheetPage {
  struct Picture {
    std::string png;  ///< empty: there is none, and `note` may say why
    int width = 0;
    int height = 0;
    std::string note;
  };
  struct Card {
    std::string id;
    Oddity oddity = Oddity::None;
    std::string reason;  ///< of a failure
    Picture input;
    Picture response;
  };
  std::string title;
  std::vector<Card> cards;
  std::array<std::size_t, oddityCount> counts = {};  ///< images of each Oddity
  std::size_t images = 0;
};

/// Everything in one file; texts of strangers are only ever text.
std::string toHtml(const SheetPage& page);

}  // namespace bankside
