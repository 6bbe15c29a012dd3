#include "filters/bank_json.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <utility>

#include "core/error.h"
#include "core/json_text.h"
#include "core/text.h"

namespace bankside {
namespace {

constexpr int maxChannels = 4096;

std::string describe(const Json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "an array of " + std::to_string(value.size());
  const std::string text = value.dump();
  return text.size() > 80 ? text.substr(0, 80) + "..." : text;
}

/// A value and where it stands.
class Place {
 public:
  Place(const std::string& file, std::string pointer, const Json& value)
      : file_(&file), pointer_(std::move(pointer)), value_(&value) {}

  [[noreturn]] void refuse(const std::string& sentence) const {
    throw Error(ErrorCode::BadInput, *file_ + ": " + (pointer_.empty() ? "/" : pointer_) + ": " + sentence);
  }
  [[noreturn]] void expected(const std::string& what) const {
    refuse("found " + describe(*value_) + ", expected " + what);
  }

  bool has(const char* key) const { return value_->contains(key); }
  Place at(const char* key) const {
    const auto member = value_->find(key);
    if (member == value_->end()) refuse(std::string("found no \"") + key + "\", expected one");
    return {*file_, pointer_ + pointerStep(key), *member};
  }
  Place at(std::size_t index) const {
    return {*file_, pointer_ + "/" + std::to_string(index), (*value_)[index]};
  }

  void requireObject(std::initializer_list<const char*> known) const {
    if (!value_->is_object()) expected("an object");
    for (const auto& [key, ignored] : value_->items()) {
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        std::vector<std::string> names(known.begin(), known.end());
        Place(*file_, pointer_ + pointerStep(key), *value_)
            .refuse("found a field that is not known here, expected one of " + joinWords(names));
      }
    }
  }
  std::size_t requireArray(const std::string& what) const {
    if (!value_->is_array()) expected(what);
    return value_->size();
  }
  std::string text(const std::string& what) const {
    if (!value_->is_string()) expected(what);
    return value_->get<std::string>();
  }
  double number() const {
    if (!value_->is_number()) expected("a number");
    return value_->get<double>();
  }
  int integer(int least, int most) const {
    const double number = value_->is_number() ? value_->get<double>() : 0.5;
    if (number != std::floor(number) || number < least || number > most) {
      expected("a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    }
    return static_cast<int>(number);
  }
  const Json& value() const { return *value_; }

 private:
  const std::string* file_;
  std::string pointer_;
  const Json* value_;
};

std::vector<float> readTaps(const Place& place, std::size_t count, const std::string& shape) {
  const std::string what = "an array of " + std::to_string(count) + " numbers (" + shape + ")";
  if (place.requireArray(what) != count) place.expected(what);
  std::vector<float> taps(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Json& value = place.value()[i];
    if (!value.is_number()) place.at(i).expected("a number");
    const double tap = value.get<double>();
    if (std::abs(tap) >= roundsToInfinity) place.at(i).expected("a number that fits 32-bit float");
    taps[i] = static_cast<float>(tap);
  }
  return taps;
}

Filter readFilter(const Place& place) {
  place.requireObject({"label", "channels", "height", "width", "anchor", "orientation", "scale", "taps"});
  Filter f;
  f.label = place.at("label").text("a text");
  f.channels = place.has("channels") ? place.at("channels").integer(1, maxChannels) : 1;
  f.height = place.at("height").integer(1, maxFilterSide);
  f.width = place.at("width").integer(1, maxFilterSide);
  f.anchorX = f.width / 2;
  f.anchorY = f.height / 2;
  if (place.has("anchor")) {
    const Place anchor = place.at("anchor");
    anchor.requireObject({"x", "y"});
    f.anchorX = anchor.at("x").integer(0, f.width - 1);
    f.anchorY = anchor.at("y").integer(0, f.height - 1);
  }
  if (place.has("orientation")) f.orientation = place.at("orientation").number();
  if (place.has("scale")) f.scale = place.at("scale").number();
  const std::string shape = std::to_string(f.channels) + " x " + std::to_string(f.height) + " x " +
                            std::to_string(f.width) + " taps";
  f.taps = readTaps(place.at("taps"), static_cast<std::size_t>(f.channels) * f.height * f.width, shape);
  try {
    FilterBank({}, {f});
  } catch (const Error& error) {
    place.refuse(error.what());
  }
  return f;
}

std::vector<Filter> readFilters(const Place& place) {
  const std::string what = "an array of 1 to " + std::to_string(maxFilterCount) + " filters";
  const std::size_t count = place.requireArray(what);
  if (count < 1 || count > static_cast<std::size_t>(maxFilterCount)) place.expected(what);
  std::vector<Filter> filters;
  std::map<std::string, std::size_t> labels;
  for (std::size_t i = 0; i < count; ++i) {
    filters.push_back(readFilter(place.at(i)));
    const Filter& f = filters.back();
    const auto [first, isFirst] = labels.emplace(f.label, i);
    if (!isFirst) {
      place.at(i).at("label").expected("a label that filter " + std::to_string(first->second) +
                                       " does not have");
    }
    if (f.channels != filters.front().channels) {
      place.at(i).refuse("found " + std::to_string(f.channels) + " channels, expected " +
                         std::to_string(filters.front().channels) + " as in the first filter");
    }
  }
  return filters;
}

BankInfo readInfo(const Place& root, const std::string& name) {
  BankInfo info{.name = name};
  const auto readText = [&](const char* key, std::string& into) {
    if (root.has(key)) into = root.at(key).text("a text");
  };
  readText("title", info.title);
  readText("citation", info.citation);
  readText("generator", info.generator);
  if (root.has("parameters")) {
    const Place parameters = root.at("parameters");
    if (!parameters.value().is_object()) parameters.expected("an object of texts");
    for (const auto& [key, ignored] : parameters.value().items()) {
      info.parameters[key] = parameters.at(key.c_str()).text("a text");
    }
  }
  if (root.has("mode")) {
    const Place mode = root.at("mode");
    const auto parsed = parseFilterMode(mode.value().is_string() ? mode.value().get<std::string>() : "");
    if (!parsed) mode.expected("\"correlation\" or \"convolution\"");
    info.mode = *parsed;
  }
  return info;
}

}  // namespace

FilterBank parseBankJson(std::string_view text, const std::string& name) {
  if (text.size() > maxBankFileBytes) {
    throw Error(ErrorCode::Limit, name + ": larger than the " + std::to_string(maxBankFileBytes >> 20) +
                                      " MiB that a bank file may have");
  }
  const Json tree = parseJsonText(text, name);
  const Place root(name, "", tree);
  // The version first: another version may have other fields.
  if (!tree.is_object()) root.expected("an object");
  const Place version = root.at("schemaVersion");
  if (version.value() != bankSchemaVersion) {
    version.expected(std::to_string(bankSchemaVersion) + ", the version that this program reads");
  }
  root.requireObject({"$schema", "schemaVersion", "title", "citation", "generator", "parameters", "mode",
                      "filters", "contentHash"});
  BankInfo info = readInfo(root, name);
  FilterBank bank(std::move(info), readFilters(root.at("filters")));
  if (root.has("contentHash")) {
    const Place hash = root.at("contentHash");
    const std::string computed = formatHash(bank.contentHash());
    if (hash.text("a text of 16 hexadecimal digits") != computed) {
      hash.expected("\"" + computed +
                    "\", the hash of what the file holds (leave the field out of a file that "
                    "is edited by hand)");
    }
  }
  return bank;
}

}  // namespace bankside
