#include "tests/kernels/cuda/on_host/block.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>

#include "tests/kernels/cuda/on_host/fiber.h"
#include "tests/kernels/cuda/on_host/shared_memory.h"

namespace bankside::on_host {

Index threadIdx, blockIdx, blockDim, gridDim;

namespace {

/// A numbered barrier of a block.
struct NumberedBarrier {
  int arrived = 0;
  int threads = 0;
  std::vector<int> waiting;  ///< threads of the cluster
};

/// A group that gathers.
struct Meeting {
  std::vector<void*> brought;
  int arrived = 0;
  const char* what = nullptr;
  int first = 0;  ///< its threads in the cluster: [first, first + size)
  int size = 0;
};

struct DeviceThread {
  int block;  ///< of the cluster
  int index;  ///< of the block
  Index place;
  Fiber* fiber = nullptr;
  std::array<Meeting*, 4> meetings{};  ///< by `Group`
  const char* waitsFor = nullptr;
  const void* sleepsAt = nullptr;
  bool ended = false;
  Pending pending;
};

/// Threads of a block that can go on; each is in it at most once.
class Ready {
 public:
  explicit Ready(int threads) : threads_(std::bit_ceil(static_cast<std::size_t>(threads))) {}
  bool empty() const { return first_ == end_; }
  void add(int thread) { at(end_++) = thread; }
  /// The one that came first; or where chance has it, another, whose place the first one takes.
  int take() { return at(first_++); }
  int takeAny(std::uint32_t chance) {
    const std::size_t which = static_cast<std::size_t>(std::uint64_t{chance} * (end_ - first_) >> 32);
    std::swap(at(first_), at(first_ + which));
    return take();
  }
  void clear() { first_ = end_ = 0; }

 private:
  int& at(std::size_t place) { return threads_[place & (threads_.size() - 1)]; }

  std::vector<int> threads_;
  std::size_t first_ = 0, end_ = 0;
};

/// The blocks of one cluster (or one block) from start to end.
class Cluster {
 public:
  explicit Cluster(const Launch& launch);
  /// Runs the blocks whose place in the grid is (x, y, z), (x, y, z + 1)...
  void runAt(Index place, std::uint64_t seed);

  void meet(Group group, const char* what, void* mine, Together together);
  void arriveAt(int barrier, int threads, bool waits);
  void sleepAt(const void* place);
  void wakeAt(const void* place);
  [[noreturn]] void fail(const char* sentence, const char* more = "");
  [[noreturn]] void end();
  void enter() { launch_.kernel(); }

  DeviceThread& thread() { return threads_[static_cast<std::size_t>(running_)]; }
  unsigned blocks() const { return launch_.clusterBlocks; }
  SharedMemory& shared() { return shared_; }
  bool copiesArriveAtOnce() const { return seed_ % 2 == 1; }
  bool sumsAreCut() const { return launch_.cutSums; }
  const std::string& failure() const { return failure_; }

 private:
  Ready& readyOf(int thread) {
    return ready_[static_cast<std::size_t>(threads_[static_cast<std::size_t>(thread)].block)];
  }
  /// Makes one of the block's that can go on the running one.
  Fiber& takeReady(Ready& ready);
  /// Leaves the running thread for another of its block, or for `runAt` where none can go on.
  void goOn();
  std::string describe(int thread) const;
  std::string whoWaits() const;

