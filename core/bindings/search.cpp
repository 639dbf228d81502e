// Searches: positions and plays valued by a net and tables, some plies ahead. Positions are [n, 64] bytes, probabilities
// [n, token states, probabilities] floats (rules/payout.hpp).
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "bindings/cube.hpp"
#include "bindings/interrupts.hpp"
#include "rules/dice.hpp"
#include "search/appraisal.hpp"
#include "search/cube.hpp"
#include "search/search.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace barpoint {
namespace {

// A search that keeps what it searches with.
struct Searcher {
    std::shared_ptr<const Rules> rules;
    std::shared_ptr<const Net> net, pruning_net;
    std::shared_ptr<const CubeNet> cube_net;
    Search search;
    std::mutex busy;  // its scratch serves one thread at a time, and callers may share it
    Interrupts interrupts;
    Searcher(const Rules& r, std::shared_ptr<const Net> n, bool tables, std::shared_ptr<const Net> p, int threads, const CubeNet* c)
        : rules(std::make_shared<Rules>(r)), net(std::move(n)), pruning_net(std::move(p)), cube_net(c ? std::make_shared<CubeNet>(*c) : nullptr),
          search(*rules, net.get(), tables ? Tables::of(r) : nullptr, pruning_net.get()) {
        search.share(checked_threads(threads));
        search.watch([this] { interrupts.look(); });
    }

    Position checked(const std::uint8_t* bytes) const {
        Position position;
        std::memcpy(&position, bytes, sizeof position);
        if (const std::string why = complaint(*rules, position); !why.empty()) throw std::invalid_argument(why);
        return position;
    }
    Searcher(const Searcher&) = delete;

    int columns() const { return search.payout().columns(); }
};

// While a call searches: without the GIL, alone, and with an ear for Ctrl-C.
class Searching {
  public:
    explicit Searching(Searcher& self) : lock_(self.busy) { self.interrupts.begin(); }

  private:
    nb::gil_scoped_release release_;
    std::lock_guard<std::mutex> lock_;
};

// What both sides play for; nothing for points.
std::optional<Scales> scales_of(const Searcher& self, const Stakes* stakes) {
    if (!stakes) return std::nullopt;
    Appraisal appraisal(*self.rules);
    appraisal.set(*stakes);
    return appraisal.scales();
}

nb::object evaluate(Searcher& self, Bytes2 positions, int plies, const Stakes* stakes) {
    const std::size_t count = positions.shape(0), token_states = self.search.token_states(), probabilities = self.columns();
    checked_plies(plies);
    std::vector<Position> all(count);
    for (std::size_t i = 0; i < count; ++i) all[i] = self.checked(positions.data() + 64 * i);
    std::unique_ptr<float[]> out(new float[count * token_states * probabilities]);
    const std::optional<Scales> scales = scales_of(self, stakes);
    {
        const Searching searching(self);
        std::vector<Values> found(count);
        self.search.value_by(scales);
        self.search.evaluate_all(all.data(), count, plies, found.data());
        for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t h = 0; h < token_states; ++h) {
                std::copy_n(found[i][h].begin(), probabilities, out.get() + (i * token_states + h) * probabilities);
            }
        }
    }
    return own_array(std::move(out), {count, token_states, probabilities});
}

Position checked_position(const Searcher& self, const nb::bytes& bytes) {
    if (bytes.size() != 64) throw std::invalid_argument("a position is 64 bytes");
    return self.checked(reinterpret_cast<const std::uint8_t*>(bytes.c_str()));
}

// The cube as it is used down the tree; nothing in games without one.
std::optional<CubeTree> tree_of(const Searcher& self, const Stakes& stakes, const CubeEfficiency& efficiency, int plies) {
    if (!stakes.in_play) return std::nullopt;
    return CubeTree(self.search.payout(), stakes, efficiency, plies);
}

std::vector<Candidate> search_candidates(Searcher& self, const Position& position, int row, int plies, const Stakes* stakes,
                                          const std::optional<CubeTree>& cube) {
    checked_row(*self.rules, position, row);
    checked_plies(plies);
    std::vector<Candidate> found;
    const Searching searching(self);
    self.search.value_by(scales_of(self, stakes), cube);
    self.search.candidates(position, row, plies, found);
    return found;
}

