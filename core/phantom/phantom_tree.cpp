#include "core/phantom/phantom_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>

namespace bankside {
namespace {

struct Point {
  double x = 0;
  double y = 0;
};
Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
Point operator*(double s, Point a) { return {s * a.x, s * a.y}; }
double dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }
double length(Point a) { return std::sqrt(dot(a, a)); }
Point unit(Point a) {
  const double l = length(a);
  return l > 0 ? (1 / l) * a : Point{1, 0};
}
Point left(Point a) { return {a.y, -a.x}; }

constexpr double stepLength = 0.006;
constexpr double viewReach = 1.03;  // vessels run on a little behind the rim

/// Newton's steps from above; no library function, so that all machines agree.
double cubeRoot(double a) {
  double r = std::max(a, 1.0);
  for (int i = 0; i < 100; ++i) {
    const double next = (2 * r + a / (r * r)) / 3;
    if (next >= r) break;
    r = next;
  }
  return r;
}

/// Cosine of the angle between a parent and the daughter of radius `one`, the other having radius `other`.
double murrayCosine(double parent, double one, double other) {
  const auto fourth = [](double r) { return r * r * r * r; };
  const double cosine = (fourth(parent) + fourth(one) - fourth(other)) / (2 * parent * parent * one * one);
  return std::clamp(cosine, 0.4, 1.0);
}

struct Branch {
  int id;
  int parent;
  Point from;
  Point direction;
  double radius;
  bool artery;
  std::uint64_t seed;
};

/// Where vessels already run, in cells, so that vessels of a kind keep out of each other's way.
class Occupancy {
 public:
  struct Mark {
    Point at;
    double radius;
    int branch;
    int parent;
    bool artery;
  };
  void add(const Mark& mark) { cell(mark.at.x, mark.at.y).push_back(mark); }

  template <class Predicate>
  bool anyNear(Point p, Predicate blocks) {
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        for (const Mark& mark : cell(p.x + dx * cellSide, p.y + dy * cellSide)) {
          if (blocks(mark)) return true;
        }
      }
    }
    return false;
  }

 private:
  static constexpr double cellSide = 0.04;
  static constexpr int cells = 64;
  static int index(double v) { return std::clamp(static_cast<int>((v + 1.28) / cellSide), 0, cells - 1); }
  std::vector<Mark>& cell(double x, double y) {
    return grid_[static_cast<std::size_t>(index(y) * cells + index(x))];
  }
  std::vector<std::vector<Mark>> grid_ = std::vector<std::vector<Mark>>(cells * cells);
};

class Grower {
 public:
  Grower(const RetinaLayout& layout, double leastRadius)
      : disc_{layout.discX, layout.discY},
        discRadius_(layout.discRadius),
        fovea_{layout.foveaX, layout.foveaY},
        least_(leastRadius) {}

  /// Follows a Bezier curve, wavering a little, and drops side branches.
  void growTrunk(const std::array<Point, 4>& b, double radius, bool artery, std::uint64_t seed) {
    PhantomRandom random(seed);
    const int id = nextId_++;
    const auto curve = [&](double t) {
      const double s = 1 - t;
      return (s * s * s) * b[0] + (3 * s * s * t) * b[1] + (3 * s * t * t) * b[2] + (t * t * t) * b[3];
    };
    const double reach = length(b[1] - b[0]) + length(b[2] - b[1]) + length(b[3] - b[2]);
    const double dt = stepLength / reach;
    double wave = 0;
    double waveTarget = 0;
    double untilBranch = random.between(0.2, 0.3);
    double untilTurn = 0;
    double side = random.uniform() < 0.5 ? -1 : 1;
    Point before = b[0];
    for (double t = dt; t < 1; t += dt) {
      if ((untilTurn -= stepLength) < 0) {
        waveTarget = random.between(-0.022, 0.022);
        untilTurn = random.between(0.06, 0.14);
      }
      wave += 0.07 * (waveTarget - wave);
      const Point tangent = unit(curve(t) - curve(t - dt));
      const Point now = curve(t) + wave * left(tangent);
      place(before, now, radius, radius, id, -1, artery);
      const Point direction = unit(now - before);
      before = now;
      if (length(now) > viewReach) return;
      if ((untilBranch -= stepLength) > 0) continue;
      const double small = radius * random.between(0.42, 0.78);
      const double large = cubeRoot(radius * radius * radius - small * small * small);
      side = random.uniform() < 0.75 ? -side : side;
      spawn(id, now, direction, side, murrayCosine(radius, small, large), small, artery, random.next());
      radius = large;
      if (radius < least_) return;
      untilBranch = random.between(0.08, 0.17);
    }
    spawn(id, before, unit(b[3] - b[2]), 1, 1.0, radius, artery, random.next());
  }

