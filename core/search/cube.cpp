#include "search/cube.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace barpoint {
namespace {

// A bound: money games end long before it, and at a score a cube beyond the length is dead.
constexpr double kMaxCube = 0x1p62;

// A straight line through points (chance, value), given in order of chance; four at most.
class Line {
  public:
    void add(double chance, double value) { points_[count_++] = {chance, value}; }

    double at(double p) const {
        for (int i = 1; i < count_; ++i) {
            const auto [x0, y0] = points_[i - 1];
            const auto [x1, y1] = points_[i];
            if (p <= x1 || i + 1 == count_) return x1 - x0 < 1e-12 ? y1 : y0 + (y1 - y0) * (p - x0) / (x1 - x0);
        }
        return points_[0].second;
    }

  private:
    std::array<std::pair<double, double>, 4> points_;
    int count_ = 0;
};

// The efficiency of a cube with which a side plays on that could cash. A bound: the usual one with contact (CubeEfficiency).
constexpr double kPlayedOn = 0.68;

// The chance at which a rising function becomes positive; 1 when it never does.
template <class Function>
double crossing(Function&& function) {
    if (function(1.0) < 0) return 1.0;
    double low = 0, high = 1;
    for (int i = 0; i < 60; ++i) (function((low + high) / 2) < 0 ? low : high) = (low + high) / 2;
    return high;
}

}  // namespace

double PointValues::of(double points) const {
    if (money()) return points;
    const std::vector<double>& table = points >= 0 ? won : lost;
    const double at = std::min(std::fabs(points), static_cast<double>(table.size() - 1));
    const auto below = static_cast<std::size_t>(at);
    const double part = at - static_cast<double>(below);
    return part == 0 ? table[below] : table[below] + part * (table[below + 1] - table[below]);
}

PointValues PointValues::flip() const {
    PointValues other{lost, won};
    for (std::vector<double>* table : {&other.won, &other.lost}) {
        for (double& chance : *table) chance = 1 - chance;
    }
    return other;
}

Stakes Stakes::flip() const {
    Stakes other = *this;
    other.point_values = point_values.flip();
    other.owner = -owner;
    other.may_double = true;
    return other;
}

double CubeEfficiency::constant_at(const Position& position) const {
    if (position.contact()) return contact;
    return short_race + (long_race - short_race) * std::clamp((position.us.pips() - 40) / 80.0, 0.0, 1.0);
}

std::array<PositionEfficiency, 2> CubeEfficiency::at(const Position& position, const Outlook& outlook) const {
    if (!net) return {constant_at(position), constant_at(position)};
    const CubeNet::Sums sums = net->sums(position);
    return {outlook.efficiency(*net, sums, 0), outlook.efficiency(*net, sums, 1)};
}

PositionEfficiency PositionEfficiency::flip() const {
    PositionEfficiency other = *this;
    std::swap(other.owned, other.theirs);
    return other;
}

double CubeValues::best() const {
    return may_double ? std::max(no_double, std::min(double_take, double_pass)) : no_double;
}

CubeLadder::CubeLadder(const Payout& payout, const Stakes& stakes) : payout_(payout), stakes_(stakes) {
    const auto dead = [&](int side, double cube) {
        const std::vector<double>& table = side == 0 ? stakes_.point_values.won : stakes_.point_values.lost;
        return !money() && (cube >= static_cast<double>(table.size()) - 1 || cube >= kMaxCube);
    };
    const double levels[] = {1, payout_.gammon, payout_.backgammon};
    const auto add = [&](int number) {
        const double cube = std::ldexp(stakes_.cube, number);
        for (int side = 0; side < 2; ++side) {
            Rung& rung = rungs_of_[side][number];
            rung.dead = dead(side, cube);
            for (int i = 0; i < 3; ++i) {
                rung.won[i] = points(side, levels[i], number);
                rung.lost[i] = points(side, -levels[i], number);
            }
        }
        return rungs_of_[0][number].dead && rungs_of_[1][number].dead;
    };
    for (bool last = false; !last; ++rungs_) last = add(rungs_) || money() || rungs_ + 1 == kMaxRungs;
    add(rungs_);  // a double that helps nobody leads there
}

