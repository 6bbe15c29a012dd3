/// Where the session is kept between starts: one JSON file in the configuration folder.
#pragma once

#include <QByteArray>
#include <optional>

#include "gui/window/session/session_state.h"

namespace bankside::window {

struct SavedSession {
  SessionState state;
  QByteArray geometry;
  QByteArray docks;
  QString appearance;
};

QString sessionFile();
/// The default where there is none or it cannot be read.
SavedSession loadSession(const QString& file);
/// False if it could not be written: then the next start begins anew, and that is all.
bool saveSession(const QString& file, const SavedSession& saved);

}  // namespace bankside::window
