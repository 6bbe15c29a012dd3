/// How other programs keep filters: read into banks, and written from them.
///
/// A format has a convention of its own. What it says of direction and anchor is kept; what it leaves to the
/// program that reads it is taken as that program does. Writing turns and pads taps until they say in that
/// convention what the bank says, and tells; it refuses what the format cannot hold. All are read as if a
/// stranger had sent them, and a word that is wrong is named with line and column.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

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

/// "imagej", "imagemagick", "vips", "opencv-yaml", "opencv-json", "npy"; that of csv is imagej's.
const std::vector<BankFormat>& bankFormats();

/// By name, or by the ending of a file's; null for others.
const BankFormat* findBankFormat(const std::string& name);
const BankFormat* bankFormatOfFile(const std::filesystem::path& file);

/// A bank as a format's file has it.
struct WrittenBank {
  std::string bytes;
  std::vector<std::string> notes;  ///< what was converted, a clause each
};

/// Errors  Error{Unsupported} for what the format cannot hold: several filters, channels, 127 taps and more
WrittenBank writeBank(const FilterBank& bank, const BankFormat& format);

/// ImageMagick's kernel string; `name` becomes the bank's name and stands in messages. Errors Error{BadInput}
FilterBank parseMagick(std::string text, const std::string& name);
/// A matrix with a line for its size, scale and offset before it. Errors  Error{BadInput}
FilterBank parseVips(std::string text, const std::string& name);
/// OpenCV's FileStorage: every `!!opencv-matrix` of a YAML or JSON document is a filter; what else stands at
/// the top is passed over. Errors  Error{BadInput}
FilterBank parseFileStorage(std::string text, const std::string& name);
/// Whether a JSON text is of that kind, and no bank file of ours.
bool isFileStorageJson(const std::string& text);

}  // namespace bankside
