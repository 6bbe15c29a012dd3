/// One line above a bank that recipes are made of: what finds vessels better than the bank by itself.
#pragma once

#include <QWidget>

#include "gui/window/session/session.h"

class QLabel;
class QMenu;
class QToolButton;

namespace bankside::window {

class RecipeSuggestion : public QWidget {
  Q_OBJECT
 public:
  explicit RecipeSuggestion(Session& session, QWidget* parent = nullptr);

 Q_SIGNALS:
  void recipeWanted(const QString& file);

 private:
  void readSession();

  Session& session_;
  QLabel* text_;
  QToolButton* take_;
  QMenu* others_;
};

}  // namespace bankside::window
