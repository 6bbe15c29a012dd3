#include "gui/window/session/inquiry.h"

#include "gui/window/session/pane_message.h"

namespace bankside::window {

Inquiry::Inquiry(Session& session, std::initializer_list<SessionSignal> causes, QObject* parent)
    : QObject(parent), session_(session) {
  soon_.setSingleShot(true);
  soon_.setInterval(0);
  connect(&soon_, &QTimer::timeout, this, [this] { look(false); });
  patience_.setSingleShot(true);
  patience_.setInterval(patience);
  connect(&patience_, &QTimer::timeout, this, [this] {
    dim_ = true;
    Q_EMIT changed();
  });
  for (const SessionSignal cause : causes) connect(&session_, cause, this, &Inquiry::lookSoon);
}

void Inquiry::stop() {
  soon_.stop();
  controller_.cancelAll();  // of an earlier question too
  forgetWork();
  look(true);
}

void Inquiry::resume() {
  letGo();
  look(false);
}

void Inquiry::rest(bool waiting) {
  if (!waiting) {
    patience_.stop();
    dim_ = false;
  } else if (!dim_ && !patience_.isActive()) {
    patience_.start();
  }
}

}  // namespace bankside::window
