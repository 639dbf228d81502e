#include "appraisal.hpp"

namespace barpoint {

void Appraisal::set(const Stakes& stakes) {
    stakes_ = stakes;
    stakes_.may_double = false;
    theirs_ = stakes.flip();
    const bool money = stakes.worth.money();
    plain_ = money;
    linear_ = !stakes.in_play && (money || !payout_.per_checker);
    const auto of = [&](double points) { return stakes.worth.of(points * stakes.cube); };
    if (payout_.per_checker) {
        // Worth by the mean of points won and lost; at a score that is a straight line through both ends of one point.
        const double unit = money ? stakes.cube : 1.0;
        constant_ = 0;
        slope_[0] = 0, slope_[1] = unit, slope_[2] = -unit, slope_[3] = slope_[4] = 0;
        return;
    }
    const double won[] = {of(1), of(payout_.gammon), of(payout_.backgammon)};
    const double lost[] = {of(-1), of(-payout_.gammon), of(-payout_.backgammon)};
    constant_ = lost[0];
    slope_[0] = won[0] - lost[0];
    slope_[1] = won[1] - won[0];
    slope_[2] = won[2] - won[1];
    slope_[3] = lost[1] - lost[0];
    slope_[4] = lost[2] - lost[1];
}

double Appraisal::merit(const Figures& figures) const {
    double sum = constant_;
    for (int i = 0; i < kMostFigures; ++i) sum += slope_[i] * static_cast<double>(figures[i]);
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
