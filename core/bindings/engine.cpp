// Nets, search and training, as src/barpoint/engine and training/ call them. Positions are arrays of [n, 64] bytes,
// figures of [n, heads, figures] floats (payout.hpp).
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>

#include "bindings/bindings.hpp"
#include "kernels/dispatch.hpp"
#include "search/appraisal.hpp"
#include "search/cube.hpp"
#include "search/search.hpp"
#include "training/head_to_head.hpp"
#include "training/trainer.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace barpoint {

namespace {

using Bytes2 = nb::ndarray<const std::uint8_t, nb::shape<-1, 64>, nb::c_contig, nb::device::cpu>;
using Floats3 = nb::ndarray<const float, nb::shape<-1, -1, -1>, nb::c_contig, nb::device::cpu>;

template <class T>
nb::object own_array(std::unique_ptr<T[]> data, std::initializer_list<std::size_t> shape) {
    T* raw = data.release();
    nb::capsule owner(raw, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return nb::ndarray<nb::numpy, T>(raw, shape, owner).cast();
}

// A search that keeps what it searches with.
struct Searcher {
    std::shared_ptr<const Rules> rules;
    std::shared_ptr<const Net> net, pruner;
    Search search;
    std::mutex busy;  // its scratch serves one thread at a time, and callers may share it
    Searcher(const Rules& r, std::shared_ptr<const Net> n, bool tables, std::shared_ptr<const Net> p, int threads)
        : rules(std::make_shared<Rules>(r)), net(std::move(n)), pruner(std::move(p)),
          search(*rules, net.get(), tables ? Tables::of(r) : nullptr, pruner.get()) {
        if (threads < 1 || threads > 1024) throw std::invalid_argument("threads are 1 to 1024");
        search.share(threads);
    }

    Position checked(const std::uint8_t* bytes) const {
        Position position;
        std::memcpy(&position, bytes, sizeof position);
        if (const std::string why = complaint(*rules, position); !why.empty()) throw std::invalid_argument(why);
        return position;
    }
    Searcher(const Searcher&) = delete;

    int figures() const { return search.payout().figures(); }
};

constexpr int kMaxPlies = 4;

int checked_plies(int plies) {
    if (plies < 0 || plies > kMaxPlies) throw std::invalid_argument("plies are 0 to 4");
    return plies;
}

// What both sides play for; nothing for points.
std::optional<Scales> scales_of(const Searcher& self, const Stakes* stakes) {
    if (!stakes) return std::nullopt;
    Appraisal appraisal(*self.rules);
    appraisal.set(*stakes);
    return appraisal.scales();
}

nb::object evaluate(Searcher& self, Bytes2 positions, int plies, const Stakes* stakes) {
    const std::size_t count = positions.shape(0), heads = self.search.heads(), figures = self.figures();
    checked_plies(plies);
    std::vector<Position> all(count);
    for (std::size_t i = 0; i < count; ++i) all[i] = self.checked(positions.data() + 64 * i);
    std::unique_ptr<float[]> out(new float[count * heads * figures]);
    {
        nb::gil_scoped_release release;
        const std::lock_guard lock(self.busy);
        std::vector<Values> found(count);
        self.search.value_by(scales_of(self, stakes));
        self.search.evaluate_all(all.data(), count, plies, found.data());
        for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t h = 0; h < heads; ++h) {
                std::copy_n(found[i][h].begin(), figures, out.get() + (i * heads + h) * figures);
            }
        }
    }
    return own_array(std::move(out), {count, heads, figures});
}

Net arranged(const Net& self, nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> order) {
    std::vector<std::size_t> units;
    for (std::size_t i = 0; i < order.shape(0); ++i) units.push_back(static_cast<std::size_t>(order.data()[i]));
    return self.arranged(units);
}

nb::object given(const Net& self, Bytes2 positions) {
    if (self.fixed().empty()) throw std::invalid_argument("only a net in whole numbers tells what its units give");
    const std::size_t count = positions.shape(0), hidden = self.shape().hidden;
    std::vector<Position> all(count);
    std::memcpy(all.data(), positions.data(), count * sizeof(Position));
    std::unique_ptr<std::int16_t[]> out(new std::int16_t[count * hidden]);
    self.give(all.data(), count, out.get());
    return own_array(std::move(out), {count, hidden});
}

Position checked_position(const Searcher& self, const nb::bytes& bytes) {
    if (bytes.size() != 64) throw std::invalid_argument("a position is 64 bytes");
    return self.checked(reinterpret_cast<const std::uint8_t*>(bytes.c_str()));
}

