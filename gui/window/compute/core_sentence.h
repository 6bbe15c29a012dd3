/// What core says, as the window shows it. The one gate: nobody else turns its errors and refusals into text.
#pragma once

#include <QString>
#include <exception>
#include <string>

namespace bankside::window {

/// Core's sentences begin small, to stand behind a file's name and a colon. One that stands alone begins with
/// a capital; one that begins with a name of something stays as it is.
QString sentenceOf(const std::string& said);
QString sentenceOf(const std::exception& error);

}  // namespace bankside::window