  const Launch& launch_;
  int perBlock_;
  std::vector<DeviceThread> threads_;
  std::vector<Meeting> warps_, warpgroups_, blocks_, cluster_;
  std::vector<std::array<NumberedBarrier, 16>> barriers_;  ///< of each block
  std::vector<Ready> ready_;                               ///< of each block
  SharedMemory shared_;
  Index place_;
  int running_ = 0;
  std::uint64_t seed_ = 0;
  std::uint64_t random_ = 0;
  int left_ = 0;  ///< threads that have not ended
  std::string failure_;
};

Cluster* now = nullptr;

Fiber* fiberOf(int thread) {
  static std::vector<std::unique_ptr<Fiber>> fibers;
  while (fibers.size() <= static_cast<std::size_t>(thread))
    fibers.push_back(std::make_unique<Fiber>(static_cast<int>(fibers.size())));
  return fibers[static_cast<std::size_t>(thread)].get();
}

std::vector<Meeting> groupsOf(int threads, int perBlock, int size) {
  std::vector<Meeting> groups;
  for (int block = 0; block < threads; block += perBlock) {
    for (int first = 0; first < perBlock; first += size) {
      Meeting m;
      m.first = block + first;
      m.size = std::min(size, perBlock - first);
      m.brought.resize(static_cast<std::size_t>(m.size));
      groups.push_back(std::move(m));
    }
  }
  return groups;
}

Cluster::Cluster(const Launch& launch)
    : launch_(launch),
      perBlock_(static_cast<int>(launch.block.x * launch.block.y * launch.block.z)),
      shared_(launch.sharedBytes, static_cast<int>(launch.clusterBlocks)) {
  const int blocks = static_cast<int>(launch.clusterBlocks);
  const int all = perBlock_ * blocks;
  threads_.resize(static_cast<std::size_t>(all));
  for (int i = 0; i < all; ++i) {
    const auto t = static_cast<unsigned>(i % perBlock_);
    threads_[static_cast<std::size_t>(i)].block = i / perBlock_;
    threads_[static_cast<std::size_t>(i)].index = i % perBlock_;
    threads_[static_cast<std::size_t>(i)].place = {t % launch.block.x, t / launch.block.x % launch.block.y,
                                                   t / launch.block.x / launch.block.y};
  }
  warps_ = groupsOf(all, perBlock_, 32);
  warpgroups_ = groupsOf(all, perBlock_, 128);
  blocks_ = groupsOf(all, perBlock_, perBlock_);
  cluster_ = groupsOf(all, all, all);
  for (int i = 0; i < all; ++i) {
    DeviceThread& t = threads_[static_cast<std::size_t>(i)];
    t.fiber = fiberOf(i);
    const auto meeting = [&](std::vector<Meeting>& groups, int size) {
      return &groups[static_cast<std::size_t>(t.block * ((perBlock_ + size - 1) / size) + t.index / size)];
    };
    t.meetings = {meeting(warps_, 32), meeting(warpgroups_, 128), meeting(blocks_, perBlock_),
                  &cluster_.front()};
  }
  ready_.resize(static_cast<std::size_t>(blocks), Ready(perBlock_));
  barriers_.resize(static_cast<std::size_t>(blocks));
}

Fiber& Cluster::takeReady(Ready& ready) {
  if (seed_ == 0) {
    running_ = ready.take();
  } else {
    // splitmix64
    std::uint64_t r = random_ += 0x9e3779b97f4a7c15;
    r = (r ^ r >> 30) * 0xbf58476d1ce4e5b9;
    r = (r ^ r >> 27) * 0x94d049bb133111eb;
    running_ = ready.takeAny(static_cast<std::uint32_t>(r >> 32));
  }
  threadIdx = thread().place;
  return *thread().fiber;
}

void Cluster::goOn() {
  Fiber& own = *thread().fiber;
  Ready& ready = readyOf(running_);
  if (ready.empty() || !failure_.empty()) {
    own.leave();
  } else {
    own.leaveFor(takeReady(ready));
  }
}

void Cluster::runAt(Index place, std::uint64_t seed) {
  place_ = place;
  seed_ = seed;
  random_ = seed;
  shared_.poison();
  for (DeviceThread& thread : threads_) {
    thread.waitsFor = nullptr;
    thread.sleepsAt = nullptr;
    thread.ended = false;
    thread.pending.clear();
  }
  for (auto& block : barriers_) block.fill({});
  for (Ready& ready : ready_) ready.clear();
  left_ = static_cast<int>(threads_.size());
  for (int i = 0; i < left_; ++i) {
    threads_[static_cast<std::size_t>(i)].fiber->start([] {
      now->enter();
      now->end();
    });
    readyOf(i).add(i);
  }
  while (left_ > 0) {
    bool any = false;
    for (unsigned block = 0; block < launch_.clusterBlocks; ++block) {
      Ready& ready = ready_[block];
      if (ready.empty()) continue;
      any = true;
      shared_.enter(static_cast<int>(block));
      blockIdx = {place.x, place.y, place.z + block};
      takeReady(ready).resume();
      if (!failure_.empty()) return;
    }
    if (!any) {
      failure_ = "threads wait for others that never come: " + whoWaits();
      return;
    }
  }
  for (const DeviceThread& t : threads_) {
    const auto first = static_cast<std::size_t>(t.block * perBlock_ + t.index / 128 * 128);
    if (t.pending.productHistory != threads_[first].pending.productHistory)
      failure_ = "the warps of a warpgroup multiply different columns in " + describe(0);
  }
  if (!shared_.guardsHold()) failure_ = "a store beyond the dynamic shared memory of " + describe(0);
}

void Cluster::meet(Group group, const char* what, void* mine, Together together) {
  Meeting& meeting = *thread().meetings[static_cast<std::size_t>(group)];
  if (meeting.arrived == 0) {
    meeting.what = what;
  } else if (meeting.what != what && std::strcmp(meeting.what, what) != 0) {
    thread().waitsFor = what;
    fail("waits there while others of its group are at ", meeting.what);
  }
  const int self = running_;
  meeting.brought[static_cast<std::size_t>(self - meeting.first)] = mine;
  if (++meeting.arrived < meeting.size) {
    thread().waitsFor = what;
    goOn();
    return;
  }
  meeting.arrived = 0;
  if (together != nullptr) together(meeting.brought.data(), meeting.size);
  for (int i = meeting.first; i < meeting.first + meeting.size; ++i) {
    threads_[static_cast<std::size_t>(i)].waitsFor = nullptr;
    if (i != self) readyOf(i).add(i);
  }
}

void Cluster::arriveAt(int barrier, int threads, bool waits) {
  NumberedBarrier& b = barriers_[static_cast<std::size_t>(thread().block)][static_cast<std::size_t>(barrier)];
  if (b.arrived++ == 0) b.threads = threads;
  if (b.threads != threads) fail("a barrier is used for two numbers of threads");
  if (b.arrived < threads) {
    if (!waits) return;
    thread().waitsFor = "a numbered barrier";
    b.waiting.push_back(running_);
    goOn();
    return;
  }
  for (const int i : b.waiting) {
    threads_[static_cast<std::size_t>(i)].waitsFor = nullptr;
    readyOf(i).add(i);
  }
  b = {};
}

void Cluster::sleepAt(const void* place) {
  thread().waitsFor = "a barrier of phases";
  thread().sleepsAt = place;
  goOn();
}

void Cluster::wakeAt(const void* place) {
  const int first = thread().block * perBlock_;
  for (int i = first; i < first + perBlock_; ++i) {
    DeviceThread& sleeper = threads_[static_cast<std::size_t>(i)];
    if (sleeper.sleepsAt != place) continue;
    sleeper.waitsFor = nullptr;
    sleeper.sleepsAt = nullptr;
    readyOf(i).add(i);
  }
}

void Cluster::fail(const char* sentence, const char* more) {
  // Nothing on this stack is ever destroyed.
  const char* at = thread().waitsFor;
  failure_ = describe(running_) + (at == nullptr ? "" : std::string(" at ") + at) + ": " + sentence + more;
  thread().fiber->leave();
  __builtin_unreachable();
}

void Cluster::end() {
  thread().ended = true;
  --left_;
  goOn();
  __builtin_unreachable();
}

std::string Cluster::describe(int thread) const {
  const DeviceThread& t = threads_[static_cast<std::size_t>(thread)];
  return "block (" + std::to_string(place_.x) + ", " + std::to_string(place_.y) + ", " +
         std::to_string(place_.z + static_cast<unsigned>(t.block)) + ") thread " + std::to_string(t.index);
}

std::string Cluster::whoWaits() const {
  std::string text;
  int ended = 0;
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    ended += threads_[i].ended;
    if (threads_[i].waitsFor != nullptr && text.size() < 300)
      text += describe(static_cast<int>(i)) + " at " + threads_[i].waitsFor + ", ";
  }
  return text + std::to_string(ended) + " have ended";
}

}  // namespace

