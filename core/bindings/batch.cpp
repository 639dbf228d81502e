// Arrays of positions, and many games in step with each other, as src/barpoint/driver/batch.py plays them.
#include "rules/batch_games.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace barpoint {

namespace {

using Flags1 = nb::ndarray<const bool, nb::shape<-1>, nb::c_contig, nb::device::cpu>;

// What one roll of every game allows.
struct RolledGames {
    std::vector<Position> positions;
    std::vector<std::int64_t> rows, offsets;
    Packed plays;
};

// The games, and the plays of the roll that they wait for.
class GamesDriver {
  public:
    GamesDriver(const Rules& rules, std::uint64_t seed, std::size_t games, std::size_t size, std::int32_t max_rolls)
        : rules_(rules), games_(rules, seed, games, size, max_rolls) {}

    nb::object roll();
    nb::object may_call(Indices1 chosen) const;
    void follow(Indices1 chosen, const Flags1* called);
    bool play_randomly(std::size_t count) {
        const Use use(*this);
        nb::gil_scoped_release release;
        return games_.play_randomly(count);
    }
    nb::tuple results() const;

  private:
    // One call at a time: while one works without the GIL, another thread may come.
    class Use {
      public:
        explicit Use(const GamesDriver& driver) : in_use_(driver.in_use_) {
            if (in_use_.exchange(true)) throw std::logic_error("another thread uses these games; one at a time may");
        }
        ~Use() { in_use_ = false; }
        Use(const Use&) = delete;

      private:
        std::atomic<bool>& in_use_;
    };

    BatchGames::Chosen checked(std::size_t game, std::int64_t chosen) const;
    std::vector<BatchGames::Chosen> checked(Indices1 chosen) const;
    template <class T, class Value>
    nb::object column(Value&& value) const;

