#include "rules/rules.hpp"

#include <algorithm>
#include <stdexcept>

#include "rules/dice.hpp"
#include "rules/step.hpp"

namespace barpoint {

namespace {

void require(bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
}

constexpr int kMaxPay = 32767;   // a result keeps points in 16 bits
constexpr int kMaxTokens = 127;  // a game in play keeps them in 8 bits
constexpr std::int64_t kMaxWeight = std::int64_t{1} << 20;  // of all rolls: rollouts shuffle a ticket for each

void check_rows(const std::vector<Row>& rows) {
    require(!rows.empty(), "rules without a roll");
    std::int64_t weights = 0;
    for (const Row& row : rows) weights += row.weight;
    require(weights <= kMaxWeight, "the weights of the rolls add up to more than 1,048,576");
    for (const Row& row : rows) {
        require(row.weight > 0 && !row.faces.empty(), "a roll needs faces and a weight");
        require(!row.stages.empty() && row.stages.size() <= kMaxStages, "a roll has 1 to 8 stages");
        for (const Stage& stage : row.stages) {
            require(!stage.empty(), "a stage without an option");
            for (const Option& option : stage) {
                require(option.count >= 1 && option.count <= kMaxNumbers, "an option has 1 to 4 numbers");
                for (int i = 0; i < option.count; ++i)
                    require(option.numbers[i] >= 1 && option.numbers[i] <= 6, "numbers are 1 to 6");
                require(option.next < 0 || &stage == &row.stages.back(), "rows follow the last stage of a roll");
                require(option.next < std::min(static_cast<int>(rows.size()), kMaxRows), "a roll is followed by no row of the table");
            }
        }
    }
}

// No row leads back to itself by way of those that follow.
void check_follow_ups(const std::vector<Row>& rows) {
    std::vector<std::size_t> length(rows.size(), 0);  // of the longest way found so far
    for (bool longer = true; longer;) {
        longer = false;
        for (std::size_t row = 0; row < rows.size(); ++row)
            for (const Option& option : rows[row].stages.back()) {
                if (option.next < 0 || length[row] > length[option.next]) continue;
                length[row] = length[option.next] + 1;
                require(length[row] < rows.size(), "rolls follow each other without end");
                longer = true;
            }
    }
}

std::string at(int point) { return point == kBar ? "the bar" : "point " + std::to_string(point); }

std::string complaint_of_side(const Rules& rules, const Side& side, const Side& other, const std::string& whose) {
    if (side.total() != rules.checkers)
        return whose + " checkers add up to " + std::to_string(side.total()) + "; these rules have " +
               std::to_string(rules.checkers);
    if (side.plain_rolls > rules.start.plain_rolls)
        return whose + " plain rolls are " + std::to_string(side.plain_rolls) + "; these rules begin with " +
               std::to_string(rules.start.plain_rolls);
    if (side.hand && !rules.start.hand) return whose + " hand holds checkers; these rules enter none";
    if (side.points[kBar] && rules.capture != Capture::hit) return whose + " bar holds checkers; these rules hit none";
    for (int point = 0; point < 32; ++point) {
        if (!(side.pinned & bit(point))) continue;
        if (point < 1 || point > 24 || side.points[point] != 1 || !other.points[rules.meets[point]] ||
            rules.capture != Capture::pin)
            return whose + " checker on " + at(point) + " cannot be pinned there";
    }
    if (!stands_as_allowed(rules, side)) return whose + " checkers stand where the rules of the start quarter forbid it";
    return {};
}

// As the first lines of complaint_of_side(), eight counts at a time: this stands before every call of the batch.
bool holds_right_number(const Rules& rules, const Side& side) {
    std::uint64_t words[4];
    std::memcpy(words, &side, sizeof words);
    words[3] &= 0x00FFFFFF;  // without the dice and the pins
    std::uint64_t sum = 0;
    for (std::uint64_t word : words) {
        if (word & 0xF0F0F0F0F0F0F0F0u) return false;
        sum += (word * 0x0101010101010101u) >> 56;
    }
    return sum == static_cast<std::uint64_t>(rules.checkers) && (!side.hand || rules.start.hand) &&
           (!side.points[kBar] || rules.capture == Capture::hit);
}

// What is owed is a row that follows another, and only the side to act owes one.
bool owes_rightly(const Rules& rules, const Position& position) {
    if (!position.us.owed) return !position.them.owed;
    const auto leads_there = [&](const Row& row) { return row.leads_to(owed_row(position)); };
    return !position.them.owed && !position.us.plain_rolls && std::any_of(rules.rows.begin(), rules.rows.end(), leads_there);
}

bool start_pinned(const Rules& rules, const Side& side) {
    return rules.start_pin_loses && (side.pinned & bit(rules.start_point));
}

// Some number of some roll lets the side to act move.
bool can_move(const Rules& rules, const Position& position) {
    const Points closed = closed_points(rules, position);
    for (int number = 1; number <= 6; ++number)
        if (sources(rules, closed, position, number)) return true;
    return false;
}

// What the loser pays.
Outcome pays(const Rules& rules, const Side& loser, int winner) {
    Outcome result{true, winner, 1, 1};
    if (rules.per_checker) {
        result.points = rules.checkers - loser.points[kOff];
        return result;
    }
    if (loser.points[kOff] || rules.gammon == 1) return result;
    bool back = loser.points[kBar] || loser.hand;
    for (int point = 1; point <= 24; ++point) back |= loser.points[point] && rules.meets[point] <= 6;
    result.level = back && rules.backgammon > rules.gammon ? 3 : 2;
    result.points = result.level == 3 ? rules.backgammon : rules.gammon;
    return result;
}

}  // namespace

void Rules::derive() {
    check_rows(rows);
    if (!follow_once) check_follow_ups(rows);
    require(block == 1 || block == 2, "a point is closed by 1 or 2 checkers");
    require(gammon >= 1 && backgammon >= gammon && backgammon <= kMaxPay, "a gammon pays 1 to 32,767 points, a backgammon no less");
    require((capture == Capture::none) == (block == 1), "single checkers are captured where two close a point");
    require(!start_pin_loses || capture == Capture::pin, "a pin decides only where there are pins");
    require((hit_and_run && hit_before_home) || capture == Capture::hit, "hits are limited only where checkers hit");
    require(rerolls.tokens >= 0 && rerolls.tokens <= kMaxTokens, "a side has 0 to 127 tokens");
    for (const QuarterLimit& limit : quarter_limits)
        require(limit.low >= 1 && limit.low <= limit.high && limit.high <= 24 && limit.most >= 0, "limits are within 1 to 24");
    for (Row& row : rows)
        for (Stage& stage : row.stages)
            for (Option& option : stage)
                std::sort(option.numbers.begin(), option.numbers.begin() + option.count, std::greater<>());
    require(!start.pinned && !start.points[kOff] && !start.owed, "nothing starts borne off, pinned or owed");
    checkers = start.total();
    require(checkers >= 1 && checkers <= 15, "a side has 1 to 15 checkers");
    start_point = kBar;
    for (int point = 1; point <= 24; ++point)
        if (start.points[point]) start_point = point;
    require(runner >= 0 && (!runner || (runner < start_point && start_point < kBar)), "a runner leaves a start point for a lower one");
    require(lowest_while_entering >= 0 && lowest_while_entering <= 24, "while some enter, checkers reach a point from 1 to 24, or any");
    require(leave >= 0 && (!leave || start_point < kBar), "checkers leave a start point on the board");
    total_weight = 0;
    for (const Row& row : rows) total_weight += row.weight;
    for (int point = 1; point <= 24; ++point)
        meets[point] = static_cast<std::uint8_t>(std::countr_zero(across(meeting, bit(point))));
    has_next = std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.has_next(); });
    require(has_next || !start.plain_rolls, "plain rolls are for rolls that others follow");
    judges_every_move = runner || !quarter_limits.empty() || prime != Prime::free;
}