nb::tuple packed(const Searcher& self, const std::vector<Candidate>& found) {
    const std::size_t count = found.size(), token_states = self.search.token_states(), probabilities = self.columns();
    std::unique_ptr<std::uint8_t[]> results(new std::uint8_t[count * 64]);
    std::unique_ptr<bool[]> again(new bool[count]), ended(new bool[count]);
    std::unique_ptr<std::int8_t[]> depths(new std::int8_t[count]);
    std::unique_ptr<float[]> values(new float[count * token_states * probabilities]);
    for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(results.get() + 64 * i, &found[i].result, 64);
        again[i] = found[i].again;
        ended[i] = found[i].ended;
        depths[i] = static_cast<std::int8_t>(found[i].plies);
        for (std::size_t h = 0; h < token_states; ++h) {
            std::copy_n(found[i].values[h].begin(), probabilities, values.get() + (i * token_states + h) * probabilities);
        }
    }
    return nb::make_tuple(own_array(std::move(results), {count, 64}), own_array(std::move(again), {count}),
                          own_array(std::move(ended), {count}), own_array(std::move(depths), {count}),
                          own_array(std::move(values), {count, token_states, probabilities}));
}

nb::tuple candidates(Searcher& self, nb::bytes bytes, int row, int plies, const Stakes* stakes) {
    return packed(self, search_candidates(self, checked_position(self, bytes), row, plies, stakes, std::nullopt));
}

// As candidates(), and [n, token states] the values of the plays to the mover, with the cube where there is one.
nb::tuple candidate_values(Searcher& self, nb::bytes bytes, int row, int plies, const Stakes& stakes, const EfficiencyTuple& efficiency) {
    const Position position = checked_position(self, bytes);
    const std::optional<CubeTree> tree = tree_of(self, stakes, cube_efficiency_from(efficiency, self.cube_net.get()), checked_plies(plies));
    const std::vector<Candidate> found = search_candidates(self, position, row, plies, &stakes, tree);
    const std::size_t count = found.size(), token_states = self.search.token_states();
    const CubeLadder ladder(self.search.payout(), stakes);
    std::unique_ptr<double[]> values(new double[count * token_states]);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t h = 0; h < token_states; ++h) {
            values[i * token_states + h] = tree ? found[i].stake_value[h] : cube_values(ladder, found[i].values[h], 0).no_double;
        }
    }
    return nb::make_tuple(packed(self, found), own_array(std::move(values), {count, token_states}));
}

// A cube decision in each token state, with the probabilities before the roll.
struct FoundCube {
    Values probabilities;
    std::array<CubeValues, kMaxTokenStates> values;
    std::array<MarketWindow, kMaxTokenStates> windows;
};

FoundCube find_cube(Searcher& self, const nb::bytes& bytes, int plies, const Stakes& stakes, const EfficiencyTuple& efficiency, bool windows) {
    const Position position = checked_position(self, bytes);
    const CubeEfficiency known = cube_efficiency_from(efficiency, self.cube_net.get());
    const std::optional<CubeTree> tree = tree_of(self, stakes, known, checked_plies(plies));
    const CubeLadder ladder(self.search.payout(), stakes);
    FoundCube out;
    {
        const Searching searching(self);
        self.search.value_by(scales_of(self, &stakes), tree, std::array{ladder.prices(0), ladder.prices(1)});
        Values& found = out.probabilities;
        PlaceValuesByTokens rolling = {};
        if (tree) {
            self.search.evaluate(position, plies, found, rolling);
        } else {
            self.search.evaluate(position, plies, found);
        }
        for (int h = 0; h < self.search.token_states(); ++h) {
            const auto state = static_cast<std::size_t>(h);
            const RungProbabilities by_rung = self.search.by_rung(found, h);
            const double constant = known.constant_at(position);
            out.values[state] = tree ? tree->decision(by_rung, position, rolling[state]) : cube_values(ladder, by_rung, constant);
            if (!windows) continue;
            if (tree) {
                const auto [now, next] = known.at(position, Outlook(ladder, 0, by_rung));
                out.windows[state] = market_window(ladder, by_rung, now, next);
            } else {
                out.windows[state] = market_window(ladder, by_rung, constant, constant);
            }
        }
    }
    return out;
}