void Pending::clear() {
  copies.clear();
  openGroup = 0;
  products.clear();
  productsBegun = false;
  productsEnded = false;
  productHistory = 0;
}

void meet(Group group, const char* what, void* mine, Together together) {
  now->meet(group, what, mine, together);
}
void waitAtBarrier(int barrier, int threads) { now->arriveAt(barrier, threads, true); }
void passBarrier(int barrier, int threads) { now->arriveAt(barrier, threads, false); }
void sleepAt(const void* place) { now->sleepAt(place); }
void wakeAt(const void* place) { now->wakeAt(place); }
void fail(const char* sentence) { now->fail(sentence); }
unsigned clusterBlocks() { return now->blocks(); }
unsigned blockRank() { return static_cast<unsigned>(now->thread().block); }
void* sharedOf(unsigned rank, const void* address) {
  void* place = now->shared().placeIn(static_cast<int>(rank), address);
  if (place == nullptr) fail("an address outside dynamic shared memory is asked for in another block");
  return place;
}
std::byte* sharedMemory() { return now->shared().begin(); }
std::size_t sharedBytes() { return now->shared().bytes(); }
Pending& pending() { return now->thread().pending; }
bool copiesArriveAtOnce() { return now->copiesArriveAtOnce(); }
bool sumsAreCut() { return now->sumsAreCut(); }

std::string run(const Launch& launch) {
  Cluster cluster(launch);
  now = &cluster;
  gridDim = launch.grid;
  blockDim = launch.block;
  std::uint64_t seed = launch.seed;
  for (unsigned z = 0; z < launch.grid.z; z += launch.clusterBlocks) {
    for (unsigned y = 0; y < launch.grid.y; ++y) {
      for (unsigned x = 0; x < launch.grid.x && cluster.failure().empty(); ++x) {
        cluster.runAt({x, y, z}, seed);
        // Another order for every block.
        if (seed != 0) seed += 1000003;
      }
    }
  }
  now = nullptr;
  return cluster.failure();
}

}  // namespace bankside::on_host
