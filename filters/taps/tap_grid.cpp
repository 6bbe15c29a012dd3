#include "filters/taps/tap_grid.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/error.h"

namespace bankside {

TapGrid::TapGrid(int height, int width) : height_(height), width_(width) {
  if (height < 1 || width < 1 || height > maxFilterSide || width > maxFilterSide) {
    throw Error(ErrorCode::BadInput, "these parameters need filters of " + std::to_string(height) + " x " +
                                         std::to_string(width) + " taps; each side can be 1 to " +
                                         std::to_string(maxFilterSide));
  }
  values_.resize(static_cast<std::size_t>(height) * width);
}

TapGrid::TapGrid(int height, int width, const Formula& formula) : TapGrid(height, width) {
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) at(y, x) = formula(positionX(x), positionY(y));
  }
}

TapGrid::TapGrid(int height, int width, std::vector<double> values) : TapGrid(height, width) {
  values_ = std::move(values);
}

double TapGrid::sum() const { return std::accumulate(values_.begin(), values_.end(), 0.0); }

double TapGrid::norm() const {
  return std::sqrt(std::inner_product(values_.begin(), values_.end(), values_.begin(), 0.0));
}

double TapGrid::magnitude() const {
  return std::accumulate(values_.begin(), values_.end(), 0.0,
                         [](double sum, double value) { return sum + std::fabs(value); });
}

TapGrid& TapGrid::operator*=(double factor) {
  for (double& value : values_) value *= factor;
  return *this;
}

TapGrid& TapGrid::add(double factor, const TapGrid& other) {
  for (std::size_t i = 0; i < values_.size(); ++i) values_[i] += factor * other.values_[i];
  return *this;
}

Filter TapGrid::toFilter(std::string label) const {
  std::vector<float> taps(values_.size());
  std::transform(values_.begin(), values_.end(), taps.begin(),
                 [](double value) { return static_cast<float>(value); });
  return makeFilter(std::move(label), height_, width_, std::move(taps));
}

TapGrid gaussianGrid(int size, double sigma) {
  TapGrid grid(size, size,
               [&](double x, double y) { return std::exp(-(x * x + y * y) / (2 * sigma * sigma)); });
  grid *= 1 / grid.sum();
  return grid;
}

int oddSideFor(double reach) {
  // Far beyond any legal side TapGrid refuses in words; the cast must survive until then.
  return 2 * static_cast<int>(std::min(std::ceil(reach), 1e6)) + 1;
}

}  // namespace bankside
