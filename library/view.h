/// A caller's pixels: whether they are what was expected, where they lie, and how rows come and go.
#pragma once

#include "core/engine.h"
#include "library/include/bankside/bankside.h"

namespace bankside::library {

/// Throws Error{BadInput} for a number that is no bk_type.
ElementType elementType(std::int32_t type);
std::int32_t bkType(ElementType type);

/// What a view must be.
struct Expected {
  const char* what;  ///< for sentences: "the image"
  ElementType type;
  int channels;
  int height;
  int width;
};

/// The bytes that a view touches, as addresses.
struct AddressRange {
  std::uintptr_t first = 0;
  std::uintptr_t end = 0;
};

/// Throws Error{BadInput} unless the view has that shape and type, memory, and ends within the address space;
/// with `written` unless all its pixels are places of their own.
AddressRange checkView(const bk_view& view, const Expected& expected, bool written);

/// Throws Error{BadInput} where both might share memory.
void requireApart(AddressRange a, const char* what, AddressRange b, const char* other);

/// Whether engines may work on its rows where they lie.
bool inPlace(const bk_view& view);

/// A view as a source. The view must outlive it, and have been checked.
class ViewSource final : public Source {
 public:
  ViewSource(const bk_view& view, ElementType type)
      : view_(view), type_(type), inPlace_(library::inPlace(view)) {}
  ElementType type() const override { return type_; }
  int channels() const override { return static_cast<int>(view_.channels); }
  int height() const override { return static_cast<int>(view_.height); }
  int width() const override { return static_cast<int>(view_.width); }
  std::optional<ConstPlane> resident(int channel) const override;
  void readRows(int channel, int firstRow, MutablePlane dst) override;

 private:
  const bk_view& view_;
  ElementType type_;
  bool inPlace_;
};

/// Where results and, of an ArgMax, indices go.
struct ResultViews {
  const bk_view& results;
  const bk_view* indices = nullptr;  ///< with them, even planes are results and odd ones indices
};

/// Some planes of the results as a sink. Everything must outlive it.
class ViewSink final : public Sink {
 public:
  ViewSink(const ResultViews& views, ElementType type, const std::vector<int>& planes);
  int planes() const override { return static_cast<int>(planes_.size()); }
  ElementType type(int plane) const override { return isIndex(plane) ? ElementType::U16 : type_; }
  std::optional<MutablePlane> resident(int plane) override;
  /// Rows of f32 become the type of the results on the way.
  void writeRows(int plane, int firstRow, ConstPlane src) override;

 private:
  bool isIndex(int plane) const {
    return views_.indices != nullptr && planes_[static_cast<std::size_t>(plane)] % 2 == 1;
  }
  const bk_view& viewOf(int plane) const { return isIndex(plane) ? *views_.indices : views_.results; }
  std::byte* row(int plane, int y) const;

  ResultViews views_;
  ElementType type_;
  const std::vector<int>& planes_;
  bool inPlace_;
};

}  // namespace bankside::library
