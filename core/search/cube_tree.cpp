#include "search/cube_tree.hpp"

#include <algorithm>
#include <utility>

namespace barpoint {
namespace {

constexpr int kMaxTreeRungs = (kMaxPlaces - 1) / 2;

}  // namespace

// Rungs: a double at the root and one on every ply below it.
CubeTree::CubeTree(const Payout& payout, const Stakes& stakes, const CubeEfficiency& efficiency, int plies)
    : ladder_(payout, stakes), efficiency_(efficiency), rungs_(std::min({ladder_.rungs(), plies + 2, kMaxTreeRungs})),
      centred_(stakes.owner == 0) {
    for (int side = 0; side < 2; ++side) {
        for (int rung = 0; rung < std::min(ladder_.rungs(), kMaxTreeRungs); ++rung) merits_[side][rung] = ladder_.scale(side, rung);
    }
}

void CubeTree::take_over(int rung, const PlaceValues& from, PlaceValues& to) const {
    if (rung == 0) to[0] = from[0];
    to[own(rung)] = from[own(rung)];
    to[other(rung)] = from[other(rung)];
}

PlaceValues CubeTree::after(int mover, bool again, const Position& next, const RungProbabilities& probabilities, const CubeNet::Sums* sums) const {
    PlaceValues out = {};
    if (again) {
        leaf(mover, next, probabilities, sums, out);
        return out;
    }
    leaf(1 - mover, next, probabilities.flip(ladder_.payout()), sums, out);
    turn(1 - mover, out);
    flip(out);
    return out;
}

void CubeTree::leaf(int side, const Position& position, const RungProbabilities& probabilities, const CubeNet::Sums* sums, PlaceValues& out) const {
    const Outlook outlook(ladder_, side, probabilities);
    const double p = outlook.chance();
    const CubeNet* net = efficiency_.net;
    CubeNet::Sums here;
    if (net && !sums) here = net->sums(position);
    PositionEfficiency efficiency = net ? 0 : efficiency_.constant_at(position);
    for (int rung = 0; rung < rungs_; ++rung) {
        // A cube that cannot help us has no efficiency.
        if (net && (money() || !ladder_.dead(side, rung))) efficiency = outlook.efficiency(*net, sums ? *sums : here, rung);
        if (rung == 0 && centred_) out[0] = outlook.stay(p, 0, 0, efficiency);
        out[own(rung)] = outlook.stay(p, rung, 1, efficiency);
        out[other(rung)] = outlook.stay(p, rung, -1, efficiency);
    }
}

void CubeTree::ended(int side, const Probabilities& probabilities, PlaceValues& out) const {
    const Outlook outlook(ladder_, side, probabilities);
    const double p = probabilities[0];
    if (centred_) out[0] = outlook.stay(p, 0, 0, 0);
    for (int rung = 0; rung < rungs_; ++rung) out[own(rung)] = out[other(rung)] = outlook.stay(p, rung, 1, 0);
}

void CubeTree::exact(const CubeRace& race, bool rolling, PlaceValues& out) const {
    out[0] = rolling ? race.roll_centred : race.centred;
    out[own(0)] = rolling ? race.roll_owned : race.owned;
    out[other(0)] = race.theirs;
}

void CubeTree::turn(int side, PlaceValues& values) const {
    if (money()) {
        bool beaver;
        const double doubled = std::min(answered(stakes(), 2 * values[other(0)], beaver), 1.0);
        values[own(0)] = std::max(values[own(0)], doubled);
        if (centred_) values[0] = std::max(values[0], doubled);
        return;
    }
    for (int rung = 0; rung + 1 < rungs_; ++rung) {
        if (ladder_.dead(side, rung)) continue;
        const double doubled = std::min(values[other(rung + 1)], ladder_.won(side, rung));
        values[own(rung)] = std::max(values[own(rung)], doubled);
        if (rung == 0 && centred_) values[0] = std::max(values[0], doubled);
    }
}

void CubeTree::flip(PlaceValues& values) const {
    for (int place = 0; place < places(); ++place) values[place] = money() ? -values[place] : 1 - values[place];
    for (int rung = 0; rung < rungs_; ++rung) std::swap(values[own(rung)], values[other(rung)]);
}

double CubeTree::value(const PlaceValues& values) const { return at(stakes().owner, 0, values) * (money() ? stakes().cube : 1); }

double CubeTree::normal(double value) const {
    const double won = ladder_.won(0, 0), lost = ladder_.lost(0, 0);
    return money() ? value / stakes().cube : won - lost < 1e-12 ? 0 : (2 * value - won - lost) / (won - lost);
}

CubeValues CubeTree::decision(const RungProbabilities& probabilities, const Position& position, const PlaceValues& rolling) const {
    CubeValues out = cube_values(Outlook(ladder_, 0, probabilities), efficiency_.constant_at(position));  // of a double that helps nobody
    out.no_double = value(rolling);
    if (money()) {
        out.double_take = stakes().cube * answered(stakes(), at(-1, 1, rolling), out.beaver);
    } else if (rungs_ > 1) {
        out.double_take = at(-1, 1, rolling);
    }
    return out;
}

}  // namespace barpoint
