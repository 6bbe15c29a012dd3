/// A table or a list that scrolls before the panel around it does.
#pragma once

#include <QSize>

namespace bankside::window {

template <class View>
class LowView final : public View {
 public:
  using View::View;
  QSize sizeHint() const override {
    return {View::sizeHint().width(), this->minimumSizeHint().expandedTo(this->minimumSize()).height()};
  }
};

}  // namespace bankside::window