using Life = std::tuple<double, double, double>;

// The cube as it is used down the tree; nothing in games without one.
std::optional<CubeTree> tree_of(const Searcher& self, const Stakes& stakes, const Life& life, int plies) {
    if (!stakes.in_play) return std::nullopt;
    const auto [contact, short_race, long_race] = life;
    return CubeTree(self.search.payout(), stakes, CubeLife{contact, short_race, long_race}, plies);
}

std::vector<Candidate> look_at_candidates(Searcher& self, const Position& position, int row, int plies, const Stakes* stakes,
                                          const std::optional<CubeTree>& cube) {
    if (row < 0 || row >= static_cast<int>(self.rules->rows.size())) throw std::invalid_argument("no such row");
    checked_plies(plies);
    std::vector<Candidate> found;
    nb::gil_scoped_release release;
    const std::lock_guard lock(self.busy);
    self.search.value_by(scales_of(self, stakes), cube);
    self.search.candidates(position, row, plies, found);
    return found;
}

nb::tuple packed(const Searcher& self, const std::vector<Candidate>& found) {
    const std::size_t count = found.size(), heads = self.search.heads(), figures = self.figures();
    std::unique_ptr<std::uint8_t[]> results(new std::uint8_t[count * 64]);
    std::unique_ptr<bool[]> again(new bool[count]), ended(new bool[count]), deep(new bool[count]);
    std::unique_ptr<float[]> values(new float[count * heads * figures]);
    for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(results.get() + 64 * i, &found[i].result, 64);
        again[i] = found[i].again;
        ended[i] = found[i].ended;
        deep[i] = found[i].deep;
        for (std::size_t h = 0; h < heads; ++h) {
            std::copy_n(found[i].values[h].begin(), figures, values.get() + (i * heads + h) * figures);
        }
    }
    return nb::make_tuple(own_array(std::move(results), {count, 64}), own_array(std::move(again), {count}),
                          own_array(std::move(ended), {count}), own_array(std::move(deep), {count}),
                          own_array(std::move(values), {count, heads, figures}));
}

nb::tuple candidates(Searcher& self, nb::bytes bytes, int row, int plies, const Stakes* stakes) {
    return packed(self, look_at_candidates(self, checked_position(self, bytes), row, plies, stakes, std::nullopt));
}

// As candidates(), and [n, heads] what the plays are worth to the mover, with the cube in play where there is one.
nb::tuple worths(Searcher& self, nb::bytes bytes, int row, int plies, const Stakes& stakes, const Life& life) {
    const Position position = checked_position(self, bytes);
    const std::optional<CubeTree> tree = tree_of(self, stakes, life, checked_plies(plies));
    const std::vector<Candidate> found = look_at_candidates(self, position, row, plies, &stakes, tree);
    const std::size_t count = found.size(), heads = self.search.heads();
    const CubeLadder ladder(self.search.payout(), stakes);
    std::unique_ptr<double[]> worth(new double[count * heads]);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t h = 0; h < heads; ++h) {
            worth[i * heads + h] = tree ? found[i].worth[h] : cube_values(ladder, found[i].values[h], 0).no_double;
        }
    }
    return nb::make_tuple(packed(self, found), own_array(std::move(worth), {count, heads}));
}

using Floats2 = nb::ndarray<const float, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;

Figures figures_at(const Payout& payout, const Floats2& figures, std::size_t i) {
    if (figures.shape(1) != static_cast<std::size_t>(payout.figures())) throw std::invalid_argument("not the figures of these rules");
    Figures f = {};
    std::copy_n(figures.data() + i * figures.shape(1), figures.shape(1), f.begin());
    return f;
}

Stakes make_stakes(std::vector<double> won, std::vector<double> lost, int cube, int owner, bool in_play, bool jacoby,
                   bool beavers, bool may_double) {
    if (won.empty() != lost.empty() || won.size() == 1 || lost.size() == 1) {
        throw std::invalid_argument("both tables of a match score hold at least two chances; money has none");
    }
    if (cube < 1 || owner < -1 || owner > 1) throw std::invalid_argument("a cube is at least 1, its owner -1, 0 or 1");
    return {{std::move(won), std::move(lost)}, cube, owner, in_play, jacoby, beavers, may_double};
}

constexpr std::size_t kCubeColumns = 5;

