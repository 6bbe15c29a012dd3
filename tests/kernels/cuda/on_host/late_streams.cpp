#include "tests/kernels/cuda/on_host/late_streams.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <random>
#include <utility>
#include <vector>

#include "tests/kernels/cuda/on_host/fake_device.h"

namespace {

struct Operation {
  std::function<cudaError_t()> work;  // or
  cudaEvent_t reached = nullptr;      // the event is, or
  cudaEvent_t awaited = nullptr;      // the stream waits for it
  std::uint64_t ticket = 0;           // of the event, when this came into the stream
};

}  // namespace

struct CUstream_st {
  int device = 0;
  std::deque<Operation> waiting;
};
struct CUevent_st {
  int device = 0;
  std::uint64_t recorded = 0;
  std::uint64_t reached = 0;
};

namespace bankside::on_host {
namespace {

std::recursive_mutex mutex;
bool late = false;
bool tellDevices = true;
std::minstd_rand chance;
std::vector<cudaStream_t> streams;
Traffic traffic;
cudaError_t sticky = cudaSuccess;

bool blocked(const CUstream_st& stream) {
  const Operation& o = stream.waiting.front();
  return o.awaited != nullptr && o.awaited->reached < o.ticket;
}

/// One operation of a stream that may go on. False if there is none.
bool step() {
  std::vector<cudaStream_t> able;
  for (const cudaStream_t s : streams)
    if (!s->waiting.empty() && !blocked(*s)) able.push_back(s);
  if (able.empty()) return false;
  CUstream_st& stream = *able[chance() % able.size()];
  const Operation o = std::move(stream.waiting.front());
  stream.waiting.pop_front();
  if (o.work) sticky = std::max(sticky, o.work());
  if (o.reached != nullptr) o.reached->reached = std::max(o.reached->reached, o.ticket);
  return true;
}

cudaError_t add(cudaStream_t stream, Operation o) {
  const std::lock_guard lock(mutex);
  if (o.reached != nullptr) o.ticket = ++o.reached->recorded;
  if (stream == nullptr || !late) {
    while (step()) {
    }
    if (o.reached != nullptr) o.reached->reached = o.ticket;
    return o.work ? o.work() : cudaSuccess;
  }
  stream->waiting.push_back(std::move(o));
  std::uint64_t busy = 0;
  for (const cudaStream_t s : streams) busy += s->waiting.empty() ? 0 : 1;
  traffic.mostBusyStreams = std::max(traffic.mostBusyStreams, busy);
  return sticky;
}

}  // namespace

void setLateStreams(bool wanted, std::uint64_t seed) {
  const std::lock_guard lock(mutex);
  finishAll();
  late = wanted;
  chance.seed(static_cast<unsigned>(seed + 1));
  traffic = {};
}

void setStreamsTellTheirDevice(bool tell) { tellDevices = tell; }

Traffic streamTraffic() {
  const std::lock_guard lock(mutex);
  return traffic;
}

cudaError_t enqueue(cudaStream_t stream, std::function<cudaError_t()> work) {
  if (stream != nullptr && stream->device != currentFake()) return cudaErrorInvalidResourceHandle;
  return add(stream, {std::move(work), nullptr, nullptr, 0});
}

cudaError_t finishAll() {
  const std::lock_guard lock(mutex);
  while (step()) {
  }
  return std::exchange(sticky, cudaSuccess);
}

}  // namespace bankside::on_host

using namespace bankside::on_host;

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  const std::lock_guard lock(mutex);
  *stream = new CUstream_st{currentFake(), {}};
  streams.push_back(*stream);
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  const std::lock_guard lock(mutex);
  finishAll();
  streams.erase(std::find(streams.begin(), streams.end(), stream));
  delete stream;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  const std::lock_guard lock(mutex);
  if (stream == nullptr) return finishAll();
  while (!stream->waiting.empty())
    if (!step()) return cudaErrorLaunchFailure;  // nobody records what it waits for
  return std::exchange(sticky, cudaSuccess);
}
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  if (!tellDevices) return cudaErrorInvalidValue;
  *device = stream == nullptr ? currentFake() : stream->device;
  return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  const std::lock_guard lock(mutex);
  *status = cudaStreamCaptureStatusNone;
  const bool known =
      stream == nullptr ||
      (std::find(streams.begin(), streams.end(), stream) != streams.end() && stream->device == currentFake());
  return known ? cudaSuccess : cudaErrorInvalidValue;
}
cudaError_t cudaDeviceSynchronize() {
  const cudaError_t error = finishAll();
  return deviceLost() ? cudaErrorLaunchFailure : error;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  const std::lock_guard lock(mutex);
  return add(stream, {nullptr, nullptr, event, event->recorded});
}
cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = new CUevent_st{currentFake()};
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  finishAll();
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (event->device != (stream == nullptr ? currentFake() : stream->device))
    return cudaErrorInvalidResourceHandle;
  return add(stream, {nullptr, event, nullptr, 0});
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  const std::lock_guard lock(mutex);
  // Asking often helps: sometimes something happens in between.
  if (event->reached < event->recorded && chance() % 2 == 0 && !step()) return cudaErrorLaunchFailure;
  if (sticky != cudaSuccess) return std::exchange(sticky, cudaSuccess);
  return event->reached < event->recorded ? cudaErrorNotReady : cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t first, cudaEvent_t second) {
  const std::lock_guard lock(mutex);
  for (const cudaEvent_t event : {first, second}) {
    if (event->recorded == 0) return cudaErrorInvalidValue;
    if (event->reached < event->recorded) return cudaErrorNotReady;
  }
  *milliseconds = 0;
  return cudaSuccess;
}
