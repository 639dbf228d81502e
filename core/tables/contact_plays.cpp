#include "tables/contact_plays.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace barpoint {

namespace {

constexpr int kNever = 31;  // a bit of `landed` that no point has

// Sets of at most two closed points, in the mover's numbers: none, one point, then pairs by their higher point.
constexpr std::size_t kOneClosed = 25, kTwoClosed = 25 + 24 * 23 / 2;

std::size_t closed_set(int low, int high) {
    if (!low) return static_cast<std::size_t>(high);
    return kOneClosed + static_cast<std::size_t>((high - 1) * (high - 2) / 2 + low - 1);
}

const std::vector<Points> kClosed = [] {
    std::vector<Points> sets(kTwoClosed, 0);
    for (int high = 1; high <= 24; ++high) {
        for (int low = 0; low < high; ++low) sets[closed_set(low, high)] = bit(high) | (low ? bit(low) : Points{0});
    }
    return sets;
}();

}  // namespace

ContactPlays::ContactPlays(const Rules& rules, int checkers, int against)
    : rules_(rules), payout_(rules), checkers_(checkers), against_(against) {
    prepare();
    find_plays();
    spans_ = own_spans_;
    replies_ = own_replies_;
}

ContactPlays::ContactPlays(const Rules& rules, int checkers, int against, std::span<const Span> spans, std::span<const Reply> replies)
    : rules_(rules), payout_(rules), checkers_(checkers), against_(against), spans_(spans), replies_(replies) {
    prepare();
    if (spans.size() != first_span_.back() || !are_plays()) throw std::invalid_argument("these plays are not those of this table");
}

// The replies of each configuration come after those of the one before, and lead to none behind it: a sweep has nothing else to read.
bool ContactPlays::are_plays() const {
    std::uint32_t begin = 0;
    for (std::uint32_t us = 0; us < size_; ++us) {
        std::uint32_t end = begin;
        for (std::size_t i = first_span_[us]; i < first_span_[us + 1]; ++i) {
            const Span& span = spans_[i];
            if (span.first == span.last) continue;  // a set of closed points that cannot be
            if (span.first < begin || span.first > span.last || span.last > replies_.size()) return false;
            end = std::max(end, span.last);
        }
        const auto back = [us](const Reply& reply) { return reply.next <= us; };
        if (!std::all_of(replies_.begin() + begin, replies_.begin() + end, back)) return false;
        begin = end;
    }
    return true;
}

void ContactPlays::prepare() {
    check_contact(rules_, checkers_, kMaxSolvedCheckers);
    if (against_ < 1 || against_ > checkers_) {
        throw std::invalid_argument("no slice of whole games against " + std::to_string(against_) + " checkers; it has 1 to " +
                                    std::to_string(checkers_));
    }
    states_ = rules_.rerolls.tokens ? kMaxTokenStates : 1;
    size_ = configuration_count(checkers_, kContactPoints);
    few_ = configuration_count(against_, kContactPoints);
    block_ = std::max<std::uint32_t>(8, size_ / 32);  // smaller ones take fewer sweeps, but come back to the same values more often
    for (const Row& row : rules_.rows) chances_.push_back(static_cast<double>(row.weight) / rules_.total_weight);
    for (std::uint32_t index = 0; index < size_; ++index) {
        held_.push_back(occupied(configuration_side(index, rules_.checkers, kContactPoints)) & kBoard);
        met_.push_back(across(rules_.meeting, held_.back()));
    }
    std::size_t spans = 0;
    for (std::uint32_t us = 0; us < size_; ++us) {
        first_span_.push_back(spans);
        spans += closed_sets(us) * chances_.size();
    }
    first_span_.push_back(spans);
    find_targets();
}

std::uint32_t ContactPlays::block_end(std::uint32_t first) const { return std::min(first + block_, first < few_ ? few_ : size_); }

// How many sets of closed points a configuration may meet.
std::size_t ContactPlays::closed_sets(std::uint32_t us) const {
    const int most = us < few_ ? checkers_ : against_;  // checkers of the other side
    return most < 2 ? 1 : most < 4 ? kOneClosed : kTwoClosed;
}