Scale CubeLadder::scale(int side, int rung) const {
    if (payout_.per_checker) return {0, {0, 1, -1, 0, 0}};  // in points
    const Rung& r = rungs_of_[side][rung];
    const double slope[] = {r.won[0] - r.lost[0], r.won[1] - r.won[0], r.won[2] - r.won[1], r.lost[1] - r.lost[0],
                            r.lost[2] - r.lost[1]};
    Scale out{-1, {}};
    for (int i = 0; i < kMaxProbabilities; ++i) out.slope[i] = static_cast<float>(2 * slope[i] / std::max(slope[0], 1e-9));
    return out;
}

// The value of `count` points, before the cube multiplies them.
double CubeLadder::points(int side, double count, int rung) const {
    if (money()) return count;
    const double scaled = count * std::ldexp(stakes_.cube, rung);
    return side == 0 ? stakes_.point_values.of(scaled) : 1 - stakes_.point_values.of(-scaled);
}

RungPrices CubeLadder::prices(int side) const {
    RungPrices out;
    out.count = money() ? 1 : std::min<std::size_t>(rungs_, kMaxPricedRungs);
    for (std::size_t rung = 0; rung < out.count; ++rung) out.of[rung] = GammonPrices::of(scale(side, static_cast<int>(rung)));
    return out;
}

RungProbabilities RungProbabilities::flip(const Payout& payout) const {
    RungProbabilities other = *this;
    for (std::size_t rung = 0; rung < count_; ++rung) other.of_[rung] = payout.flip(of_[rung]);
    return other;
}

Outlook::Outlook(const CubeLadder& ladder, int side, const RungProbabilities& probabilities)
    : ladder_(ladder), side_(side), count_(probabilities.count()) {
    const bool per_checker = ladder.payout_.per_checker;
    for (std::size_t rung = 0; rung < count_; ++rung) {
        const Probabilities& f = probabilities_[rung] = probabilities.at(rung);
        wins_[rung] = per_checker ? share(f[0], f[1], 0) : share(f[0], f[1], f[2]);
        losses_[rung] = per_checker ? share(1 - f[0], f[2], 0) : share(1 - f[0], f[3], f[4]);
        shift_[rung] = static_cast<double>(f[0]) - static_cast<double>(probabilities.at(0)[0]);
    }
    const int last = ladder.rungs_ - 1;
    for (int rung = ladder.money() ? last : last - 1; rung >= 0; --rung) {
        for (int who = 0; who < 2; ++who) take_[who][rung] = live_take_point(who, rung);
    }
}

Outlook::Share Outlook::share(double all, double g, double b) const {
    if (all <= 1e-9) return {1, 0, 0, 1};
    if (ladder_.payout_.per_checker) return {1, 0, 0, g / all};
    const double gammons = std::clamp(g / all, 0.0, 1.0), backgammons = std::clamp(b / all, 0.0, gammons);
    return {1 - gammons, gammons - backgammons, backgammons, 1};
}

double Outlook::win(int who, int rung) const {
    const Share& share = (who == 0 ? wins_ : losses_)[priced(rung)];
    if (ladder_.payout_.per_checker) return ladder_.points(side_ ^ who, share.points, rung);
    const double* won = ladder_.rungs_of_[side_ ^ who][rung].won;
    return share.plain * won[0] + share.gammon * won[1] + share.backgammon * won[2];
}

double Outlook::lose(int who, int rung) const {
    const Share& share = (who == 0 ? losses_ : wins_)[priced(rung)];
    if (ladder_.payout_.per_checker) return ladder_.points(side_ ^ who, -share.points, rung);
    const double* lost = ladder_.rungs_of_[side_ ^ who][rung].lost;
    return share.plain * lost[0] + share.gammon * lost[1] + share.backgammon * lost[2];
}

double Outlook::dead_take_point(int who, int rung) const {
    const double pass = ladder_.lost(side_ ^ who, rung), won = win(who, rung + 1), lost = lose(who, rung + 1);
    return won - lost < 1e-12 ? 1.0 : std::clamp((pass - lost) / (won - lost), 0.0, 1.0);
}

