// Training: self-play, labels, fits and games of nets against each other, each a job in the background.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "training/head_to_head.hpp"
#include "training/trainer.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace barpoint {
namespace {

using Starts = std::vector<std::pair<const Rules*, double>>;

SelfPlay self_play(const Starts& starts, double scatter, double exploration, double lambda,
                   int longest, bool lookahead, bool tables) {
    SelfPlay settings;
    if (starts.empty()) throw std::invalid_argument("games need rules to be played by");
    for (const auto& [rules, share] : starts) {
        if (!rules || !(share >= 0)) throw std::invalid_argument("each start is rules and their share of the games, 0 or more");
        settings.starts.push_back({std::make_shared<Rules>(*rules), share});
    }
    settings.scatter = scatter;
    settings.exploration = exploration;
    settings.lambda = lambda;
    settings.longest = longest;
    settings.lookahead = lookahead;
    settings.tables = tables;
    return settings;
}

// Positions that games begin in.
std::vector<Position> positions_of(const Rules& rules, const Bytes2& packed) {
    std::vector<Position> found = copied(packed.data(), packed.shape(0));
    for (const Position& position : found) {
        const std::string why = complaint(rules, position);
        if (!why.empty()) throw std::invalid_argument("a position to begin in: " + why);
    }
    return found;
}

// A piece of training under way: what it works on, and its result when it has ended.
struct Training {
    std::shared_ptr<const Rules> rules;
    std::shared_ptr<Net> net;
    std::shared_ptr<const Rules> other_rules[2];
    std::shared_ptr<const Net> other_nets[2], judges[2];
    std::vector<Position> starts;
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
    const std::size_t count = self.samples.size(), token_states = self.net->shape().states;
    const std::size_t probabilities = self.net->shape().outputs_per_state();
    std::unique_ptr<std::uint8_t[]> positions(new std::uint8_t[count * 64]);
    std::unique_ptr<float[]> targets(new float[count * token_states * probabilities]);
    for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(positions.get() + 64 * i, &self.samples[i].position, 64);
        for (std::size_t h = 0; h < token_states; ++h) {
            std::copy_n(self.samples[i].target[h].begin(), probabilities, targets.get() + (i * token_states + h) * probabilities);
        }
    }
    return nb::make_tuple(own_array(std::move(positions), {count, 64}), own_array(std::move(targets), {count, token_states, probabilities}));
}

// Of each label the number of the roll after whose plays it is one of several, or -1.
nb::object rolls(Training& self) {
    if (!wait(self, 0)) throw std::invalid_argument("the work is still going on");
    std::unique_ptr<std::int64_t[]> numbers(new std::int64_t[self.samples.size()]);
    for (std::size_t i = 0; i < self.samples.size(); ++i) numbers[i] = self.samples[i].roll;
    return own_array(std::move(numbers), {self.samples.size()});
}

std::unique_ptr<Training> start_playing(const Net& net, const Starts& starts, double scatter, double exploration,
                                        double lambda, int longest, std::uint64_t seed, std::int64_t games, double first_rate,
                                        double last_rate, int threads, bool tables) {
    auto training = std::make_unique<Training>();
    training->net = std::make_shared<Net>(net);
    const SelfPlay settings = self_play(starts, scatter, exploration, lambda, longest, false, tables);
    make_searches(settings, net);  // refuses a net that does not fit
    checked_threads(threads);
    training->job = std::make_unique<Job>([t = training.get(), settings, seed, games, first_rate, last_rate, threads](Job& job) {
        learn_by_playing(job, *t->net, settings, seed, games, {first_rate, last_rate}, threads);
    });
    return training;
}

std::unique_ptr<Training> start_labelling(const Net& net, const Starts& starts, double scatter, double exploration,
                                          double lambda, int longest, std::uint64_t seed, std::int64_t first_game,
                                          std::int64_t games, int threads, bool tables, const Net* pruning_net,
                                          std::optional<Bytes2> rare, double rare_share,
                                          std::pair<std::size_t, float> siblings, int second_ply) {
    auto training = std::make_unique<Training>();
    training->net = std::make_shared<Net>(net);
    SelfPlay settings = self_play(starts, scatter, exploration, lambda, longest, true, tables);
    if (pruning_net) settings.pruning_net = std::make_shared<Net>(*pruning_net);
    settings.siblings = {siblings.first, siblings.second};
    if (second_ply < 0) throw std::invalid_argument("second_ply is a number of rolls");
    settings.second_ply = second_ply;
    if (rare) {
        settings.rare = positions_of(*settings.starts[0].rules, *rare);
        settings.rare_share = rare_share;
    }
    make_searches(settings, net);
    checked_threads(threads);
    training->job = std::make_unique<Job>([t = training.get(), settings, seed, first_game, games, threads](Job& job) {
        label(job, *t->net, settings, seed, first_game, games, threads, t->samples);
    });
    return training;
}