int row_index(const Rules& rules, const std::vector<int>& faces) {
    for (std::size_t i = 0; i < rules.rows.size(); ++i)
        if (rules.rows[i].faces == faces) return static_cast<int>(i);
    return -1;
}

Outcome outcome(const Rules& rules, const Position& position) {
    const Side& us = position.us;
    const Side& them = position.them;
    const bool us_off = us.points[kOff] == rules.checkers;
    const bool them_off = them.points[kOff] == rules.checkers;
    if (us_off || them_off) {
        const int winner = us_off == (rules.winner == Winner::first_off) ? 1 : -1;
        return pays(rules, winner > 0 ? them : us, winner);
    }
    const bool us_pinned = start_pinned(rules, us);
    const bool them_pinned = start_pinned(rules, them);
    if (us_pinned && them_pinned) return {true, 0, 0, 0};
    if (us_pinned && !them.points[rules.start_point]) return {true, -1, 2, rules.gammon};
    if (them_pinned && !us.points[rules.start_point]) return {true, 1, 2, rules.gammon};
    if (rules.standstill_draws && !can_move(rules, position) && !can_move(rules, position.flip())) return {true, 0, 0, 0};
    return {};
}

bool is_allowed(const Rules& rules, const Position& position) {
    const bool simple = !position.us.pinned && !position.them.pinned && !rules.judges_every_move && !rules.has_next;
    if (!simple) return complaint(rules, position).empty();
    const bool both_off = position.us.points[kOff] == rules.checkers && position.them.points[kOff] == rules.checkers;
    const Points shared = occupied(position.us) & across(rules.meeting, occupied(position.them));
    return holds_right_number(rules, position.us) && holds_right_number(rules, position.them) && !(shared & kBoard) && !both_off &&
           !has_dice(position.us) && !has_dice(position.them);
}

std::string complaint(const Rules& rules, const Position& position) {
    const Side& us = position.us;
    const Side& them = position.them;
    if (std::string found = complaint_of_side(rules, us, them, "our"); !found.empty()) return found;
    if (std::string found = complaint_of_side(rules, them, us, "their"); !found.empty()) return found;
    for (int point = 1; point <= 24; ++point) {
        const int theirs = rules.meets[point];
        if (!us.points[point] || !them.points[theirs]) continue;
        if ((us.pinned & bit(point)) == 0 && (them.pinned & bit(theirs)) == 0)
            return "both sides stand on our point " + std::to_string(point);
        if ((us.pinned & bit(point)) && (them.pinned & bit(theirs)))
            return "both checkers on our point " + std::to_string(point) + " are pinned";
    }
    if (us.points[kOff] == rules.checkers && them.points[kOff] == rules.checkers) return "both sides have borne off every checker";
    if (!owes_rightly(rules, position)) return "a roll is owed that these rules do not let the side to act owe";
    return {};
}

}  // namespace barpoint
