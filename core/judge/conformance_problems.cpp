#include <initializer_list>
#include <utility>

#include "core/judge/conformance.h"

namespace bankside {
namespace {

constexpr Border constantDark{BorderKind::Constant, -3.5f};
constexpr Border constantSeven{BorderKind::Constant, 7.0f};
constexpr Border replicate{BorderKind::Replicate};
constexpr Border reflect{BorderKind::Reflect};
constexpr Border reflect101{BorderKind::Reflect101};
constexpr Border wrap{BorderKind::Wrap};

/// The constant one with several values.
std::vector<Border> everyBorder() {
  std::vector<Border> borders = {zeroBorder, constantDark, constantSeven};
  for (const BorderKind kind : allBorderKinds)
    if (kind != BorderKind::Constant) borders.push_back({kind});
  return borders;
}

struct Size {
  int height;
  int width;
};

class List {
 public:
  void add(const ConvolutionProblem& problem) { texts_.push_back(format(problem)); }
  std::vector<std::string> take() { return std::move(texts_); }

 private:
  std::vector<std::string> texts_;
};

/// Two filters over one f32 channel, anchors in the middle.
ConvolutionProblem plain(Size image, Size filter, Border border = reflect101) {
  return {.height = image.height,
          .width = image.width,
          .filterCount = 2,
          .filterHeight = filter.height,
          .filterWidth = filter.width,
          .anchorX = filter.width / 2,
          .anchorY = filter.height / 2,
          .border = border};
}

constexpr Size primes{37, 53};

/// Images smaller than a filter, one pixel more or less than a vector or a tile, under every border.
void addShapes(List& list) {
  for (const Border& border : everyBorder()) {
    for (const Size image : {Size{1, 1},
                             {1, 19},
                             {19, 1},
                             {2, 3},
                             {11, 13},
                             {15, 16},
                             {16, 17},
                             {17, 15},
                             {63, 64},
                             {64, 65},
                             {65, 63}}) {
      for (const int side : {3, 4, 15}) list.add(plain(image, {side, side}, border));
    }
  }
}

/// A row or a column longer than 16 bits count.
void addLongOnes(List& list) {
  for (const Border& border : {reflect101, constantDark, wrap}) {
    for (const Size image : {Size{2, 70'000}, {70'000, 2}}) {
      ConvolutionProblem p = plain(image, {3, 5}, border);
      p.srcType = ElementType::U8;
      list.add(p);
    }
  }
}

void addFilterSizes(List& list) {
  for (const Border& border : {reflect101, constantSeven}) {
    for (const Size filter :
         {Size{1, 1}, {2, 2},   {3, 3},   {4, 4},   {5, 3},   {3, 5},   {5, 5},   {6, 6},
          {7, 7},     {8, 8},   {9, 9},   {10, 13}, {11, 11}, {12, 12}, {13, 13}, {15, 15},
          {16, 16},   {17, 17}, {21, 21}, {31, 31}, {1, 31},  {31, 1},  {2, 31}}) {
      list.add(plain(primes, filter, border));
      ConvolutionProblem bytes = plain(primes, filter, border);
      bytes.srcType = ElementType::U8;
      bytes.filterCount = 3;
      list.add(bytes);
    }
  }
  for (const Size filter : {Size{127, 127}, {1, 127}, {127, 1}}) list.add(plain({29, 41}, filter));
}

/// Anchors in every corner; even sizes, where correlation and convolution differ in their anchor; images that
/// a transform cuts into blocks with a single column or row left over.
void addAnchorsAndModes(List& list) {
  for (const FilterMode mode : {FilterMode::CrossCorrelation, FilterMode::Convolution}) {
    for (const Border& border : everyBorder()) {
      for (const int side : {2, 4, 5, 12}) {
        ConvolutionProblem p = plain({23, 29}, {side, side}, border);
        p.mode = mode;
        list.add(p);
      }
    }
    for (const Size filter : {Size{3, 5}, {4, 4}, {15, 15}}) {
      for (const bool right : {false, true}) {
        for (const bool bottom : {false, true}) {
          ConvolutionProblem p = plain({23, 29}, filter, reflect);
          p.anchorX = right ? filter.width - 1 : 0;
          p.anchorY = bottom ? filter.height - 1 : 0;
          p.mode = mode;
          list.add(p);
        }
      }
    }
    for (const Border& border : {reflect, reflect101, replicate, zeroBorder}) {
      for (const Size image : {Size{14, 245}, {246, 14}}) {
        for (const Size filter : {Size{13, 13}, {12, 12}, {12, 11}}) {
          ConvolutionProblem p = plain(image, filter, border);
          p.mode = mode;
          if (filter.height == 13) p.anchorX = p.anchorY = 0;
          p.filterCount = 1;
          list.add(p);
        }
      }
    }
  }
}

void addChannels(List& list) {
  for (const int channels : {1, 2, 3}) {
    for (const ChannelMode mode : {ChannelMode::Summed, ChannelMode::PerPlane}) {
      for (const Combine combine : {Combine::None, Combine::Max, Combine::ArgMax}) {
        for (const int side : {3, 15}) {
          ConvolutionProblem p = plain(primes, {side, side}, channels == 2 ? constantDark : reflect101);
          p.channels = channels;
          p.channelMode = mode;
          p.combine = combine;
          p.srcType = channels == 3 ? ElementType::U8 : ElementType::F32;
          list.add(p);
        }
      }
    }
  }
}

void addFilterCounts(List& list) {
  for (const int count : {1, 2, 3, 4, 5, 6, 7, 8, 12, 33}) {
    for (const Combine combine : {Combine::None, Combine::Max, Combine::Sum}) {
      for (const int side : {3, 7}) {
        ConvolutionProblem p = plain(primes, {side, side});
        p.filterCount = count;
        p.combine = combine;
        list.add(p);
      }
    }
  }
}

void addTypes(List& list) {
  for (const ElementType src : allElementTypes) {
    for (const ElementType dst : allElementTypes) {
      for (const Combine combine : {Combine::None, Combine::Max}) {
        for (const int side : {3, 5, 13}) {
          ConvolutionProblem p = plain(primes, {side, side});
          p.srcType = src;
          p.dstType = dst;
          p.combine = combine;
          list.add(p);
        }
      }
      ConvolutionProblem outside = plain(primes, {3, 3}, constantDark);
      outside.srcType = src;
      outside.dstType = dst;
      list.add(outside);
    }
  }
}

void addCombines(List& list) {
  for (const Combine combine : allCombines) {
    for (const ElementType type : {ElementType::F32, ElementType::U8}) {
      for (const int count : {1, 5, 12}) {
        for (const int side : {3, 11}) {
          ConvolutionProblem p = plain(primes, {side, side}, replicate);
          p.srcType = type;
          p.dstType = type;
          p.combine = combine;
          p.filterCount = count;
          list.add(p);
        }
      }
    }
  }
}

std::vector<std::string> makeList() {
  List list;
  addShapes(list);
  addLongOnes(list);
  addFilterSizes(list);
  addAnchorsAndModes(list);
  addChannels(list);
  addFilterCounts(list);
  addTypes(list);
  addCombines(list);
  return list.take();
}

}  // namespace

const std::vector<std::string>& conformanceProblems() {
  static const std::vector<std::string> list = makeList();
  return list;
}

}  // namespace bankside
