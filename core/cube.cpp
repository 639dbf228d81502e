#include "cube.hpp"

#include <algorithm>
#include <cmath>

namespace barpoint {
namespace {

constexpr int kHighestCube = 1 << 15;

// How wins and losses are shared out between levels: points with the cube at 1 and their parts.
struct Share {
    std::vector<std::pair<double, double>> points;  // (points, part); parts sum to 1
};

Share share(bool per_checker, double gammon, double backgammon, double all, double g, double b) {
    if (all <= 1e-9) return {{{1.0, 1.0}}};
    if (per_checker) return {{{g / all, 1.0}}};
    const double gammons = std::clamp(g / all, 0.0, 1.0), backgammons = std::clamp(b / all, 0.0, gammons);
    return {{{1.0, 1 - gammons}, {gammon, gammons - backgammons}, {backgammon, backgammons}}};
}

// A straight line through points (chance, value), given in order of chance.
double along(const std::vector<std::pair<double, double>>& line, double p) {
    for (std::size_t i = 1; i < line.size(); ++i) {
        const auto [x0, y0] = line[i - 1];
        const auto [x1, y1] = line[i];
        if (p <= x1 || i + 1 == line.size()) return x1 - x0 < 1e-12 ? y1 : y0 + (y1 - y0) * (p - x0) / (x1 - x0);
    }
    return line.front().second;
}

// One side's view of a game: how it wins and loses, and what that is worth to it.
struct View {
    Share wins, losses;
    Worth worth;

    double win(int cube) const { return mean(wins, cube); }
    double lose(int cube) const { return mean(losses, -cube); }
    View flip() const { return {losses, wins, worth.flip()}; }
    // A cube of this value cannot help this side any more: it needs no more points than that.
    bool dead(int cube) const { return !worth.money() && cube >= static_cast<int>(worth.won.size()) - 1; }

    double dead_take_point(int cube) const {
        const double pass = worth.of(-cube), won = win(2 * cube), lost = lose(2 * cube);
        return won - lost < 1e-12 ? 1.0 : std::clamp((pass - lost) / (won - lost), 0.0, 1.0);
    }

    // The chance from which this side takes a double of `cube`, when every later cube is used perfectly.
    double live_take_point(int cube) const {
        if (worth.money()) {
            const double won = win(1), lost = -lose(1);
            return std::clamp((lost - 0.5) / (won + lost + 0.5), 0.0, 1.0);
        }
        if (dead(2 * cube) || cube >= kHighestCube) return dead_take_point(cube);
        const double pass = worth.of(-cube), lost = lose(2 * cube), cash = worth.of(2 * cube);
        const double cash_point = 1 - flip().live_take_point(2 * cube);
        return cash - lost < 1e-12 ? 1.0 : std::clamp(cash_point * (pass - lost) / (cash - lost), 0.0, 1.0);
    }

  private:
    double mean(const Share& share, int cube) const {
        double sum = 0;
        for (const auto& [points, part] : share.points) sum += part * worth.of(points * cube);
        return sum;
    }
};

// The value of playing on at a chance to win, with the cube where it is.
class Curve {
  public:
    Curve(const View& view, int cube, int owner, bool in_play, bool jacoby, double life)
        : view_(view), cube_(cube), life_(in_play ? life : 0) {
        if (jacoby && owner == 0 && in_play) view_.wins = view_.losses = {{{1.0, 1.0}}};
        const bool ours = in_play && owner >= 0 && !view.dead(cube), theirs = in_play && owner <= 0 && !view.flip().dead(cube);
        const double take = view.live_take_point(cube), cash = std::max(1 - view.flip().live_take_point(cube), take);
        janowski_ = view.worth.money() && ours && theirs && !jacoby;
        live_.emplace_back(0.0, view_.lose(cube));
        if (theirs) live_.emplace_back(take, janowski_ ? centred(take) : view_.worth.of(-cube));
        if (ours) live_.emplace_back(cash, janowski_ ? centred(cash) : view_.worth.of(cube));
        live_.emplace_back(1.0, view_.win(cube));
    }

    double at(double p) const {
        if (janowski_) return along(live_, p);  // eq. 7 holds both parts already
        const double dead = p * view_.win(cube_) + (1 - p) * view_.lose(cube_);
        return (1 - life_) * dead + life_ * along(live_, p);
    }

  private:
    // Janowski's equation 7, which the mix of dead and live does not give for a centred cube.
    double centred(double p) const {
        const double won = view_.win(1), lost = -view_.lose(1);
        return cube_ * 4 / (4 - life_) * (p * (won + lost + life_ / 2) - lost - life_ / 4);
    }

