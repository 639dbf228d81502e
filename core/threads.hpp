// One piece of work on several threads at once.
#pragma once

#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace barpoint {

// Calls work(number) for each number below `count`, each on a thread of its own, and waits for all; number 0 is on the caller's. Where the
// system gives no more threads, fewer are called: they take what there is to do from each other. Rethrows what one of them threw,
// the caller's first.
template <class Work>
void in_threads(std::size_t count, Work&& work) {
    std::exception_ptr failure;
    std::mutex failing;
    const auto run = [&](std::size_t number) {
        try {
            work(number);
        } catch (...) {
            const std::lock_guard lock(failing);
            if (!failure || number == 0) failure = std::current_exception();
        }
    };
    std::vector<std::thread> others;
    others.reserve(count);
    try {
        for (std::size_t number = 1; number < count; ++number) others.emplace_back(run, number);
    } catch (const std::exception&) {  // no more threads
    }
    run(0);
    for (std::thread& other : others) other.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace barpoint