    Rules rules_;
    BatchGames games_;
    std::shared_ptr<RolledGames> rolled_;
    mutable std::atomic<bool> in_use_{false};
};

// A read-only view of memory that lives as long as the roll's arrays do.
template <class T>
nb::object view(const std::shared_ptr<RolledGames>& rolled, const T* data, std::initializer_list<std::size_t> shape) {
    nb::capsule owner(new std::shared_ptr<RolledGames>(rolled), [](void* p) noexcept { delete static_cast<std::shared_ptr<RolledGames>*>(p); });
    return nb::ndarray<nb::numpy, const T>(data, shape, owner).cast();
}

// [n] or [n, width]: a value of each game in play.
template <class T, class Value>
nb::object GamesDriver::column(Value&& value) const {
    const std::vector<GameInPlay>& games = games_.in_play();
    std::unique_ptr<T[]> out(new T[std::max<std::size_t>(games.size(), 1)]);
    for (std::size_t i = 0; i < games.size(); ++i) out[i] = static_cast<T>(value(games[i]));
    return own_array(std::move(out), {games.size()});
}

nb::object GamesDriver::roll() {
    const Use use(*this);
    auto rolled = std::make_shared<RolledGames>();
    {
        nb::gil_scoped_release release;
        if (games_.roll()) {
            const std::vector<GameInPlay>& games = games_.in_play();
            for (const GameInPlay& game : games) {
                rolled->positions.push_back(game.position);
                rolled->rows.push_back(game.row);
            }
            rolled->offsets.resize(games.size() + 1);
            generate_batch(rules_, reinterpret_cast<const std::uint8_t*>(rolled->positions.data()), rolled->rows.data(), games.size(),
                           rolled->offsets.data(), rolled->plays);
        }
    }
    rolled_ = rolled;
    const std::size_t count = rolled->positions.size(), size = rolled->plays.size;
    if (count == 0) return nb::none();
    const auto left = [&](int side) {
        return column<std::int8_t>([side](const GameInPlay& game) { return game.tokens[static_cast<std::size_t>(side)]; });
    };
    return nb::make_tuple(
        view(rolled, reinterpret_cast<const std::int8_t*>(rolled->positions.data()), {count, 2, sizeof(Side)}),
        view(rolled, rolled->rows.data(), {count}),
        view(rolled, reinterpret_cast<const std::int8_t*>(rolled->plays.results), {size, 2, sizeof(Side)}),
        view(rolled, rolled->offsets.data(), {count + 1}), view(rolled, reinterpret_cast<const bool*>(rolled->plays.again), {size}),
        column<std::int64_t>([](const GameInPlay& game) { return game.game; }),
        column<std::int8_t>([](const GameInPlay& game) { return game.player; }),
        column<bool>([this](const GameInPlay& game) { return games_.may_reroll(game); }), left(0), left(1));
}

BatchGames::Chosen GamesDriver::checked(std::size_t game, std::int64_t chosen) const {
    const std::int64_t begin = rolled_->offsets[game], count = rolled_->offsets[game + 1] - begin;
    if (chosen == -1 && games_.may_reroll(games_.in_play()[game])) return {nullptr, false};
    if (chosen < 0 || chosen >= count) {
        throw std::invalid_argument("row " + std::to_string(game) + ": play " + std::to_string(chosen) + " of " + std::to_string(count));
    }
    const auto at = static_cast<std::size_t>(begin + chosen);
    return {reinterpret_cast<const Position*>(rolled_->plays.results + at * sizeof(Position)), rolled_->plays.again[at] != 0};
}

std::vector<BatchGames::Chosen> GamesDriver::checked(Indices1 chosen) const {
    if (!rolled_ || rolled_->positions.size() != games_.in_play().size()) throw std::logic_error("the games wait for a roll");
    if (chosen.shape(0) != games_.in_play().size()) throw std::invalid_argument("as many choices as games are needed");
    std::vector<BatchGames::Chosen> out;
    for (std::size_t i = 0; i < chosen.shape(0); ++i) out.push_back(checked(i, chosen.data()[i]));
    return out;
}

nb::object GamesDriver::may_call(Indices1 chosen) const {
    const Use use(*this);
    const std::vector<BatchGames::Chosen> found = checked(chosen);
    std::unique_ptr<bool[]> out(new bool[std::max<std::size_t>(found.size(), 1)]);
    for (std::size_t i = 0; i < found.size(); ++i) {
        out[i] = found[i].result && games_.other_may_reroll(games_.in_play()[i], *found[i].result, found[i].again);
    }
    return own_array(std::move(out), {found.size()});
}

void GamesDriver::follow(Indices1 chosen, const Flags1* called) {
    const Use use(*this);
    const std::vector<BatchGames::Chosen> found = checked(chosen);
    std::vector<std::uint8_t> flags;
    if (called) {
        if (called->shape(0) != found.size()) throw std::invalid_argument("as many calls as games are needed");
        for (std::size_t i = 0; i < found.size(); ++i) {
            const bool call = called->data()[i];
            const bool may = found[i].result && games_.other_may_reroll(games_.in_play()[i], *found[i].result, found[i].again);
            if (call && !may) throw std::invalid_argument("row " + std::to_string(i) + ": the other side may not reroll");
            flags.push_back(call);
        }
    }
    games_.follow(found, called ? flags.data() : nullptr);
    rolled_ = nullptr;
}

nb::tuple GamesDriver::results() const {
    const Use use(*this);
    const std::vector<GameResult>& found = games_.results();
    const auto all = [&]<class T>(T GameResult::*member) {
        std::unique_ptr<T[]> out(new T[std::max<std::size_t>(found.size(), 1)]);
        for (std::size_t i = 0; i < found.size(); ++i) out[i] = found[i].*member;
        return own_array(std::move(out), {found.size()});
    };
    return nb::make_tuple(all(&GameResult::winner), all(&GameResult::level), all(&GameResult::points), all(&GameResult::rolls),
                          all(&GameResult::finished));
}

Position position_at(Bytes2 positions, std::size_t i) {
    Position position;
    std::memcpy(&position, positions.data() + i * sizeof(Position), sizeof(Position));
    return position;
}

// The first position that the rules do not allow, and why; None where they allow all.
nb::object first_complaint(const Rules& rules, Bytes2 positions) {
    for (std::size_t i = 0; i < positions.shape(0); ++i) {
        const Position position = position_at(positions, i);
        if (!is_allowed(rules, position)) return nb::make_tuple(i, complaint(rules, position));
    }
    return nb::none();
}

// [n] whether the game is over, the winner as in Outcome, level, points.
nb::tuple outcomes(const Rules& rules, Bytes2 positions) {
    const std::size_t count = positions.shape(0), room = std::max<std::size_t>(count, 1);
    std::unique_ptr<bool[]> over(new bool[room]);
    std::unique_ptr<std::int8_t[]> winner(new std::int8_t[room]), level(new std::int8_t[room]);
    std::unique_ptr<std::int16_t[]> points(new std::int16_t[room]);
    for (std::size_t i = 0; i < count; ++i) {
        const Outcome found = outcome(rules, position_at(positions, i));
        over[i] = found.over;
        winner[i] = static_cast<std::int8_t>(found.winner);
        level[i] = static_cast<std::int8_t>(found.level);
        points[i] = static_cast<std::int16_t>(found.points);
    }
    return nb::make_tuple(own_array(std::move(over), {count}), own_array(std::move(winner), {count}), own_array(std::move(level), {count}),
                          own_array(std::move(points), {count}));
}

}  // namespace

void bind_batch(nb::module_& module) {
    module.def("first_complaint", &first_complaint, "rules"_a, "positions"_a.noconvert(),
               nb::sig("def first_complaint(rules: Rules, positions: numpy.typing.NDArray[numpy.uint8]) -> tuple[int, str] | None"));
    module.def("outcomes", &outcomes, "rules"_a, "positions"_a.noconvert());
    nb::class_<GamesDriver>(module, "BatchGames")
        .def(nb::init<const Rules&, std::uint64_t, std::size_t, std::size_t, std::int32_t>(), nb::kw_only(), "rules"_a, "seed"_a, "games"_a,
             "size"_a, "max_rolls"_a)
        .def("roll", &GamesDriver::roll)
        .def("may_call", &GamesDriver::may_call, "chosen"_a.noconvert())
        .def(
            "follow", [](GamesDriver& driver, Indices1 chosen, std::optional<Flags1> called) { driver.follow(chosen, called ? &*called : nullptr); },
            "chosen"_a.noconvert(), "called"_a.noconvert() = nb::none())
        .def("play_randomly", &GamesDriver::play_randomly, "count"_a)
        .def("results", &GamesDriver::results);
}

}  // namespace barpoint
