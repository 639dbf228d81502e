#include "job.hpp"

#include <chrono>
#include <utility>

namespace barpoint {

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
    ended_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return over_; });
    if (over_ && failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    return over_;
}

}  // namespace barpoint