// [token states, probabilities] before the roll, and [token states, 5] as cubes().
nb::tuple packed(const Searcher& self, const FoundCube& found) {
    const std::size_t token_states = self.search.token_states(), probabilities = self.columns();
    std::unique_ptr<float[]> chances(new float[token_states * probabilities]);
    std::unique_ptr<double[]> values(new double[token_states * kCubeColumns]);
    for (std::size_t h = 0; h < token_states; ++h) {
        std::copy_n(found.probabilities[h].begin(), probabilities, chances.get() + h * probabilities);
        put(found.values[h], values.get() + h * kCubeColumns);
    }
    return nb::make_tuple(own_array(std::move(chances), {token_states, probabilities}), own_array(std::move(values), {token_states, kCubeColumns}));
}

nb::tuple cube_decision(Searcher& self, nb::bytes bytes, int plies, const Stakes& stakes, const EfficiencyTuple& efficiency) {
    return packed(self, find_cube(self, bytes, plies, stakes, efficiency, false));
}

// The same and [token states, 4] the market windows: chances to win at which the take, the double, the pass and playing on begin.
nb::tuple cube_window(Searcher& self, nb::bytes bytes, int plies, const Stakes& stakes, const EfficiencyTuple& efficiency) {
    const FoundCube found = find_cube(self, bytes, plies, stakes, efficiency, true);
    const std::size_t token_states = self.search.token_states();
    std::unique_ptr<double[]> windows(new double[token_states * 4]);
    for (std::size_t h = 0; h < token_states; ++h) {
        const MarketWindow& window = found.windows[h];
        const double row[] = {window.take, window.redouble, window.cash, window.too_good};
        std::copy_n(row, 4, windows.get() + 4 * h);
    }
    return nb::make_tuple(packed(self, found), own_array(std::move(windows), {token_states, 4}));
}

// An efficiency as a cube net says it: it mixes dead and live values for a centred cube too.
PositionEfficiency mixing(double efficiency) { return PositionEfficiency(std::array{efficiency, efficiency, efficiency}); }

// Places of the cube of which a cube net learns the value, by owner and rung, in the order of PLACES in training/cube.py.
struct LearnedPlace {
    int owner, rung;
};
constexpr LearnedPlace kLearnedPlaces[] = {{0, 0}, {1, 0}, {-1, 0}, {1, 1}, {-1, 1}};
constexpr std::size_t kLearned = std::size(kLearnedPlaces);

// What a cube net learns of a position, in the units of normal(), with the present cube and with the next: the probabilities [2, 5] and what is at
// stake [2, sights] by the net alone; and [3, places] the values of a dead and of a live cube on these probabilities, and those of a search
// with the cube in the tree, less what it adds to the probabilities, which no efficiency can know. NaN for a centred cube where it is owned.
nb::tuple cube_lesson(Searcher& self, nb::bytes bytes, int plies, const Stakes& stakes, const EfficiencyTuple& efficiency) {
    const Position position = checked_position(self, bytes);
    const CubeEfficiency known = cube_efficiency_from(efficiency, self.cube_net.get());
    const CubeTree tree(self.search.payout(), stakes, known, checked_plies(plies));
    const CubeLadder& ladder = tree.ladder();
    Values alone = {}, searched = {};
    std::optional<RungProbabilities> found, further;
    PlaceValuesByTokens rolling = {};
    {
        const Searching searching(self);
        self.search.value_by(scales_of(self, &stakes), tree);
        self.search.evaluate(position, 0, alone);
        self.search.evaluate(position, plies, searched, rolling);
        found = self.search.by_rung(alone, 0);
        further = self.search.by_rung(searched, 0);
    }
    const Outlook now(ladder, 0, *found), later(ladder, 0, *further);
    std::unique_ptr<float[]> chances(new float[2 * kMaxProbabilities]), sights(new float[2 * kCubeSights]), values(new float[3 * kLearned]);
    for (int rung = 0; rung < 2; ++rung) {
        const Probabilities& seen = found->at(static_cast<std::size_t>(rung));
        const CubeSight sight = now.sight(rung);
        std::copy(seen.begin(), seen.end(), chances.get() + rung * kMaxProbabilities);
        std::memcpy(sights.get() + rung * kCubeSights, &sight, sizeof sight);
    }
    const PositionEfficiency dead = mixing(0), live = mixing(1), usual = mixing(known.constant_at(position));
    for (std::size_t i = 0; i < kLearned; ++i) {
        const auto [owner, rung] = kLearnedPlaces[i];
        const auto normal = [&](double value) { return static_cast<float>(tree.normal(value * (tree.money() ? stakes.cube : 1))); };
        const auto mixed = [&](const Outlook& outlook, const PositionEfficiency& by) { return outlook.stay(outlook.chance(), rung, owner, by); };
        const bool possible = owner != 0 || stakes.owner == 0;
        const double nothing = std::numeric_limits<double>::quiet_NaN(), goal = possible ? tree.at(owner, rung, rolling[0]) : nothing;
        values[i] = normal(possible ? mixed(now, dead) : nothing);
        values[kLearned + i] = normal(possible ? mixed(now, live) : nothing);
        values[2 * kLearned + i] = normal(goal - mixed(later, usual) + mixed(now, usual));
    }
    return nb::make_tuple(own_array(std::move(chances), {std::size_t{2}, std::size_t{kMaxProbabilities}}),
                          own_array(std::move(sights), {std::size_t{2}, std::size_t{kCubeSights}}),
                          own_array(std::move(values), {std::size_t{3}, kLearned}));
}

