#include "appraisal.hpp"

namespace barpoint {

void Appraisal::set(const Stakes& stakes) {
    stakes_ = stakes;
    stakes_.may_double = false;
    theirs_ = stakes.flip();
    const bool money = stakes.worth.money();
    plain_ = money;
    linear_ = !stakes.in_play && (money || !payout_.per_checker);
    merit_ = line(stakes);
}

Appraisal::Line Appraisal::line(const Stakes& stakes) const {
    if (payout_.per_checker) {
        // Worth by the mean of points won and lost; at a score that is a straight line through both ends of one point.
        const double unit = stakes.worth.money() ? stakes.cube : 1.0;
        return {0, {0, unit, -unit, 0, 0}};
    }
    const auto of = [&](double points) { return stakes.worth.of(points * stakes.cube); };
    const double won[] = {of(1), of(payout_.gammon), of(payout_.backgammon)};
    const double lost[] = {of(-1), of(-payout_.gammon), of(-payout_.backgammon)};
    return {lost[0], {won[0] - lost[0], won[1] - won[0], won[2] - won[1], lost[1] - lost[0], lost[2] - lost[1]}};
}

Scale Appraisal::scale(const Stakes& stakes) const {
    const Line found = line(stakes);
    const double won = stakes.worth.of(stakes.cube), lost = stakes.worth.of(-stakes.cube);
    Scale out;
    out.constant = static_cast<float>((2 * found.constant - won - lost) / (won - lost));
    for (int i = 0; i < kMostFigures; ++i) out.slope[i] = static_cast<float>(2 * found.slope[i] / (won - lost));
    return out;
}

std::optional<Scales> Appraisal::scales() const {
    if (plain_ || payout_.per_checker) return std::nullopt;
    const double unit = stakes_.worth.of(stakes_.cube) - stakes_.worth.of(-stakes_.cube);
    if (unit < 1e-9) return std::nullopt;  // nothing to play for
    return Scales{scale(stakes_), scale(theirs_)};
}

double Appraisal::merit(const Figures& figures) const {
    double sum = merit_.constant;
    for (int i = 0; i < kMostFigures; ++i) sum += merit_.slope[i] * static_cast<double>(figures[i]);
    return sum;
}

double Appraisal::after(const Figures& figures, bool again, bool ended, double life) const {
    if (linear_) return merit(figures);
    if (ended) return cube_values(payout_, figures, stakes_, 0).no_double;
    if (again) return cube_values(payout_, figures, stakes_, life).no_double;
    const double theirs = cube_values(payout_, payout_.flip(figures), theirs_, life).best();
    return stakes_.worth.money() ? -theirs : 1 - theirs;
}

double Appraisal::before(const Figures& figures, double life) const {
    if (linear_) return merit(figures);
    return cube_values(payout_, figures, stakes_, life).no_double;
}

}  // namespace barpoint