// The chance from which that side takes a double of the cube of a rung, when every later cube is used perfectly.
double Outlook::live_take_point(int who, int rung) const {
    if (ladder_.money()) {
        const double won = win(who, 0), lost = -lose(who, 0);
        return std::clamp((lost - 0.5) / (won + lost + 0.5), 0.0, 1.0);
    }
    const int holder = side_ ^ who;
    if (ladder_.dead(holder, rung + 1)) return dead_take_point(who, rung);
    const double pass = ladder_.lost(holder, rung), lost = lose(who, rung + 1), cash = ladder_.won(holder, rung + 1);
    const double cash_point = std::clamp(1 - take_[1 - who][rung + 1] - step(who, rung + 1), 0.0, 1.0);
    return cash - lost < 1e-12 ? 1.0 : std::clamp(cash_point * (pass - lost) / (cash - lost), 0.0, 1.0);
}

double Outlook::without_cube(double p) const { return p * win(0, 0) + (1 - p) * lose(0, 0); }

double Outlook::chance() const { return std::clamp(static_cast<double>(probabilities_[0][0]), 0.0, 1.0); }

CubeSight Outlook::sight(int rung) const {
    CubeSight out;
    const bool money = ladder_.money();
    if (money) rung = 0;
    const auto price = [&](int at) { return GammonPrices::of(ladder_.scale(side_, at)); };
    const auto flag = [](bool is) { return is ? 1.0f : 0.0f; };
    if (money || rung + 1 < ladder_.rungs_) {
        const int next = money ? 0 : std::min(rung + 1, ladder_.rungs_ - 2);  // at the last one nobody doubles any more
        const double more = step(0, rung), p = std::clamp(chance() + shift(rung), 0.0, 1.0);
        const double take = std::clamp(take_[0][rung] - more, 0.0, 1.0), cash = std::clamp(1 - take_[1][rung] - more, take, 1.0);
        out.window = static_cast<float>(std::clamp((p - take) / std::max(cash - take, 0.05), -1.0, 2.0));
        out.take = static_cast<float>(take_[0][next]);
    }
    const GammonPrices now = price(rung), next = price(money ? 0 : rung + 1);
    out.own_gammons = now.own;
    out.their_gammons = now.theirs;
    out.next_own = next.own;
    out.next_their = next.theirs;
    if (money) return out;
    out.dead = flag(ladder_.dead(side_, rung));
    out.their_dead = flag(ladder_.dead(1 - side_, rung));
    out.their_next_dead = flag(ladder_.dead(1 - side_, rung + 1));
    return out;
}

PositionEfficiency Outlook::efficiency(const CubeNet& net, const CubeNet::Sums& sums, int rung) const {
    return PositionEfficiency(net.evaluate(sums, probabilities_[priced(rung)], sight(rung)));
}

double Outlook::stay(double p, int rung, int owner, const PositionEfficiency& efficiency) const {
    p = std::clamp(p + shift(rung), 0.0, 1.0);
    const double found = mixed(p, rung, owner, efficiency);
    if (owner != 0 || !efficiency.learned || ladder_.stakes_.jacoby) return found;
    // Nothing in a fit says that nobody is worse off with the cube on their side.
    const double theirs = mixed(p, rung, -1, efficiency), owned = mixed(p, rung, 1, efficiency);
    return std::min(std::max(found, theirs), owned);
}

double Outlook::mixed(double p, int rung, int owner, const PositionEfficiency& efficiencies) const {
    const bool money = ladder_.money();
    const double scale = money ? static_cast<double>(1 << rung) : 1.0, efficiency = efficiencies.of(owner);
    if (money) rung = 0;
    const bool plain = ladder_.stakes_.jacoby && owner == 0;
    const double won = plain ? ladder_.won(side_, rung) : win(0, rung), lost = plain ? ladder_.lost(side_, rung) : lose(0, rung);
    const bool ours = owner >= 0 && !ladder_.dead(side_, rung);
    const bool theirs = owner <= 0 && !ladder_.dead(1 - side_, rung);
    const double dead = p * won + (1 - p) * lost;
    if (!ours && !theirs) return scale * dead;
    if (!money && theirs && ladder_.dead(side_, rung)) return theirs_at_once(p, rung);
    const double next = step(0, rung);
    const double take = std::clamp(take_[0][rung] - next, 0.0, 1.0), cash = std::clamp(1 - take_[1][rung] - next, take, 1.0);
    // Janowski's equation 7, which the mix of dead and live does not give for a centred cube; it holds both parts already.
    const bool janowski = money && ours && theirs && !plain && !efficiencies.learned;
    const auto centred = [&](double at) { return 4 / (4 - efficiency) * (at * (won - lost + efficiency / 2) + lost - efficiency / 4); };
    Line live;
    live.add(0.0, lost);
    if (theirs) live.add(take, janowski ? centred(take) : ladder_.lost(side_, rung));
    if (ours) live.add(cash, janowski ? centred(cash) : ladder_.won(side_, rung));
    live.add(1.0, won);
    return scale * (janowski ? live.at(p) : (1 - efficiency) * dead + efficiency * live.at(p));
}

