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

#include "filters/formats/bank_format.h"

namespace bankside {

/// "imagej", "imagemagick", "vips", "opencv-yaml", "opencv-json", "npy", "npz"; that of csv is imagej's.
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
