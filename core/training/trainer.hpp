// The three long pieces of work of training, each in threads of its own, stopped and polled from outside.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "training/fit.hpp"
#include "nets/net.hpp"
#include "training/selfplay.hpp"

namespace barpoint {

// Work that runs by itself. The destructor stops it and waits.
class Job {
  public:
    using Work = std::function<void(Job&)>;
    explicit Job(Work work);
    ~Job();
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

    void stop() { stopped_ = true; }
    bool stopped() const { return stopped_; }
    // Waits so many seconds at most; true when the work has ended. Rerolls what ended it early.
    bool wait(double seconds);

    std::atomic<std::int64_t> done{0};   // games played, or samples fitted
    std::atomic<double> error{0};        // root mean square error of the chance to win, of late

  private:
    std::mutex mutex_;
    std::condition_variable ended_;
    bool over_ = false;
    std::atomic<bool> stopped_{false};
    std::exception_ptr failure_;
    std::thread thread_;
};

// Rate of the learning steps: falls geometrically from first to last.
struct Rate {
    double first = 3e-3, last = 5e-4;
    double at(double share_done) const;
};

// Plays games and learns from each round of them at once; changes the net. The same result for any number of threads.
void learn_by_playing(Job& job, Net& net, const SelfPlay& settings, std::uint64_t seed,
                      std::int64_t games, Rate rate, int threads);

// Plays games first_game .. first_game + games - 1 and keeps their samples, in the order of the games.
void label(Job& job, const Net& net, const SelfPlay& settings, std::uint64_t seed,
           std::int64_t first_game, std::int64_t games, int threads, std::vector<Sample>& out);

// Goes over the samples so many times, in another order each time; changes the net.
void fit(Job& job, Net& net, const std::vector<Sample>& samples, int epochs, int batch, Rate rate, std::uint64_t seed,
         int threads);

}  // namespace barpoint
