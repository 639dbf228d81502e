#include "job.hpp"

#include <chrono>
#include <utility>

namespace barpoint {
namespace {

constexpr double kForever = 1e9;  // seconds; a clock counts nanoseconds in 64 bits

}  // namespace

Job::Job(Work work) {
    thread_ = std::thread([this, work = std::move(work)] {
        try {
            work(*this);
        } catch (...) {
            failure_ = std::current_exception();
        }
        const std::lock_guard lock(mutex_);
        over_ = true;
        ended_.notify_all();
    });
}

Job::~Job() {
    stop();
    thread_.join();
}

bool Job::wait(double seconds) {
    std::unique_lock lock(mutex_);
    const auto ended = [this] { return over_; };
    if (seconds >= kForever) {
        ended_.wait(lock, ended);
    } else {
        ended_.wait_for(lock, std::chrono::duration<double>(seconds > 0 ? seconds : 0), ended);  // NaN is no time
    }
    if (over_ && failure_) std::rethrow_exception(failure_);
    return over_;
}

}  // namespace barpoint
