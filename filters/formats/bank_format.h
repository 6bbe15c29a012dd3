/// One of the forms in which programs keep filters.
#pragma once

#include <filesystem>
#include <string>

#include "core/filter_bank.h"

namespace bankside {

struct BankFormat {
  std::string name;                                ///< as commands take it
  std::string title;                               ///< one line for a person
  std::string endings;                             ///< of its files, blanks between: ".yml .yaml"
  FilterMode mode = FilterMode::CrossCorrelation;  ///< how the program slides what it reads
  bool anchors = false;                            ///< holds them; else they lie at (width/2, height/2)
  bool oddOnly = false;                            ///< sides are odd
  bool several = true;                             ///< holds more than one filter
  bool channels = false;                           ///< holds filters of more than one channel
  bool oneSize = false;                            ///< holds filters of one size only
  std::string warning;                             ///< what to know before it is used elsewhere, or nothing
  FilterBank (*read)(const std::filesystem::path& file) = nullptr;
  /// Of a bank that says in the format's convention what it is to say.
  std::string (*write)(const FilterBank& bank) = nullptr;
};

}  // namespace bankside
