// A long piece of work in the background, polled and stopped from outside.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace barpoint {

// Work on a thread of its own. The destructor stops it and waits.
class Job {
  public:
    using Work = std::function<void(Job&)>;
    explicit Job(Work work);
    ~Job();
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

    void stop() { stopped_ = true; }
    bool stopped() const { return stopped_; }
    // Waits at most so many seconds; true when the work has ended. An exception that ended it is rethrown here, each time.
    bool wait(double seconds);

    std::atomic<std::int64_t> done{0};   // units of work: games played, samples fitted
    std::atomic<double> error{0};        // of training: recent root mean square error of the chance to win

  private:
    std::mutex mutex_;
    std::condition_variable ended_;
    bool over_ = false;
    std::atomic<bool> stopped_{false};
    std::exception_ptr failure_;
    std::thread thread_;
};

}  // namespace barpoint