  /// Thick branches first, so that thin ones give way.
  std::vector<VesselSegment> finish() {
    while (!waiting_.empty()) {
      const auto thickest =
          std::max_element(waiting_.begin(), waiting_.end(), [](const auto& a, const auto& b) {
            return a.radius < b.radius || (a.radius == b.radius && a.id > b.id);
          });
      const Branch branch = *thickest;
      waiting_.erase(thickest);
      growBranch(branch);
    }
    return std::move(segments_);
  }

 private:
  void spawn(int parent, Point from, Point direction, double side, double cosine, double radius, bool artery,
             std::uint64_t seed) {
    if (radius < least_) return;
    const double sine = std::sqrt(1 - cosine * cosine);
    const Point turned = cosine * direction + (side * sine) * left(direction);
    waiting_.push_back({nextId_++, parent, from, turned, radius, artery, seed});
  }

  void place(Point a, Point b, double radiusA, double radiusB, int id, int parent, bool artery) {
    segments_.push_back({a.x, a.y, b.x, b.y, radiusA, radiusB, artery});
    occupancy_.add({b, radiusB, id, parent, artery});
  }

  bool blocked(const Branch& branch, Point p, double travelled) {
    if (length(p - disc_) < discRadius_ * 1.1) return true;
    if (length(p - fovea_) < 0.11) return true;
    return occupancy_.anyNear(p, [&](const Occupancy::Mark& mark) {
      if (mark.branch == branch.id) return false;
      const bool family = mark.branch == branch.parent || mark.parent == branch.parent;
      if (family && travelled < 0.07) return false;
      const double gap = mark.artery == branch.artery ? 0.024 : -mark.radius;
      return length(mark.at - p) < branch.radius + mark.radius + gap;
    });
  }

  /// Turns the direction as little as it takes to keep out of the others' way; false where nothing helps.
  bool findWay(const Branch& branch, Point at, Point& direction, double travelled) {
    for (const double turn : {0.0, 0.15, -0.15, 0.35, -0.35}) {
      const Point turned = unit(direction + turn * left(direction));
      if (blocked(branch, at + stepLength * turned, travelled)) continue;
      direction = turned;
      return true;
    }
    return false;
  }

  /// Where a thin vessel would go: to the fovea if it set out that way, else away from the disc.
  Point pull(Point p, Point direction) const {
    const Point toFovea = fovea_ - p;
    const double distance = length(toFovea);
    if (distance < 0.62 && dot(unit(toFovea), direction) > 0.1) return unit(toFovea);
    return unit(p - disc_);
  }

  void growBranch(const Branch& branch) {
    PhantomRandom random(branch.seed);
    const double untilFork = random.between(0.12, 0.3) + 8 * branch.radius;
    Point at = branch.from;
    Point direction = branch.direction;
    double bend = 0;
    double bendTarget = 0;
    double untilTurn = 0;
    double travelled = 0;
    std::vector<Point> path = {at};
    bool forks = true;
    while (travelled < untilFork) {
      if ((untilTurn -= stepLength) < 0) {
        bendTarget = random.between(-0.075, 0.075);
        untilTurn = random.between(0.02, 0.07);
      }
      bend += 0.3 * (bendTarget - bend);
      direction = unit(direction + bend * left(direction) + 0.035 * pull(at, direction));
      if (length(at) > viewReach || !findWay(branch, at, direction, travelled)) {
        forks = false;
        break;
      }
      at = at + stepLength * direction;
      travelled += stepLength;
      path.push_back(at);
    }
    const bool leaves = length(at) > viewReach;
    // A stump would be no vessel.
    if (path.size() < 6 || (!forks && !leaves && travelled < 20 * branch.radius)) return;
    const double small = branch.radius * random.between(0.5, 0.79);
    const double large = cubeRoot(branch.radius * branch.radius * branch.radius - small * small * small);
    forks = forks && large >= least_;
    const auto radiusAt = [&](std::size_t i) {  // an end in view without daughters grows thin all along
      const double part = static_cast<double>(i) / static_cast<double>(path.size() - 1);
      return forks || leaves ? branch.radius : branch.radius + part * (least_ - branch.radius);
    };
    for (std::size_t i = 1; i < path.size(); ++i) {
      place(path[i - 1], path[i], radiusAt(i - 1), radiusAt(i), branch.id, branch.parent, branch.artery);
    }
    if (!forks) return;
    const double side = random.uniform() < 0.5 ? -1 : 1;
    spawn(branch.id, at, direction, side, murrayCosine(branch.radius, small, large), small, branch.artery,
          random.next());
    spawn(branch.id, at, direction, -side, murrayCosine(branch.radius, large, small), large, branch.artery,
          random.next());
  }

