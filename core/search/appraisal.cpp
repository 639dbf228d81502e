#include "search/appraisal.hpp"

namespace barpoint {

void Appraisal::set(const Stakes& stakes) {
    Stakes rolled = stakes;
    rolled.may_double = false;
    ours_.emplace(payout_, rolled);
    theirs_.emplace(payout_, stakes.flip());
    const bool money = stakes.point_values.money();
    plain_ = money;
    linear_ = !stakes.in_play && (money || !payout_.per_checker);
    merit_ = line(stakes);
}

Appraisal::Line Appraisal::line(const Stakes& stakes) const {
    if (payout_.per_checker) {
        // The mean of points won and lost; at a score a straight line through both ends of one point.
        const double unit = stakes.point_values.money() ? stakes.cube : 1.0;
        return {0, {0, unit, -unit, 0, 0}};
    }
    const auto of = [&](double points) { return stakes.point_values.of(points * stakes.cube); };
    const double won[] = {of(1), of(payout_.gammon), of(payout_.backgammon)};
    const double lost[] = {of(-1), of(-payout_.gammon), of(-payout_.backgammon)};
    return {lost[0], {won[0] - lost[0], won[1] - won[0], won[2] - won[1], lost[1] - lost[0], lost[2] - lost[1]}};
}

std::optional<Scales> Appraisal::scales() const {
    if (plain_ || payout_.per_checker) return std::nullopt;
    if (ours_->won(0, 0) - ours_->lost(0, 0) < 1e-9) return std::nullopt;  // nothing to play for
    return Scales{ours_->scale(0, 0), theirs_->scale(0, 0)};
}

double Appraisal::merit(const Probabilities& probabilities) const {
    double sum = merit_.constant;
    for (int i = 0; i < kMaxProbabilities; ++i) sum += merit_.slope[i] * static_cast<double>(probabilities[i]);
    return sum;
}

double Appraisal::after(const RungProbabilities& probabilities, bool again, bool ended, double efficiency) const {
    if (linear_) return merit(probabilities.at(0));
    if (ended) return cube_values(*ours_, probabilities, 0).no_double;
    if (again) return cube_values(*ours_, probabilities, efficiency).no_double;
    const double theirs = cube_values(*theirs_, probabilities.flip(payout_), efficiency).best();
    return ours_->money() ? -theirs : 1 - theirs;
}

double Appraisal::before(const RungProbabilities& probabilities, double efficiency) const {
    if (linear_) return merit(probabilities.at(0));
    return cube_values(*ours_, probabilities, efficiency).no_double;
}

}  // namespace barpoint
