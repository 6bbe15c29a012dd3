/// A sentence in a pane, in as many lines as it needs there.
#pragma once

#include <QFontMetricsF>
#include <QStringList>

namespace bankside::window {

/// Broken between words. No line is wider than `room`, and there are at most `most`: the end of what does not
/// fit is the dots in the middle of the last one.
QStringList captionLines(const QString& text, const QFontMetricsF& metrics, double room, int most);

}  // namespace bankside::window