std::unique_ptr<Training> start_fitting(const Net& net, Bytes2 positions, Floats3 targets, int epochs, int batch,
                                        double first_rate, double last_rate, std::uint64_t seed, int threads,
                                        std::optional<Indices1> rolls, double sibling_weight, int fixed_layers) {
    const std::size_t count = positions.shape(0), token_states = net.shape().states;
    const std::size_t probabilities = net.shape().outputs_per_state();
    if (targets.shape(0) != count || targets.shape(1) != token_states || targets.shape(2) != probabilities) {
        throw std::invalid_argument("targets are [positions, token states, probabilities] of the net");
    }
    if (rolls && rolls->shape(0) != count) throw std::invalid_argument("rolls are [positions]");
    checked_threads(threads);
    const std::vector<Position> all = read_positions(positions);
    auto training = std::make_unique<Training>();
    training->net = std::make_shared<Net>(net);
    training->samples.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        training->samples[i].position = all[i];
        for (std::size_t h = 0; h < token_states; ++h) {
            std::copy_n(targets.data() + (i * token_states + h) * probabilities, probabilities, training->samples[i].target[h].begin());
        }
        if (rolls) training->samples[i].roll = rolls->data()[i];
    }
    training->job = std::make_unique<Job>([t = training.get(), epochs, batch, first_rate, last_rate, sibling_weight, fixed_layers, seed, threads](Job& job) {
        fit(job, *t->net, t->samples, epochs, batch, {first_rate, last_rate}, sibling_weight, fixed_layers, seed, threads);
    });
    return training;
}

std::unique_ptr<Training> start_head_to_head(const Rules& rules, const Rules& first_rules, const Net& first, const Rules& second_rules,
                                     const Net& second, double first_reluctance, double second_reluctance, std::uint64_t seed,
                                     std::int64_t pairs, int longest, const Net* judge, const Net* judge_pruning_net,
                                     std::optional<Bytes2> starts) {
    auto training = std::make_unique<Training>();
    training->rules = std::make_shared<Rules>(rules);
    training->other_rules[0] = std::make_shared<Rules>(first_rules);
    training->other_rules[1] = std::make_shared<Rules>(second_rules);
    training->other_nets[0] = std::make_shared<Net>(first);
    training->other_nets[1] = std::make_shared<Net>(second);
    if (judge) training->judges[0] = std::make_shared<Net>(*judge);
    if (judge_pruning_net) training->judges[1] = std::make_shared<Net>(*judge_pruning_net);
    if (starts) training->starts = positions_of(rules, *starts);
    // Refuses nets that do not fit.
    Search(*training->other_rules[0], &first), Search(*training->other_rules[1], &second), Search(rules, judge, nullptr, judge_pruning_net);
    training->job = std::make_unique<Job>([t = training.get(), first_reluctance, second_reluctance, seed, pairs, longest](Job& job) {
        const Contender one{t->other_rules[0].get(), t->other_nets[0].get(), static_cast<float>(first_reluctance)};
        const Contender two{t->other_rules[1].get(), t->other_nets[1].get(), static_cast<float>(second_reluctance)};
        play_head_to_head(job, *t->rules, one, two, {t->judges[0].get(), t->judges[1].get()}, t->starts, seed, pairs, longest, t->points);
    });
    return training;
}

}  // namespace

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
        .def("rolls", &rolls)
        .def("points", [](Training& self) {
            if (!wait(self, 0)) throw std::invalid_argument("the work is still going on");
            return self.points;
        });
    module.def("start_playing", &start_playing, "net"_a, nb::kw_only(), "starts"_a, "scatter"_a, "exploration"_a,
               "lambda_"_a, "longest"_a, "seed"_a, "games"_a, "first_rate"_a, "last_rate"_a, "threads"_a, "tables"_a = true);
    module.def("start_labelling", &start_labelling, "net"_a, nb::kw_only(), "starts"_a, "scatter"_a, "exploration"_a,
               "lambda_"_a, "longest"_a, "seed"_a, "first_game"_a, "games"_a, "threads"_a, "tables"_a = true,
               "pruning_net"_a.none() = nb::none(), "rare"_a.noconvert().none() = nb::none(), "rare_share"_a = 0.0, "siblings"_a = std::pair<std::size_t, float>{0, 0.0f},
               "second_ply"_a = 0);
    module.def("start_fitting", &start_fitting, "net"_a, "positions"_a.noconvert(), "targets"_a.noconvert(), nb::kw_only(),
               "epochs"_a, "batch"_a, "first_rate"_a, "last_rate"_a, "seed"_a, "threads"_a = 1, "rolls"_a.noconvert().none() = nb::none(), "sibling_weight"_a = 0.0,
               "fixed_layers"_a = 0);
    module.def("start_head_to_head", &start_head_to_head, "rules"_a, "first_rules"_a, "first"_a, "second_rules"_a, "second"_a, nb::kw_only(),
               "first_reluctance"_a, "second_reluctance"_a, "seed"_a, "pairs"_a, "longest"_a, "judge"_a.none() = nb::none(),
               "judge_pruning_net"_a.none() = nb::none(), "starts"_a.noconvert().none() = nb::none());
}

}  // namespace barpoint