void put(const CubeValues& values, double* row) {
    const double columns[] = {values.no_double, values.double_take, values.double_pass, values.best(), values.beaver ? 1.0 : 0.0};
    std::copy_n(columns, kCubeColumns, row);
}

// [n, 5]: no double, double and take, double and pass, with best action, whether a beaver is the answer.
nb::object cubes(const Rules& rules, Floats2 figures, std::vector<double> life, const Stakes& stakes) {
    const std::size_t count = figures.shape(0);
    if (life.size() != count) throw std::invalid_argument("as many cube lives as rows of figures are needed");
    const Payout payout(rules);
    const CubeLadder ladder(payout, stakes);
    std::unique_ptr<double[]> out(new double[count * kCubeColumns]);
    for (std::size_t i = 0; i < count; ++i) {
        put(cube_values(ladder, figures_at(payout, figures, i), life[i]), out.get() + i * kCubeColumns);
    }
    return own_array(std::move(out), {count, kCubeColumns});
}

// [heads, figures] the position before the roll, [heads, 5] as cubes().
nb::tuple cube_decision(Searcher& self, nb::bytes bytes, int plies, const Stakes& stakes, const Life& life) {
    const Position position = checked_position(self, bytes);
    const std::optional<CubeTree> tree = tree_of(self, stakes, life, checked_plies(plies));
    const std::size_t heads = self.search.heads(), figures = self.figures();
    std::unique_ptr<float[]> values(new float[heads * figures]);
    std::unique_ptr<double[]> out(new double[heads * kCubeColumns]);
    {
        nb::gil_scoped_release release;
        const std::lock_guard lock(self.busy);
        self.search.value_by(scales_of(self, &stakes), tree);
        Values found;
        PlacedHeads rolling = {};
        if (tree) {
            self.search.evaluate(position, plies, found, rolling);
        } else {
            self.search.evaluate(position, plies, found);
        }
        for (std::size_t h = 0; h < heads; ++h) {
            std::copy_n(found[h].begin(), figures, values.get() + h * figures);
            put(tree ? tree->decision(found[h], position, rolling[h]) : cube_values(self.search.payout(), found[h], stakes, 0),
                out.get() + h * kCubeColumns);
        }
    }
    return nb::make_tuple(own_array(std::move(values), {heads, figures}), own_array(std::move(out), {heads, kCubeColumns}));
}

// [n, 6]: with a cube for money, as CubeRace; rows of NaN where no exact table has the position.
nb::object cube_races(const Rules& rules, Bytes2 positions, int state, bool jacoby) {
    if (state < 0 || state >= kMaxHeads) throw std::invalid_argument("no such state of the markers");
    const std::size_t count = positions.shape(0);
    const std::shared_ptr<const Tables> tables = Tables::of(rules);
    std::unique_ptr<double[]> out(new double[count * 6]);
    {
        nb::gil_scoped_release release;
        for (std::size_t i = 0; i < count; ++i) {
            Position position;
            std::memcpy(&position, positions.data() + 64 * i, sizeof position);
            const std::optional<CubeRace> race = tables->cube(position, state, jacoby);
            double* row = out.get() + i * 6;
            std::fill_n(row, 6, std::numeric_limits<double>::quiet_NaN());
            if (!race) continue;
            const double values[] = {race->cubeless, race->owned, race->centred, race->theirs, race->roll_owned, race->roll_centred};
            std::copy_n(values, 6, row);
        }
    }
    return own_array(std::move(out), {count, 6});
}

void bind_cube(nb::module_& module) {
    module.def("cube_races", &cube_races, "rules"_a, "positions"_a.noconvert(), "state"_a, "jacoby"_a = false);
    nb::class_<Stakes>(module, "Stakes")
        .def(
            "__init__",
            [](Stakes* self, std::vector<double> won, std::vector<double> lost, int cube, int owner, bool in_play, bool jacoby,
               bool beavers, bool may_double) {
                new (self) Stakes(make_stakes(std::move(won), std::move(lost), cube, owner, in_play, jacoby, beavers, may_double));
            },
            nb::kw_only(), "won"_a, "lost"_a, "cube"_a, "owner"_a, "in_play"_a, "jacoby"_a, "beavers"_a, "may_double"_a)
        .def("flip", &Stakes::flip)
        .def("worth", [](const Stakes& self, double points) { return self.worth.of(points); }, "points"_a);
    module.def("cube_values", &cubes, "rules"_a, "figures"_a.noconvert(), "life"_a, "stakes"_a);
    module.def(
        "market_window",
        [](const Rules& rules, Floats2 figures, double life, const Stakes& stakes) {
            if (figures.shape(0) != 1) throw std::invalid_argument("one row of figures is needed");
            const Payout payout(rules);
            const MarketWindow found = market_window(payout, figures_at(payout, figures, 0), stakes, life);
            return nb::make_tuple(found.take, found.redouble, found.cash, found.too_good);
        },
        "rules"_a, "figures"_a.noconvert(), "life"_a, "stakes"_a);
    module.def(
        "cube_life",
        [](nb::bytes bytes, Life life) {
            const auto [contact, short_race, long_race] = life;
            return CubeLife{contact, short_race, long_race}.at(position_from(bytes));
        },
        "position"_a, "life"_a);
}

