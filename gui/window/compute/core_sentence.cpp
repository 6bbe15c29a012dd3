#include "gui/window/compute/core_sentence.h"

#include <algorithm>

namespace bankside::window {

QString sentenceOf(const std::string& said) {
  QString sentence = QString::fromStdString(said);
  const qsizetype word = sentence.indexOf(QLatin1Char(' '));
  const bool plain = word > 0 && std::all_of(sentence.begin(), sentence.begin() + word, [](QChar letter) {
                       return letter >= QLatin1Char('a') && letter <= QLatin1Char('z');
                     });
  if (plain) sentence[0] = sentence[0].toUpper();
  return sentence;
}

QString sentenceOf(const std::exception& error) { return sentenceOf(std::string(error.what())); }

}  // namespace bankside::window
