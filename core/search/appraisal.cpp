#include "search/appraisal.hpp"

namespace barpoint {

void Appraisal::set(const Stakes& stakes) {
    Stakes rolled = stakes;
    rolled.may_double = false;
    ours_.emplace(payout_, rolled);
    theirs_.emplace(payout_, stakes.flip());
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

std::optional<Scales> Appraisal::scales() const {
    if (plain_ || payout_.per_checker) return std::nullopt;
    if (ours_->won(0, 0) - ours_->lost(0, 0) < 1e-9) return std::nullopt;  // nothing to play for
    return Scales{ours_->scale(0, 0), theirs_->scale(0, 0)};
}

double Appraisal::merit(const Figures& figures) const {
    double sum = merit_.constant;
    for (int i = 0; i < kMaxFigures; ++i) sum += merit_.slope[i] * static_cast<double>(figures[i]);
    return sum;
}

double Appraisal::after(const Figures& figures, bool again, bool ended, double life) const {
    if (linear_) return merit(figures);
    if (ended) return cube_values(*ours_, figures, 0).no_double;
    if (again) return cube_values(*ours_, figures, life).no_double;
    const double theirs = cube_values(*theirs_, payout_.flip(figures), life).best();
    return ours_->money() ? -theirs : 1 - theirs;
}

double Appraisal::before(const Figures& figures, double life) const {
    if (linear_) return merit(figures);
    return cube_values(*ours_, figures, life).no_double;
}

}  // namespace barpoint
