#include "gui/window/session/session_file.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QStandardPaths>

#include "core/error.h"
#include "core/imageio/atomic_file.h"

namespace bankside::window {
namespace {
constexpr qint64 largestSession = 1 << 26;  // edited filters are inside
}

QString sessionFile() {
  return QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation) +
         QStringLiteral("/session.json");
}

SavedSession loadSession(const QString& file) {
  SavedSession saved;
  QFile in(file);
  if (in.size() > largestSession || !in.open(QIODevice::ReadOnly)) return saved;
  const QJsonObject json = QJsonDocument::fromJson(in.readAll()).object();
  if (json.isEmpty()) return saved;
  saved.state = sessionFromJson(json["session"].toObject());
  saved.geometry = QByteArray::fromBase64(json["geometry"].toString().toLatin1());
  saved.docks = QByteArray::fromBase64(json["docks"].toString().toLatin1());
  saved.appearance = json["appearance"].toString();
  return saved;
}

bool saveSession(const QString& file, const SavedSession& saved) {
  QDir().mkpath(QFileInfo(file).absolutePath());
  const QJsonObject json{{"session", toJson(saved.state)},
                         {"geometry", QString::fromLatin1(saved.geometry.toBase64())},
                         {"docks", QString::fromLatin1(saved.docks.toBase64())},
                         {"appearance", saved.appearance}};
  try {
    writeFileAtomically(file.toStdString(), QJsonDocument(json).toJson().toStdString());
    return true;
  } catch (const Error&) {
    return false;  // a session is a convenience
  }
}

}  // namespace bankside::window