// [rows, token states]: equity of the best play of every roll; the mean over the rolls is the position's value. Where a row is owed,
// it stands for all.
nb::object rolls(Searcher& self, nb::bytes bytes, int plies) {
    const Position position = checked_position(self, bytes);
    checked_plies(plies);
    const std::size_t rows = self.rules->rows.size(), token_states = self.search.token_states();
    std::unique_ptr<float[]> out(new float[rows * token_states]);
    {
        const Searching searching(self);
        std::vector<Best> best(rows);
        self.search.value_by(std::nullopt);
        if (const int owed = owed_row(position); owed >= 0) {
            self.search.best(position, owed, plies, best[0]);
            std::fill(best.begin() + 1, best.end(), best[0]);
        } else if (plies == 0) {
            self.search.best_of_rows(position, best);  // replies of several rolls have much in common
        } else {
            for (std::size_t row = 0; row < rows; ++row) self.search.best(position, static_cast<int>(row), plies, best[row]);
        }
        for (std::size_t row = 0; row < rows; ++row) std::copy_n(best[row].equity.begin(), token_states, out.get() + row * token_states);
    }
    return own_array(std::move(out), {rows, token_states});
}

}  // namespace

void bind_search(nb::module_& module) {
    nb::class_<Searcher>(module, "Searcher")
        .def(
            "__init__",
            [](Searcher* self, const Rules& rules, std::shared_ptr<Net> net, bool tables, std::shared_ptr<Net> pruning_net, int threads,
               const CubeNet* cube_net) { new (self) Searcher(rules, std::move(net), tables, std::move(pruning_net), threads, cube_net); },
            "rules"_a, "net"_a.none(), "tables"_a = false, "pruning_net"_a.none() = nb::none(), "threads"_a = 1,
            "cube_net"_a.none() = nb::none())
        .def_prop_ro("token_states", [](const Searcher& self) { return self.search.token_states(); })
        .def("evaluate", &evaluate, "positions"_a.noconvert(), "plies"_a, "stakes"_a.none() = nb::none())
        .def("candidates", &candidates, "position"_a, "row"_a, "plies"_a, "stakes"_a.none() = nb::none())
        .def("candidate_values", &candidate_values, "position"_a, "row"_a, "plies"_a, "stakes"_a, "efficiency"_a)
        .def("cube", &cube_decision, "position"_a, "plies"_a, "stakes"_a, "efficiency"_a)
        .def("cube_lesson", &cube_lesson, "position"_a, "plies"_a, "stakes"_a, "efficiency"_a)
        .def("cube_window", &cube_window, "position"_a, "plies"_a, "stakes"_a, "efficiency"_a)
        .def("rolls", &rolls, "position"_a, "plies"_a);
}

}  // namespace barpoint
