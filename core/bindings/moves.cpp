// The rules, legal plays and turns, as src/barpoint/native.py calls them. Positions are 64 bytes.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "bindings/bindings.hpp"
#include "rules/batch.hpp"
#include "rules/dice.hpp"
#include "rules/perft.hpp"
#include "rules/turn.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace barpoint {

namespace {

template <class Enum>
Enum choose(const std::string& value, std::initializer_list<const char*> names) {
    const auto found = std::find(names.begin(), names.end(), value);
    if (found == names.end()) throw std::invalid_argument("no choice of an axis is called " + value);
    return static_cast<Enum>(found - names.begin());
}

using RowData = std::tuple<std::vector<int>, int, std::vector<std::vector<std::vector<int>>>, bool, std::vector<int>>;

Row make_row(const RowData& data) {
    const auto& [faces, weight, stages, again, next] = data;
    Row row{faces, weight, {}, again};
    for (const auto& options : stages) {
        Stage& stage = row.stages.emplace_back();
        for (const auto& numbers : options) {
            Option& option = stage.emplace_back();
            if (numbers.size() > kMaxNumbers) throw std::invalid_argument("an option has 1 to 4 numbers");
            for (int number : numbers) {
                if (number < 1 || number > 6) throw std::invalid_argument("numbers are 1 to 6");
                option.numbers[option.count++] = static_cast<std::uint8_t>(number);
            }
        }
    }
    if (!next.empty()) {  // a row for each option of the last stage
        if (row.stages.empty() || row.stages.back().size() != next.size()) throw std::invalid_argument("rows follow the options of a last stage");
        for (std::size_t i = 0; i < next.size(); ++i) row.stages.back()[i].next = next[i];
    }
    return row;
}

void bind_rules(nb::module_& module) {
    nb::class_<Rules>(module, "Rules")
        .def(
            "__init__",
            [](Rules* self, const std::string& name, nb::bytes start, const std::string& first_roll,
               const std::vector<RowData>& rows, bool follow_once, const std::string& obligation, const std::string& meeting, int block,
               const std::string& capture, const std::string& bear_off, int runner,
               const std::vector<std::tuple<int, int, int>>& quarter_limits, const std::string& prime, bool hit_and_run, bool hit_before_home,
               int leave, const std::vector<int>& leave_two, int lowest_while_entering, const std::string& winner, bool start_pin_loses,
               bool standstill_draws, int gammon, int backgammon, bool per_checker,
               const std::tuple<int, bool, bool, bool, bool, bool, bool>& rerolls, bool cube) {
                Rules rules;
                rules.name = name;
                if (start.size() != sizeof(Side)) throw std::invalid_argument("a side is 32 bytes");
                std::memcpy(&rules.start, start.c_str(), sizeof(Side));
                rules.first_roll = choose<FirstRoll>(first_roll, {"opening_roll", "own_number", "again"});
                for (const RowData& row : rows) rules.rows.push_back(make_row(row));
                rules.follow_once = follow_once;
                rules.obligation = choose<Obligation>(obligation, {"global", "per_option", "most_numbers"});
                rules.meeting = choose<Meeting>(meeting, {"opposite", "far_corner", "same"});
                rules.block = block;
                rules.capture = choose<Capture>(capture, {"hit", "pin", "none"});
                rules.bear_off = choose<BearOff>(bear_off, {"highest", "exact"});
                rules.runner = runner;
                for (const auto& [low, high, most] : quarter_limits) rules.quarter_limits.push_back({low, high, most});
                rules.prime = choose<Prime>(prime, {"free", "never_before_all", "enemy_ahead"});
                rules.hit_and_run = hit_and_run;
                rules.hit_before_home = hit_before_home;
                rules.leave = leave;
                rules.leave_two = leave_two;
                rules.lowest_while_entering = lowest_while_entering;
                rules.winner = choose<Winner>(winner, {"first_off", "last_off"});
                rules.start_pin_loses = start_pin_loses;
                rules.standstill_draws = standstill_draws;
                rules.gammon = gammon;
                rules.backgammon = backgammon;
                rules.per_checker = per_checker;
                const auto& [tokens, own, other, early_call, opening, double_after_cancel, final_roll] = rerolls;
                rules.rerolls = {tokens, own, other, early_call, opening, double_after_cancel, final_roll};
                rules.cube = cube;
                rules.derive();
                new (self) Rules(std::move(rules));
            },
            nb::kw_only(), "name"_a, "start"_a, "first_roll"_a, "rows"_a, "follow_once"_a, "obligation"_a, "meeting"_a, "block"_a, "capture"_a,
            "bear_off"_a, "runner"_a, "quarter_limits"_a, "prime"_a, "hit_and_run"_a, "hit_before_home"_a, "leave"_a, "leave_two"_a,
            "lowest_while_entering"_a, "winner"_a, "start_pin_loses"_a, "standstill_draws"_a, "gammon"_a, "backgammon"_a, "per_checker"_a, "rerolls"_a, "cube"_a)
        .def_prop_ro("name", [](const Rules& rules) { return rules.name; });
}

constexpr int kMaxPerft = 12;  // a bound: what is deeper ends neither in time nor within 64 bits

nb::tuple as_tuple(const Move& move) { return nb::make_tuple(move.from, move.to, move.number); }

nb::list plays(const Rules& rules, nb::bytes bytes, std::int64_t row) {
    const Position position = checked_position(rules, bytes);
    nb::list list;
    for (const TracedPlay& play : traced_plays(rules, position, checked_row(rules, position, row))) {
        nb::list moves, effects;
        for (const Move& move : play.moves) {
            moves.append(as_tuple(move));
            effects.append(static_cast<int>(move.effect));
        }
        list.append(nb::make_tuple(position_bytes(play.result), play.again, nb::tuple(moves), nb::tuple(effects)));
    }
    return list;
}

// The results of all plays, one after the other, and which of them roll again; in the order of results().
nb::tuple play_results(const Rules& rules, nb::bytes bytes, std::int64_t row) {
    static thread_local PlayBuffer buffer;
    const Position position = checked_position(rules, bytes);
    generate(rules, position, checked_row(rules, position, row), buffer);
    return nb::make_tuple(nb::bytes(reinterpret_cast<const char*>(buffer.begin()), buffer.size() * sizeof(Position)),
                          nb::bytes(reinterpret_cast<const char*>(buffer.flags()), buffer.size()));
}

nb::list turn(const Rules& rules, nb::bytes bytes, std::int64_t row, const std::vector<std::tuple<int, int, int>>& made) {
    const Position position = checked_position(rules, bytes);
    constexpr std::size_t kMost = std::size_t{kMaxStages} * kMaxNumbers;
    if (made.size() > kMost) throw std::invalid_argument(std::to_string(made.size()) + " moves; a roll has at most " + std::to_string(kMost));
    std::vector<Move> moves;
    for (const auto& [from, to, number] : made) {
        auto byte = [](int value) { return static_cast<std::uint8_t>(std::clamp(value, 0, 255)); };
        moves.push_back({byte(from), byte(to), byte(number), Effect::none});
    }
    nb::list list;
    for (const TurnNode& node : turn_graph(rules, position, checked_row(rules, position, row), moves)) {
        nb::list edges;
        for (const TurnEdge& edge : node.edges)
            edges.append(nb::make_tuple(edge.move.from, edge.move.to, edge.move.number, static_cast<int>(edge.move.effect), edge.next));
        list.append(nb::make_tuple(node.commit, node.again, position_bytes(node.position), nb::tuple(edges)));
    }
    return list;
}

using Bytes2 = nb::ndarray<const std::uint8_t, nb::shape<-1, 64>, nb::c_contig, nb::device::cpu>;
using Rows1 = nb::ndarray<const std::int64_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;

template <class T>
nb::object own_array(T* data, std::initializer_list<std::size_t> shape) {
    nb::capsule owner(data, [](void* p) noexcept { std::free(p); });
    return nb::ndarray<nb::numpy, T>(data, shape, owner).cast();
}

nb::tuple results(const Rules& rules, Bytes2 positions, Rows1 rows) {
    const std::size_t count = positions.shape(0);
    if (rows.shape(0) != count) throw std::invalid_argument("as many rows as positions are needed");
    Packed packed;
    std::unique_ptr<std::int64_t, decltype(&std::free)> offsets(static_cast<std::int64_t*>(std::malloc((count + 1) * 8)), &std::free);
    if (!offsets) throw std::bad_alloc();
    // Copies: another thread may write into the arrays while the plays are found without the GIL.
    const std::vector<Position> all = copied(positions.data(), count);
    const std::vector<std::int64_t> all_rows(rows.data(), rows.data() + count);
    for (std::size_t i = 0; i < count; ++i) {
        if (!is_allowed(rules, all[i])) throw std::invalid_argument("position " + std::to_string(i) + ": " + complaint(rules, all[i]));
        checked_row(rules, all[i], all_rows[i]);
    }
    {
        nb::gil_scoped_release release;
        generate_batch(rules, reinterpret_cast<const std::uint8_t*>(all.data()), all_rows.data(), count, offsets.get(), packed);
    }
    const std::size_t size = packed.size;
    return nb::make_tuple(own_array(std::exchange(packed.results, nullptr), {size, 64}), own_array(offsets.release(), {count + 1}),
                          own_array(reinterpret_cast<bool*>(std::exchange(packed.again, nullptr)), {size}));
}

}  // namespace

