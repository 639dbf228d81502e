// Threads that do a piece of the same work each, again and again.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace barpoint {

class Team {
  public:
    // The caller is one of the `size` threads.
    explicit Team(std::size_t size) {
        try {
            for (std::size_t number = 1; number < size; ++number) threads_.emplace_back([this, number] { serve(number); });
        } catch (...) {  // the system gives no more threads
            end();
            throw;
        }
    }
    ~Team() { end(); }
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    // Calls work(number) for every number below the size, at the same time, and waits for all. It must not throw.
    void share_out(const std::function<void(std::size_t)>& work) {
        begin(&work);
        work(0);
        std::unique_lock lock(mutex_);
        ended_.wait(lock, [this] { return working_ == 0; });
    }

  private:
    void end() {
        begin(nullptr);
        for (std::thread& thread : threads_) thread.join();
    }

    // A new round of work; nullptr ends the threads.
    void begin(const std::function<void(std::size_t)>* work) {
        {
            const std::lock_guard lock(mutex_);
            work_ = work;
            working_ = threads_.size();
            ++round_;
        }
        begun_.notify_all();
    }

    void serve(std::size_t number) {
        for (std::size_t round = 1;; ++round) {
            std::unique_lock lock(mutex_);
            begun_.wait(lock, [&] { return round_ == round; });
            if (!work_) return;
            lock.unlock();
            (*work_)(number);
            lock.lock();
            if (--working_ == 0) ended_.notify_one();
        }
    }

    std::mutex mutex_;
    std::condition_variable begun_, ended_;
    const std::function<void(std::size_t)>* work_ = nullptr;
    std::size_t round_ = 0, working_ = 0;  // threads that have not ended this round
    std::vector<std::thread> threads_;
};

}  // namespace barpoint
