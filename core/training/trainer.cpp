#include "training/trainer.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "rng.hpp"
#include "threads.hpp"

namespace barpoint {
namespace {

using Threads = std::vector<std::vector<Search>>;  // what each thread plays with

// Chosen without measurement: each other value takes a training run of hours, and the later stages train anew (docs/engine.md,
// Training).
constexpr std::int64_t kRound = 16;  // games between learning steps: few, so that the net that plays is hardly older
constexpr std::size_t kBatch = 64;   // samples a step
constexpr std::uint64_t kOrderKey = 0x6F72646572;  // keeps shuffles apart from games

void shuffle(std::vector<std::uint32_t>& order, std::uint64_t seed, std::uint64_t number) {
    Stream stream(seed ^ kOrderKey, number);
    for (std::size_t i = order.size(); i > 1; --i) {
        std::swap(order[i - 1], order[stream.below(static_cast<std::uint32_t>(i))]);
    }
}

// Plays the games of one round on all threads; samples are kept by game.
void play_round(Threads& threads, const SelfPlay& settings, std::uint64_t seed, std::int64_t first_game,
                std::int64_t games, const Job& job, std::vector<std::vector<Sample>>& out) {
    out.resize(games);
    std::atomic<std::int64_t> next{0};
    in_threads(threads.size(), [&](std::size_t number) {
        for (std::int64_t i; (i = next++) < games && !job.stopped();) {
            out[i].clear();
            play_game(threads[number], settings, seed, static_cast<std::uint64_t>(first_game + i), out[i]);
        }
    });
}

Threads make_threads(const SelfPlay& settings, const Net& net, int count) {
    Threads threads;
    for (int i = 0; i < std::max(count, 1); ++i) threads.push_back(make_searches(settings, net));
    return threads;
}

}  // namespace

double Rate::at(double share_done) const { return first * std::pow(last / first, share_done); }

void learn_by_playing(Job& job, Net& net, const SelfPlay& settings, std::uint64_t seed,
                      std::int64_t games, Rate rate, int threads) {
    Threads players = make_threads(settings, net, threads);
    Fitter fitter(net);
    std::vector<std::vector<Sample>> round;
    std::vector<Sample> samples;
    std::vector<std::uint32_t> order;
    double error = 0.25;
    for (std::int64_t game = 0; game < games && !job.stopped(); game += kRound) {
        play_round(players, settings, seed, game, std::min(kRound, games - game), job, round);
        if (job.stopped()) break;
        samples.clear();
        for (const std::vector<Sample>& each : round) samples.insert(samples.end(), each.begin(), each.end());
        order.resize(samples.size());
        std::iota(order.begin(), order.end(), 0u);
        shuffle(order, seed, static_cast<std::uint64_t>(game));
        const auto now = static_cast<float>(rate.at(static_cast<double>(game) / static_cast<double>(games)));
        double sum = 0;
        for (std::size_t at = 0; at < order.size(); at += kBatch) {
            sum += fitter.step(samples.data(), order.data() + at, std::min(kBatch, order.size() - at), now);
        }
        fitter.hand_over();
        for (std::vector<Search>& searches : players) {
            for (Search& search : searches) search.forget();
        }
        error += 0.01 * (sum / static_cast<double>(std::max<std::size_t>(order.size(), 1)) - error);
        job.error = std::sqrt(error);
        job.done = std::min(game + kRound, games);
    }
}

void label(Job& job, const Net& net, const SelfPlay& settings, std::uint64_t seed,
           std::int64_t first_game, std::int64_t games, int threads, std::vector<Sample>& out) {
    Threads players = make_threads(settings, net, threads);
    std::vector<std::vector<Sample>> round;
    for (std::int64_t game = 0; game < games && !job.stopped(); game += kRound) {
        play_round(players, settings, seed, first_game + game, std::min(kRound, games - game), job, round);
        if (job.stopped()) break;
        for (const std::vector<Sample>& each : round) out.insert(out.end(), each.begin(), each.end());
        job.done = std::min(game + kRound, games);
    }
}

void fit(Job& job, Net& net, const std::vector<Sample>& samples, int epochs, int batch, Rate rate, double sibling_weight,
         int fixed_layers, std::uint64_t seed, int threads) {
    Fitter fitter(net, threads, sibling_weight, fixed_layers);
    std::vector<std::uint32_t> firsts, order;  // firsts: the first sample of each roll
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (i == 0 || !siblings(samples[i - 1], samples[i])) firsts.push_back(static_cast<std::uint32_t>(i));
    }
    order.reserve(samples.size());
    const auto size = static_cast<std::size_t>(std::max(batch, 1));
    const double total = static_cast<double>(samples.size()) * std::max(epochs, 1);
    double error = 0.1;
    for (int epoch = 0; epoch < epochs && !job.stopped(); ++epoch) {
        shuffle(firsts, seed, static_cast<std::uint64_t>(epoch));
        order.clear();
        for (std::uint32_t i : firsts) {
            do order.push_back(i++);
            while (i < samples.size() && siblings(samples[i - 1], samples[i]));
        }
        for (std::size_t at = 0, count; at < order.size() && !job.stopped(); at += count) {
            count = std::min(size, order.size() - at);
            while (at + count < order.size() && siblings(samples[order[at + count - 1]], samples[order[at + count]])) ++count;
            const auto now = static_cast<float>(rate.at(static_cast<double>(job.done) / total));
            error += 0.001 * (fitter.step(samples.data(), order.data() + at, count, now) / static_cast<double>(count) - error);
            job.done += static_cast<std::int64_t>(count);
            job.error = std::sqrt(error);
        }
    }
    fitter.hand_over();
}

}  // namespace barpoint