Position checked_position(const Rules& rules, nb::bytes bytes) {
    const Position position = position_from(bytes);
    if (!is_allowed(rules, position)) throw std::invalid_argument(complaint(rules, position));
    return position;
}

int checked_row(const Rules& rules, const Position& position, std::int64_t row) {
    if (row < 0 || row >= static_cast<std::int64_t>(rules.rows.size())) throw nb::index_error("no such row of the table of rolls");
    if (owed_row(position) >= 0 && row != owed_row(position)) throw nb::index_error("another roll is owed");
    return static_cast<int>(row);
}

Position position_from(nb::bytes bytes) {
    if (bytes.size() != sizeof(Position)) throw std::invalid_argument("a position is 64 bytes");
    Position position;
    std::memcpy(&position, bytes.c_str(), sizeof position);
    return position;
}

nb::bytes position_bytes(const Position& position) { return nb::bytes(reinterpret_cast<const char*>(&position), sizeof position); }

void bind_moves(nb::module_& module) {
    bind_rules(module);
    module.def("plays", &plays, "rules"_a, "position"_a, "row"_a);
    module.def("play_results", &play_results, "rules"_a, "position"_a, "row"_a);
    module.def("turn", &turn, "rules"_a, "position"_a, "row"_a, "made"_a);
    module.def("results", &results, "rules"_a, "positions"_a.noconvert(), "rows"_a.noconvert());
    module.def("complaint", [](const Rules& rules, nb::bytes bytes) { return complaint(rules, position_from(bytes)); },
               "rules"_a, "position"_a);
    module.def(
        "outcome",
        [](const Rules& rules, nb::bytes bytes) -> nb::object {
            const Outcome found = outcome(rules, position_from(bytes));
            if (!found.over) return nb::none();
            return nb::make_tuple(found.winner, found.level, found.points);
        },
        "rules"_a, "position"_a, nb::sig("def outcome(rules: Rules, position: bytes) -> tuple[int, int, int] | None"));
    module.def(
        "perft",
        [](const Rules& rules, nb::bytes bytes, int depth) {
            const Position position = checked_position(rules, bytes);
            if (depth < 0 || depth > kMaxPerft) throw std::invalid_argument("a depth of " + std::to_string(depth) + "; 0 to 12 are counted");
            Perft found;
            {
                nb::gil_scoped_release release;
                found = perft(rules, position, depth);
            }
            return nb::make_tuple(found.plain, found.weighted);
        },
        "rules"_a, "position"_a, "depth"_a);
}

}  // namespace barpoint
