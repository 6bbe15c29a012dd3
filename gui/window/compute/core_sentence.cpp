#include "gui/window/compute/core_sentence.h"

#include <QCoreApplication>
#include <QRegularExpression>
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

QString placeText(const char* text) { return QCoreApplication::translate("CoreSentence", text); }

/// "/steps/0/do" as people count: step 1, “do”.
QString placeInWords(const QString& pointer) {
  const QStringList parts = pointer.split(QLatin1Char('/'), Qt::SkipEmptyParts);
  QStringList words;
  for (qsizetype i = 0; i < parts.size(); ++i) {
    bool counted = false;
    const int number = i + 1 < parts.size() ? parts[i + 1].toInt(&counted) : 0;
    if (counted) {
      const bool several = parts[i].size() > 2 && parts[i].endsWith(QLatin1Char('s'));
      words << QStringLiteral("%1 %2").arg(several ? parts[i].chopped(1) : parts[i]).arg(number + 1);
      ++i;
    } else if (const int own = parts[i].toInt(&counted); counted) {
      words << QString::number(own + 1);
    } else {
      words << QStringLiteral("“%1”").arg(parts[i]);
    }
  }
  return words.join(QStringLiteral(", "));
}

/// What a parser says of a text that is no JSON.
QString syntaxInWords(const QRegularExpressionMatch& match) {
  const QString rest = match.captured(3);
  const QString what = rest.startsWith(QLatin1String("unexpected end of input"))
                           ? placeText("ends in the middle, at line %1, column %2")
                       : rest.contains(QLatin1String("missing closing quote"))
                           ? placeText("is no valid JSON: a quotation mark is missing at line %1, column %2")
                           : placeText("is no valid JSON from line %1, column %2 on");
  return what.arg(match.captured(1), match.captured(2));
}

/// Without words that only who knows the file's format by heart understands.
QString inWords(QString sentence) {
  static const QRegularExpression place(QStringLiteral("(^|: )(/[^:\\s]*): (?=found )"));
  static const QRegularExpression syntax(
      QStringLiteral("line (\\d+), column (\\d+): syntax error while parsing [^-]*- (.*)$"));
  static const QRegularExpression memory(
      QStringLiteral("MB are allowed; give the run more \\(--memory[^)]*\\)"));
  sentence.replace(memory,
                   placeText("MB of memory are free for them; recipes that resample first, as “vessels”, "
                             "take less, and so does a smaller picture"));
  static const QRegularExpression grey(QStringLiteral(
      "^the image has no ([a-z]+) channel; it has grey( and alpha)?, which is taken as it is .*$"));
  sentence.replace(grey, placeText("the picture is grey: it has no \\1 channel."));
  // What the command and the library call it.
  static const QRegularExpression option(QStringLiteral(" \\([^()]*--[a-z][^()]*\\)"));
  sentence.remove(option);
  sentence.replace(QStringLiteral("JPEG data is damaged: Premature end of JPEG file"),
                   placeText("the JPEG file ends in the middle"));
  if (const auto match = place.match(sentence); match.hasMatch()) {
    const QString words = placeInWords(match.captured(2));
    sentence.replace(match.capturedStart(), match.capturedLength(),
                     match.captured(1) + (words.isEmpty() ? QString() : words + QStringLiteral(": ")));
  }
  if (const auto match = syntax.match(sentence); match.hasMatch())
    sentence.replace(match.capturedStart(), match.capturedLength(), syntaxInWords(match));
  return sentence;
}

}  // namespace

QString sentenceOf(const std::string& said) {
  QString sentence = inWords(QString::fromStdString(said));
  const qsizetype word = sentence.indexOf(QLatin1Char(' '));
  const bool plain = word > 0 && std::all_of(sentence.begin(), sentence.begin() + word, [](QChar letter) {
                       return letter >= QLatin1Char('a') && letter <= QLatin1Char('z');
                     });
  if (plain && !isName(sentence.left(word))) sentence[0] = sentence[0].toUpper();
  return sentence;
}

QString sentenceOf(const std::exception& error) { return sentenceOf(std::string(error.what())); }

}  // namespace bankside::window
