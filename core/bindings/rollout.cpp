// Rollouts, as src/barpoint/engine/rollout.py calls them: a block of games of one or several starts on the same dice.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <tuple>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "bindings/cube.hpp"
#include "search/rollout.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace barpoint {
namespace {

// A block of games under way.
struct Block {
    std::shared_ptr<const Rules> rules;
    std::shared_ptr<const Net> net, pruning_net;
    std::shared_ptr<const CubeNet> cube_net;
    std::vector<RolloutStart> starts;
    std::vector<RolloutGame> games;   // [starts][count]
    std::vector<std::uint8_t> done;   // [count]
    std::unique_ptr<Job> job;  // last, so that it stops before what it works on goes away
};

using Start = std::tuple<nb::bytes, int, const Stakes*>;

int at_least(const char* what, int value, int least, int most) {
    if (value < least || value > most) {
        throw std::invalid_argument(std::string(what) + " " + std::to_string(value) + "; " + std::to_string(least) + " to " +
                                    std::to_string(most) + " are allowed");
    }
    return value;
}

std::unique_ptr<Block> start_rollout(const Rules& rules, const Net& net, const Net* pruning_net, const std::vector<Start>& starts, int plies,
                                     int late_plies, int late_from, int cube_plies, int truncate, bool tables, bool reduce, bool stratify,
                                     std::uint64_t seed, std::uint64_t first, std::int64_t count, int threads,
                                     const EfficiencyTuple& efficiency, const CubeNet* cube_net) {
    constexpr int kMaxPlies = 4;
    auto block = std::make_unique<Block>();
    block->rules = std::make_shared<Rules>(rules);
    block->net = std::make_shared<Net>(net);
    if (pruning_net) block->pruning_net = std::make_shared<Net>(*pruning_net);
    if (cube_net) block->cube_net = std::make_shared<CubeNet>(*cube_net);
    const Search fits(*block->rules, block->net.get(), nullptr, block->pruning_net.get());  // refuses a net that does not fit
    for (const auto& [bytes, tokens, stakes] : starts) {
        if (!stakes) throw std::invalid_argument("a start is a position, a token state and stakes; None is none");
        block->starts.push_back({checked_position(rules, bytes), at_least("token state", tokens, 0, fits.token_states() - 1), *stakes});
    }
    if (count < 0 || count > (std::int64_t{1} << 24)) throw std::invalid_argument("a block has at most 16,777,216 games");
    const RolloutSettings settings{at_least("plies", plies, 0, kMaxPlies),
                                   at_least("late plies", late_plies, 0, kMaxPlies),
                                   at_least("late_from", late_from, 0, kMaxRollout),
                                   at_least("cube plies", cube_plies, 0, kMaxPlies),
                                   at_least("truncate", truncate, 0, kMaxRollout),
                                   tables, reduce, stratify, seed, cube_efficiency_from(efficiency, block->cube_net.get())};
    const int hands = checked_threads(threads);
    block->games.resize(block->starts.size() * static_cast<std::size_t>(count));
    block->done.resize(static_cast<std::size_t>(count));
    block->job = std::make_unique<Job>([b = block.get(), settings, first, count, hands](Job& job) {
        roll_out(job, *b->rules, *b->net, b->pruning_net.get(), settings, b->starts, first, static_cast<std::size_t>(count), hands, b->games, b->done);
    });
    return block;
}

bool wait(Block& self, double seconds) {
    nb::gil_scoped_release release;
    return self.job->wait(seconds);
}

// How many games from the first on are finished, and their columns [starts][that many] as doubles.
std::pair<std::size_t, nb::bytes> games(Block& self) {
    if (!wait(self, 0)) throw std::invalid_argument("the games are still going on");
    const auto whole = static_cast<std::size_t>(std::find(self.done.begin(), self.done.end(), 0) - self.done.begin());
    std::vector<RolloutGame> out;
    out.reserve(self.starts.size() * whole);
    for (std::size_t s = 0; s < self.starts.size(); ++s) {
        const auto begin = self.games.begin() + static_cast<std::ptrdiff_t>(s * self.done.size());
        out.insert(out.end(), begin, begin + static_cast<std::ptrdiff_t>(whole));
    }
    return {whole, nb::bytes(reinterpret_cast<const char*>(out.data()), out.size() * sizeof(RolloutGame))};
}

}  // namespace

void bind_rollout(nb::module_& module) {
    nb::class_<Block>(module, "RolloutBlock")
        .def("wait", &wait, "seconds"_a)
        .def("stop", [](Block& self) { self.job->stop(); })
        .def_prop_ro("done", [](const Block& self) { return self.job->done.load(); })
        .def("games", &games);
    module.def("start_rollout", &start_rollout, "rules"_a, "net"_a, "pruning_net"_a.none(), "starts"_a, nb::kw_only(), "plies"_a, "late_plies"_a,
               "late_from"_a, "cube_plies"_a, "truncate"_a, "tables"_a, "reduce"_a, "stratify"_a, "seed"_a, "first"_a, "count"_a,
               "threads"_a, "efficiency"_a, "cube_net"_a.none() = nb::none());
    module.def(
        "rollout_row",
        [](const Rules& rules, std::uint64_t seed, std::uint64_t game, int number, bool stratify) {
            RolloutSettings settings;
            settings.seed = seed;
            settings.stratify = stratify;
            return rollout_row(rules, settings, game, number);
        },
        "rules"_a, "seed"_a, "game"_a, "number"_a, "stratify"_a);
}

}  // namespace barpoint
