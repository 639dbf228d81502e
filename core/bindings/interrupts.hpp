// Ctrl-C in the middle of a long call.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

namespace barpoint {

// Asks Python now and then, on the thread that called, whether a signal has come. The GIL may not be held.
class Interrupts {
  public:
    void begin() {
        caller_ = std::this_thread::get_id();
        stopped_ = false;
        next_ = Clock::now() + kInterval;
    }

    // Throws where a signal's handler has raised; on other threads that work for the same call too.
    void look() {
        if (stopped_) throw std::runtime_error("interrupted");
        if (std::this_thread::get_id() != caller_ || Clock::now() < next_) return;
        const nanobind::gil_scoped_acquire acquire;
        next_ = Clock::now() + kInterval;
        if (PyErr_CheckSignals() == 0) return;
        stopped_ = true;
        throw nanobind::python_error();
    }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds kInterval{50};

    std::thread::id caller_;
    std::atomic<bool> stopped_{false};
    Clock::time_point next_;
};

}  // namespace barpoint