void ContactPlays::find_plays() {
    const std::size_t rows = chances_.size();
    own_spans_.assign(first_span_.back(), {});
    PlayBuffer buffer;
    std::vector<Reply> found;
    for (std::uint32_t us = 1; us < size_; ++us) {
        Position position;
        position.us = configuration_side(us, rules_.checkers, kContactPoints);
        for (std::size_t closed = 0; closed < closed_sets(us); ++closed) {
            if (held_[us] & kClosed[closed]) continue;
            position.them = {};
            for (int point = 1; point <= 24; ++point) {
                const std::uint8_t standing = held_[us] & bit(point) ? 0 : kClosed[closed] & bit(point) ? 2 : 1;
                position.them.points[rules_.meets[static_cast<std::size_t>(point)]] = standing;
            }
            const Points before = across(rules_.meeting, singles(position.them));
            for (std::size_t row = 0; row < rows; ++row) {
                generate(rules_, position, static_cast<int>(row), buffer);
                found.clear();
                for (std::size_t i = 0; i < buffer.size(); ++i) {
                    const Position& result = buffer.result(i);
                    const Points landed = before & ~across(rules_.meeting, singles(result.them));
                    found.push_back({landed, static_cast<std::uint32_t>(configuration_index(result.us, checkers_, kContactPoints))});
                }
                Span& here = own_spans_[span_index(us, closed, row)];
                const Span open = own_spans_[span_index(us, 0, row)];
                const auto same = [](const Reply& a, const Reply& b) { return a.landed == b.landed && a.next == b.next; };
                const auto replies = own_replies_.begin();
                if (closed && std::equal(found.begin(), found.end(), replies + open.first, replies + open.last, same)) {
                    here = open;  // most closed points are in nobody's way
                    continue;
                }
                here.first = static_cast<std::uint32_t>(own_replies_.size());
                own_replies_.insert(own_replies_.end(), found.begin(), found.end());
                here.last = static_cast<std::uint32_t>(own_replies_.size());
            }
        }
    }
    own_replies_.shrink_to_fit();
}

void ContactPlays::find_targets() {
    for (std::uint32_t index = 0; index < size_; ++index) {
        const Side side = configuration_side(index, rules_.checkers, kContactPoints);
        Target target;
        target.blots.fill(kNever);
        std::array<int, kMaxSolvedCheckers> own = {};
        std::array<int, 2> shut = {};
        std::size_t blots = 0, closed = 0;
        for (int point = 1; point <= 24; ++point) {
            if (side.points[point] == 1) {
                own[blots] = point;
                target.blots[blots++] = rules_.meets[static_cast<std::size_t>(point)];
            } else if (side.points[point] >= rules_.block) {
                shut[closed++] = rules_.meets[static_cast<std::size_t>(point)];
            }
        }
        if (closed) target.closed = closed_set(closed > 1 ? std::min(shut[0], shut[1]) : 0, std::max(shut[0], shut[1]));
        for (std::uint32_t hits = 0; hits < target.hit.size(); ++hits) {
            Side after = side;
            for (std::size_t blot = 0; blot < blots; ++blot) {
                if (!(hits >> blot & 1)) continue;
                --after.points[own[blot]];
                ++after.points[kBar];
            }
            target.hit[hits] = static_cast<std::uint32_t>(configuration_index(after, checkers_, kContactPoints));
        }
        targets_.push_back(target);
    }
}

void ContactPlays::lost(std::uint32_t us, double* out) const {
    Position position;
    position.us = configuration_side(us, rules_.checkers, kContactPoints);
    position.them = configuration_side(0, rules_.checkers, kContactPoints);
    const double points = -outcome(rules_, position).points;
    for (int state = 0; state < states_; ++state, out += kContactHolders) {
        std::fill_n(out, kContactHolders, points);
        out[kCentredJacoby] = -1;
    }
}

void ContactPlays::lost(std::uint32_t us, float* out) const {
    Position position;
    position.us = configuration_side(us, rules_.checkers, kContactPoints);
    position.them = configuration_side(0, rules_.checkers, kContactPoints);
    const Probabilities lost = payout_.ended(outcome(rules_, position));
    for (int state = 0; state < states_; ++state) out = std::copy(lost.begin(), lost.end(), out);
}

}  // namespace barpoint
