#include "gui/window/compute/core_sentence.h"

#include <algorithm>
#include <array>

#include "core/imageio/image_info.h"

namespace bankside::window {
namespace {

/// Names of file formats, engines and of the program, which are words and stay as one writes them elsewhere.
bool isName(const QString& word) {
  static constexpr std::array names = {"bankside", "cpu", "cuda", "opencv"};
  return parseFileFormat(word.toStdString()) ||
         std::any_of(names.begin(), names.end(),
                     [&](const char* name) { return word == QLatin1String(name); });
}

}  // namespace

QString sentenceOf(const std::string& said) {
  QString sentence = QString::fromStdString(said);
  const qsizetype word = sentence.indexOf(QLatin1Char(' '));
  const bool plain = word > 0 && std::all_of(sentence.begin(), sentence.begin() + word, [](QChar letter) {
                       return letter >= QLatin1Char('a') && letter <= QLatin1Char('z');
                     });
  if (plain && !isName(sentence.left(word))) sentence[0] = sentence[0].toUpper();
  return sentence;
}

QString sentenceOf(const std::exception& error) { return sentenceOf(std::string(error.what())); }

}  // namespace bankside::window