// [rows, heads]: equity of the best play of every roll; the mean over the rolls is the position's value.
nb::object rolls(Searcher& self, nb::bytes bytes, int plies) {
    const Position position = checked_position(self, bytes);
    checked_plies(plies);
    const std::size_t rows = self.rules->rows.size(), heads = self.search.heads();
    std::unique_ptr<float[]> out(new float[rows * heads]);
    {
        nb::gil_scoped_release release;
        const std::lock_guard lock(self.busy);
        Best best;
        self.search.value_by(std::nullopt);
        for (std::size_t row = 0; row < rows; ++row) {
            self.search.best(position, static_cast<int>(row), plies, best);
            std::copy_n(best.equity.begin(), heads, out.get() + row * heads);
        }
    }
    return own_array(std::move(out), {rows, heads});
}

using Starts = std::vector<std::pair<const Rules*, double>>;

SelfPlay self_play(const Starts& starts, double scatter, double stray, double lambda,
                   int longest, bool lookahead, bool tables) {
    SelfPlay settings;
    if (starts.empty()) throw std::invalid_argument("games need rules to be played by");
    for (const auto& [rules, share] : starts) settings.starts.push_back({std::make_shared<Rules>(*rules), share});
    settings.scatter = scatter;
    settings.stray = stray;
    settings.lambda = lambda;
    settings.longest = longest;
    settings.lookahead = lookahead;
    settings.tables = tables;
    return settings;
}

// A piece of training under way: what it works on, and its result when it has ended.
struct Training {
    std::shared_ptr<const Rules> rules;
    std::shared_ptr<Net> net;
    std::shared_ptr<const Rules> other_rules[2];
    std::shared_ptr<const Net> other_nets[2], judges[2];
    std::vector<double> points;
    std::vector<Sample> samples;
    std::unique_ptr<Job> job;  // last, so that it stops before what it works on goes away
};

bool wait(Training& self, double seconds) {
    nb::gil_scoped_release release;
    return self.job->wait(seconds);
}

nb::tuple labels(Training& self) {
    if (!wait(self, 0)) throw std::invalid_argument("the work is still going on");
    const std::size_t count = self.samples.size(), heads = self.net->shape().heads;
    const std::size_t figures = self.net->shape().figures();
    std::unique_ptr<std::uint8_t[]> positions(new std::uint8_t[count * 64]);
    std::unique_ptr<float[]> targets(new float[count * heads * figures]);
    for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(positions.get() + 64 * i, &self.samples[i].position, 64);
        for (std::size_t h = 0; h < heads; ++h) {
            std::copy_n(self.samples[i].target[h].begin(), figures, targets.get() + (i * heads + h) * figures);
        }
    }
    return nb::make_tuple(own_array(std::move(positions), {count, 64}), own_array(std::move(targets), {count, heads, figures}));
}

std::unique_ptr<Training> start_playing(const Net& net, const Starts& starts, double scatter, double stray,
                                        double lambda, int longest, std::uint64_t seed, std::int64_t games, double first_rate,
                                        double last_rate, int threads, bool tables) {
    auto training = std::make_unique<Training>();
    training->net = std::make_shared<Net>(net);
    const SelfPlay settings = self_play(starts, scatter, stray, lambda, longest, false, tables);
    make_searches(settings, net);  // refuses a net that does not fit
    training->job = std::make_unique<Job>([t = training.get(), settings, seed, games, first_rate, last_rate, threads](Job& job) {
        learn_by_playing(job, *t->net, settings, seed, games, {first_rate, last_rate}, threads);
    });
    return training;
}