// Where the cube helps the other side alone, a plain game costs it the match, so that doubling costs it nothing: it doubles on its next
// turn. If we would then pass, it does that too, or plays on for a gammon where that is worth more.
double Outlook::theirs_at_once(double p, int rung) const {
    const double doubled = std::clamp(p + step(0, rung), 0.0, 1.0), take = take_[0][rung];
    if (doubled >= take) return mixed(doubled, rung + 1, 1, 0);
    const double passed = ladder_.lost(side_, rung), lost = std::min(lose(0, rung), passed);
    const double dead = p * win(0, rung) + (1 - p) * lose(0, rung), live = lost + (passed - lost) * doubled / std::max(take, 1e-12);
    return std::min(passed, (1 - kPlayedOn) * dead + kPlayedOn * live);
}

double answered(const Stakes& stakes, double taken, bool& beaver) {
    // The doubler may still give up at the doubled stake.
    const double beavered = std::max(2 * taken, -2.0);
    beaver = stakes.beavers && stakes.point_values.money() && beavered < taken;
    return beaver ? beavered : taken;
}

bool may_turn(const CubeLadder& ladder) {
    const Stakes& stakes = ladder.stakes();
    return stakes.in_play && stakes.may_double && stakes.owner >= 0 && !ladder.dead(0, 0) && stakes.cube < kMaxCube;
}

CubeValues cube_values(const Outlook& outlook, const PositionEfficiency& efficiency) {
    const CubeLadder& ladder = outlook.ladder();
    const Stakes& stakes = ladder.stakes();
    const double p = outlook.chance(), unit = ladder.money() ? stakes.cube : 1;
    CubeValues out;
    out.no_double = unit * (stakes.in_play ? outlook.stay(p, 0, stakes.owner, efficiency) : outlook.without_cube(p));
    out.may_double = may_turn(ladder);
    out.double_take = unit * answered(stakes, outlook.stay(p, 1, -1, efficiency), out.beaver);
    out.double_pass = unit * ladder.won(0, 0);
    return out;
}

CubeValues cube_values(const CubeLadder& ladder, const RungProbabilities& probabilities, const PositionEfficiency& efficiency) {
    return cube_values(Outlook(ladder, 0, probabilities), efficiency);
}

CubeValues cube_values(const Payout& payout, const RungProbabilities& probabilities, const Stakes& stakes, const PositionEfficiency& efficiency) {
    return cube_values(CubeLadder(payout, stakes), probabilities, efficiency);
}

MarketWindow market_window(const CubeLadder& ladder, const RungProbabilities& probabilities, const PositionEfficiency& now, const PositionEfficiency& next) {
    const Stakes& stakes = ladder.stakes();
    const Outlook ours(ladder, 0, probabilities), theirs(ladder, 1, probabilities.flip(ladder.payout()));
    const double pass = ladder.won(0, 0), their_pass = ladder.won(1, 0);
    const auto stay = [&](double p) {
        return stakes.in_play ? ours.stay(p, 0, stakes.owner, now) : ours.without_cube(p);
    };
    const auto take = [&](double p) { return ours.stay(p, 1, -1, next); };
    MarketWindow out;
    out.take = 1 - crossing([&](double p) { return theirs.stay(p, 1, -1, next.flip()) - their_pass; });
    out.redouble = crossing([&](double p) { return take(p) - stay(p); });
    out.cash = crossing([&](double p) { return take(p) - pass; });
    out.too_good = crossing([&](double p) { return stay(p) - pass; });
    return out;
}

}  // namespace barpoint
