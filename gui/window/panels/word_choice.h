/// A box of choices, each a title on the screen and a word of a recipe behind it.
#pragma once

#include <QString>
#include <Qt>
#include <string>

class QComboBox;
class QFormLayout;

namespace bankside::window {

/// Adds an empty one as a row of `form`. `title` may hold the '&' of a shortcut; `name` is for tests.
QComboBox* addWordChoice(QFormLayout* form, const QString& title, const QString& name, const QString& hint,
                         Qt::TextElideMode mode = Qt::ElideRight);

/// `shorter`: what the closed box says where it has no room for the title.
void addWord(QComboBox* box, const QString& title, const QString& word, const QString& shorter);

/// The ways to make one map of several.
void addCombines(QComboBox* box);

/// Shows `word`'s title, or the first for a word that is not among them; tells nobody.
void chooseWord(QComboBox* box, const QString& word);

std::string chosenWord(const QComboBox* box);

}  // namespace bankside::window
