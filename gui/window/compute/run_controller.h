/// A worker thread. The window has one, and one more for parts of pictures that are not in memory (0123).
/// Work is handed over, results come back as events on the window's thread.
///
/// Of each kind of work the newest wins: what waited is dropped, what runs is told to stop, and what it still
/// sends is thrown away. Nothing here blocks the caller.
#pragma once

#include <QObject>
#include <QString>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>

#include "gui/window/compute/mailbox.h"

namespace bankside::window {

/// In the order in which waiting work is taken up.
enum class Work { Open, Bank, Compute, Region, Export, Measure, Thumbnails };
inline constexpr Work allWork[] = {Work::Open,   Work::Bank,    Work::Compute,   Work::Region,
                                   Work::Export, Work::Measure, Work::Thumbnails};

class RunController : public QObject {
  Q_OBJECT
 public:
  /// What the work gets to talk to the window through. Valid while the work runs, on the worker's thread.
  class Context {
   public:
    std::stop_token stop;
    /// Runs `delivery` on the window's thread, unless newer work of this kind has been started by then.
    void deliver(std::function<void()> delivery) const;
    /// A word for the status line: "verifying ENGINE".
    void say(const QString& what) const;

   private:
    friend class RunController;
    RunController* controller = nullptr;
    Work kind = Work::Open;
    quint64 number = 0;
  };
  using Function = std::function<void(Context&)>;

  explicit RunController(QObject* parent = nullptr);
  /// Stops what runs and waits for it (at most the 200 ms that engines need to notice).
  ~RunController() override;

  /// Replaces waiting and running work of the same kind, and stops kinds that the new one makes pointless:
  /// Open and Bank stop Compute, Region and Measure; Compute stops Measure.
  void start(Work kind, const QString& title, Function function);
  void cancel(Work kind);
  void cancelAll();
  /// The same, and waits until nothing runs (at most the 200 ms that engines need to notice).
  void stopAll();

  /// True while work waits or runs, and until what it sent has arrived.
  bool busy() const;
  /// Until `finished` was sent for all work of that kind.
  bool working(Work kind) const;

 Q_SIGNALS:
  void busyChanged(bool busy, const QString& what);
  void said(const QString& what);
  /// The work threw: one sentence. Not sent for cancelled or outdated work.
  void failed(bankside::window::Work kind, const QString& sentence);
  /// Also for work that failed; `cancelled` if it was stopped.
  void finished(bankside::window::Work kind, bool cancelled);

 private:
  struct Job {
    quint64 number = 0;
    QString title;
    Function function;
  };
  void loop(const std::stop_token& stop);
  void runJob(Work kind, Job& job, const std::stop_token& stop);
  bool working() const;
  void drop(Work kind);  // with mutex_ held
  void ended(Work kind, bool cancelled);
  bool current(Work kind, quint64 number) const;

  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  std::map<Work, Job> waiting_;
  std::map<Work, int> unfinished_;
  std::map<Work, quint64> newest_;  // number of the newest work of a kind; results of older work are stale
  bool running_ = false;
  Work runningKind_ = Work::Open;
  std::stop_source runningStop_;
  quint64 lastNumber_ = 0;
  Mailbox mailbox_;
  std::jthread thread_;  // last: the others outlive it
};

}  // namespace bankside::window