std::unique_ptr<Training> start_labelling(const Net& net, const Starts& starts, double scatter, double stray,
                                          double lambda, int longest, std::uint64_t seed, std::int64_t first_game,
                                          std::int64_t games, int threads, bool tables, const Net* pruner,
                                          std::optional<Bytes2> rare, double rare_share) {
    auto training = std::make_unique<Training>();
    training->net = std::make_shared<Net>(net);
    SelfPlay settings = self_play(starts, scatter, stray, lambda, longest, true, tables);
    if (pruner) settings.pruner = std::make_shared<Net>(*pruner);
    if (rare) {
        settings.rare.resize(rare->shape(0));
        std::memcpy(settings.rare.data(), rare->data(), 64 * settings.rare.size());
        settings.rare_share = rare_share;
    }
    make_searches(settings, net);
    training->job = std::make_unique<Job>([t = training.get(), settings, seed, first_game, games, threads](Job& job) {
        label(job, *t->net, settings, seed, first_game, games, threads, t->samples);
    });
    return training;
}

std::unique_ptr<Training> start_fitting(const Net& net, Bytes2 positions, Floats3 targets, int epochs, int batch,
                                        double first_rate, double last_rate, std::uint64_t seed, int threads) {
    const std::size_t count = positions.shape(0), heads = net.shape().heads;
    const std::size_t figures = net.shape().figures();
    if (targets.shape(0) != count || targets.shape(1) != heads || targets.shape(2) != figures) {
        throw std::invalid_argument("targets are [positions, heads, figures] of the net");
    }
    auto training = std::make_unique<Training>();
    training->net = std::make_shared<Net>(net);
    training->samples.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(&training->samples[i].position, positions.data() + 64 * i, 64);
        for (std::size_t h = 0; h < heads; ++h) {
            std::copy_n(targets.data() + (i * heads + h) * figures, figures, training->samples[i].target[h].begin());
        }
    }
    training->job = std::make_unique<Job>([t = training.get(), epochs, batch, first_rate, last_rate, seed, threads](Job& job) {
        fit(job, *t->net, t->samples, epochs, batch, {first_rate, last_rate}, seed, threads);
    });
    return training;
}

std::unique_ptr<Training> start_duel(const Rules& rules, const Rules& first_rules, const Net& first, const Rules& second_rules,
                                     const Net& second, double first_reluctance, double second_reluctance, std::uint64_t seed,
                                     std::int64_t pairs, int longest, const Net* judge, const Net* judge_pruner) {
    auto training = std::make_unique<Training>();
    training->rules = std::make_shared<Rules>(rules);
    training->other_rules[0] = std::make_shared<Rules>(first_rules);
    training->other_rules[1] = std::make_shared<Rules>(second_rules);
    training->other_nets[0] = std::make_shared<Net>(first);
    training->other_nets[1] = std::make_shared<Net>(second);
    if (judge) training->judges[0] = std::make_shared<Net>(*judge);
    if (judge_pruner) training->judges[1] = std::make_shared<Net>(*judge_pruner);
    // Refuses nets that do not fit.
    Search(*training->other_rules[0], &first), Search(*training->other_rules[1], &second), Search(rules, judge, nullptr, judge_pruner);
    training->job = std::make_unique<Job>([t = training.get(), first_reluctance, second_reluctance, seed, pairs, longest](Job& job) {
        const Duellist one{t->other_rules[0].get(), t->other_nets[0].get(), static_cast<float>(first_reluctance)};
        const Duellist two{t->other_rules[1].get(), t->other_nets[1].get(), static_cast<float>(second_reluctance)};
        duel(job, *t->rules, one, two, {t->judges[0].get(), t->judges[1].get()}, seed, pairs, longest, t->points);
    });
    return training;
}