    View view_;
    int cube_;
    double life_;
    bool janowski_ = false;
    std::vector<std::pair<double, double>> live_;
};

View view_of(const Payout& payout, const Figures& f, const Worth& worth) {
    const auto side = [&](double all, double g, double b) {
        return share(payout.per_checker, payout.gammon, payout.backgammon, all, g, b);
    };
    if (payout.per_checker) return {side(f[0], f[1], 0), side(1 - f[0], f[2], 0), worth};
    return {side(f[0], f[1], f[2]), side(1 - f[0], f[3], f[4]), worth};
}

// What doubling and playing on is worth at a chance to win; the cube is the other side's, or his opponent's again after
// a beaver.
double taken(const View& view, const Stakes& stakes, double life, double p, bool& beaver) {
    const double plain = Curve(view, 2 * stakes.cube, -1, true, false, life).at(p);
    beaver = false;
    if (!stakes.beavers || !view.worth.money()) return plain;
    // The doubler may still give up at the doubled stake.
    const double beavered = std::max(Curve(view, 4 * stakes.cube, -1, true, false, life).at(p), -2.0 * stakes.cube);
    beaver = beavered < plain;
    return beaver ? beavered : plain;
}

bool doubles(const View& view, const Stakes& stakes) {
    return stakes.in_play && stakes.may_double && stakes.owner >= 0 && !view.dead(stakes.cube) && stakes.cube < kHighestCube;
}

// The chance at which a rising function becomes positive; 1 when it never does.
template <class Function>
double crossing(Function&& function) {
    if (function(1.0) < 0) return 1.0;
    double low = 0, high = 1;
    for (int i = 0; i < 60; ++i) (function((low + high) / 2) < 0 ? low : high) = (low + high) / 2;
    return high;
}

}  // namespace

double Worth::of(double points) const {
    if (money()) return points;
    const std::vector<double>& table = points >= 0 ? won : lost;
    const double at = std::min(std::fabs(points), static_cast<double>(table.size() - 1));
    const auto below = static_cast<std::size_t>(at);
    const double part = at - static_cast<double>(below);
    return part == 0 ? table[below] : table[below] + part * (table[below + 1] - table[below]);
}

Worth Worth::flip() const {
    Worth other{lost, won};
    for (std::vector<double>* table : {&other.won, &other.lost}) {
        for (double& chance : *table) chance = 1 - chance;
    }
    return other;
}

Stakes Stakes::flip() const {
    Stakes other = *this;
    other.worth = worth.flip();
    other.owner = -owner;
    other.may_double = true;
    return other;
}

double CubeLife::at(const Position& position) const {
    const auto rear = [](const Side& side) {
        int point = kBar;
        while (point > 0 && !side.points[point] && !(point == kBar && side.hand)) --point;
        return point;
    };
    if (rear(position.us) + rear(position.them) > kBar) return contact;
    return short_race + (long_race - short_race) * std::clamp((position.us.pips() - 40) / 80.0, 0.0, 1.0);
}

double CubeValues::best() const {
    return may_double ? std::max(no_double, std::min(double_take, double_pass)) : no_double;
}

CubeValues cube_values(const Payout& payout, const Figures& figures, const Stakes& stakes, double life) {
    const View view = view_of(payout, figures, stakes.worth);
    const double p = std::clamp(static_cast<double>(figures[0]), 0.0, 1.0);
    CubeValues out;
    out.no_double = Curve(view, stakes.cube, stakes.owner, stakes.in_play, stakes.jacoby, life).at(p);
    out.may_double = doubles(view, stakes);
    out.double_take = taken(view, stakes, life, p, out.beaver);
    out.double_pass = view.worth.of(stakes.cube);
    return out;
}

MarketWindow market_window(const Payout& payout, const Figures& figures, const Stakes& stakes, double life) {
    const View view = view_of(payout, figures, stakes.worth);
    Stakes plain = stakes;
    plain.beavers = false;
    bool beaver;
    const Curve stay(view, stakes.cube, stakes.owner, stakes.in_play, stakes.jacoby, life);
    const double pass = view.worth.of(stakes.cube);
    const auto take = [&](double p) { return taken(view, plain, life, p, beaver); };
    Stakes other = plain.flip();
    const View theirs = view.flip();
    MarketWindow out;
    out.take = 1 - crossing([&](double p) { return taken(theirs, other, life, p, beaver) - theirs.worth.of(stakes.cube); });
    out.redouble = crossing([&](double p) { return take(p) - stay.at(p); });
    out.cash = crossing([&](double p) { return take(p) - pass; });
    out.too_good = crossing([&](double p) { return stay.at(p) - pass; });
    return out;
}

}  // namespace barpoint