  Point disc_;
  double discRadius_;
  Point fovea_;
  double least_;
  int nextId_ = 0;
  std::deque<Branch> waiting_;
  std::vector<VesselSegment> segments_;
  Occupancy occupancy_;
};

}  // namespace

std::uint64_t PhantomRandom::next() {
  state_ += 0x9e3779b97f4a7c15u;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

RetinaLayout makeRetinaLayout(std::uint64_t seed) {
  PhantomRandom random(seed ^ 0x6c61796f7574u);
  RetinaLayout layout;
  layout.discX = random.between(-0.66, -0.58);
  layout.discY = random.between(-0.1, 0.0);
  layout.discRadius = random.between(0.125, 0.145);
  layout.foveaX = layout.discX + random.between(0.62, 0.7);
  layout.foveaY = layout.discY + random.between(0.06, 0.12);
  return layout;
}

std::vector<VesselSegment> growVesselTree(const RetinaLayout& layout, std::uint64_t seed,
                                          double leastRadius) {
  // Every draw has a line or a braced list of its own: compilers differ in the order of a call's arguments.
  PhantomRandom random(seed ^ 0x74726565u);
  Grower grower(layout, leastRadius);
  const double x = layout.discX;
  const double y = layout.discY;
  const auto grow = [&](const std::array<Point, 4>& curve, double radius, bool artery) {
    grower.growTrunk(curve, radius, artery, random.next());
  };
  for (const double side : {-1.0, 1.0}) {
    for (const bool artery : {false, true}) {
      const double temporal = artery ? random.between(0.0105, 0.0115) : random.between(0.014, 0.0155);
      const Point start{x + random.between(-0.03, 0.03), y + side * random.between(0.0, 0.04)};
      // The arcade: up (or down) out of the disc, around the fovea, on to the far rim.
      const double rise = (artery ? 0.50 : 0.62) + random.between(-0.05, 0.05);
      const double end = artery ? random.between(0.25, 0.4) : random.between(0.45, 0.65);
      const std::array<Point, 4> arcade = {
          {start,
           {x + random.between(-0.02, 0.06), y + side * rise * 0.75},
           {layout.foveaX + random.between(-0.25, -0.05), y + side * rise * 1.2},
           {1.05, y + side * end}}};
      grow(arcade, temporal, artery);
      // The other way, to the nose.
      const double nasal = temporal * random.between(0.62, 0.75);
      const double spread = artery ? random.between(0.35, 0.5) : random.between(0.6, 0.75);
      const std::array<Point, 4> toNose = {{start,
                                            {x - 0.06, y + side * 0.15},
                                            {x - 0.15, y + side * spread * 0.75},
                                            {x - random.between(0.25, 0.4), y + side * spread * 1.5}}};
      grow(toNose, nasal, artery);
    }
  }
  // Thin ones: two to the macula, two to the nose.
  for (const double side : {-1.0, 1.0}) {
    const double macular = random.between(0.006, 0.007);
    const std::array<Point, 4> toMacula = {
        {{x + 0.03, y + side * 0.02},
         {x + 0.2, y + side * random.between(0.08, 0.14)},
         {x + 0.3, y + side * random.between(0.2, 0.26)},
         {layout.foveaX - 0.02, layout.foveaY + side * random.between(0.2, 0.26)}}};
    grow(toMacula, macular, side > 0);
    const double thin = random.between(0.0045, 0.0055);
    const std::array<Point, 4> toNose = {{{x - 0.03, y + side * 0.01},
                                          {x - 0.15, y + side * 0.03},
                                          {x - 0.25, y + side * random.between(0.02, 0.12)},
                                          {x - 0.45, y + side * random.between(0.05, 0.2)}}};
    grow(toNose, thin, side < 0);
  }
  return grower.finish();
}

}  // namespace bankside