void bind_training(nb::module_& module) {
    nb::class_<Training>(module, "Training")
        .def("wait", &wait, "seconds"_a)
        .def("stop", [](Training& self) { self.job->stop(); })
        .def_prop_ro("done", [](const Training& self) { return self.job->done.load(); })
        .def_prop_ro("error", [](const Training& self) { return self.job->error.load(); })
        .def("net", [](Training& self) {
            if (!wait(self, 0)) throw std::invalid_argument("the work is still going on");
            return self.net;
        })
        .def("labels", &labels)
        .def("points", [](Training& self) {
            if (!wait(self, 0)) throw std::invalid_argument("the work is still going on");
            return self.points;
        });
    module.def("start_playing", &start_playing, "net"_a, nb::kw_only(), "starts"_a, "scatter"_a, "stray"_a,
               "lambda_"_a, "longest"_a, "seed"_a, "games"_a, "first_rate"_a, "last_rate"_a, "threads"_a, "tables"_a = true);
    module.def("start_labelling", &start_labelling, "net"_a, nb::kw_only(), "starts"_a, "scatter"_a, "stray"_a,
               "lambda_"_a, "longest"_a, "seed"_a, "first_game"_a, "games"_a, "threads"_a, "tables"_a = true,
               "pruner"_a.none() = nb::none(), "rare"_a.noconvert().none() = nb::none(), "rare_share"_a = 0.0);
    module.def("start_fitting", &start_fitting, "net"_a, "positions"_a.noconvert(), "targets"_a.noconvert(), nb::kw_only(),
               "epochs"_a, "batch"_a, "first_rate"_a, "last_rate"_a, "seed"_a, "threads"_a = 1);
    module.def("start_duel", &start_duel, "rules"_a, "first_rules"_a, "first"_a, "second_rules"_a, "second"_a, nb::kw_only(),
               "first_reluctance"_a, "second_reluctance"_a, "seed"_a, "pairs"_a, "longest"_a, "judge"_a.none() = nb::none(),
               "judge_pruner"_a.none() = nb::none());
}

}  // namespace

void bind_engine(nb::module_& module) {
    module.attr("PLAIN_INPUTS") = kPlainInputs;
    module.def("isa", [] { return std::string(kernel().isa); });
    nb::class_<Net>(module, "Net")
        .def(
            "__init__",
            [](Net* self, int inputs, int hidden, int middle, int heads, int phases, bool per_checker, std::uint64_t seed) {
                const auto size = [](int value) { return static_cast<std::uint32_t>(std::max(value, 0)); };
                new (self) Net({size(inputs), size(hidden), size(heads), per_checker, size(middle), size(phases)}, seed);
            },
            nb::kw_only(), "inputs"_a = kNewestInputs, "hidden"_a = 128, "middle"_a = 0, "heads"_a = 1,
            "phases"_a = 1, "per_checker"_a = false, "seed"_a = 1)
        .def_static("parse", [](nb::bytes bytes) { return Net::parse(std::string(bytes.c_str(), bytes.size())); }, "data"_a)
        .def("bytes", [](const Net& self) {
            const std::string bytes = self.bytes();
            return nb::bytes(bytes.data(), bytes.size());
        })
        .def("widened", [](const Net& self, int heads) { return self.widened(static_cast<std::uint32_t>(std::max(heads, 0))); },
             "heads"_a)
        .def("divided", &Net::divided)
        .def("arranged", &arranged, "order"_a.noconvert())
        .def("given", &given, "positions"_a.noconvert())
        .def("thawed", [](const Net& self) {
            Net net(self);
            net.thaw();
            return net;
        })
        .def_prop_ro("inputs", [](const Net& self) { return self.shape().inputs; })
        .def_prop_ro("hidden", [](const Net& self) { return self.shape().hidden; })
        .def_prop_ro("middle", [](const Net& self) { return self.shape().middle; })
        .def_prop_ro("heads", [](const Net& self) { return self.shape().heads; })
        .def_prop_ro("phases", [](const Net& self) { return self.shape().phases; })
        .def_prop_ro("per_checker", [](const Net& self) { return self.shape().per_checker != 0; });
    nb::class_<Searcher>(module, "Searcher")
        .def(
            "__init__",
            [](Searcher* self, const Rules& rules, const Net* net, bool tables, const Net* pruner, int threads) {
                const auto copy = [](const Net* one) { return one ? std::make_shared<Net>(*one) : nullptr; };
                new (self) Searcher(rules, copy(net), tables, copy(pruner), threads);
            },
            "rules"_a, "net"_a.none(), "tables"_a = false, "pruner"_a.none() = nb::none(), "threads"_a = 1)
        .def_prop_ro("heads", [](const Searcher& self) { return self.search.heads(); })
        .def("evaluate", &evaluate, "positions"_a.noconvert(), "plies"_a, "stakes"_a.none() = nb::none())
        .def("candidates", &candidates, "position"_a, "row"_a, "plies"_a, "stakes"_a.none() = nb::none())
        .def("worths", &worths, "position"_a, "row"_a, "plies"_a, "stakes"_a, "life"_a)
        .def("cube", &cube_decision, "position"_a, "plies"_a, "stakes"_a, "life"_a)
        .def("rolls", &rolls, "position"_a, "plies"_a);
    bind_cube(module);
    bind_training(module);
}

}  // namespace barpoint
