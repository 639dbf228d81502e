#include "rules/stage.hpp"

#include <algorithm>

namespace barpoint {

namespace {

// Every number is used at most as often as the option has it.
bool fits(std::uint32_t used, std::uint32_t option) {
    for (int number = 1; number <= 6; ++number)
        if (((used >> (4 * number)) & 15) > ((option >> (4 * number)) & 15)) return false;
    return true;
}

bool fits_one_of(std::uint32_t used, const Stage& stage) {
    return std::any_of(stage.begin(), stage.end(), [&](const Option& option) { return fits(used, numbers_of(option)); });
}

std::uint64_t key(const StageNode& node) { return hash(node.position) ^ (node.used * 0x9E3779B97F4A7C15u); }

// The option that these numbers use up; the end for none.
Stage::const_iterator used_up(const Stage& stage, std::uint32_t used) {
    return std::find_if(stage.begin(), stage.end(), [used](const Option& option) { return numbers_of(option) == used; });
}

}  // namespace

bool acts_again(const FollowUp& follow_up, const Stage& last, const StageNode& node, Position& position) {
    if (!node.goes_on()) return false;
    const Option& option = *used_up(last, node.used);
    position.us.owed = follow_up.owed(option);
    return follow_up.again(option);
}

void StageGraph::explore(const Rules& rules, const Position& position, const Stage& stage, const RollLimits& limits) {
    nodes_.clear();
    edges_.clear();
    slots_.assign(256, 0);
    StageNode start;
    start.position = position;
    find_or_add(start);
    const bool may = may_hit(rules, position.us);
    const Points closed = closed_points(rules, position);
    for (std::uint32_t i = 0; i < nodes_.size(); ++i)
        expand(rules, may ? closed : closed_points(rules, nodes_[i].position), limits, stage, i);
    mark_stops(rules, stage);
    mark_legal();
}

void StageGraph::expand(const Rules& rules, Points closed, const RollLimits& limits, const Stage& stage, std::uint32_t index) {
    nodes_[index].first_edge = static_cast<std::uint32_t>(edges_.size());
    if (nodes_[index].ended) return;
    const Points held_back = limits.held_back(rules, nodes_[index].position.us);
    for (int number = 6; number >= 1; --number) {
        const std::uint32_t used = nodes_[index].used + one(number);
        if (!fits_one_of(used, stage)) continue;
        Points left = sources(rules, closed, nodes_[index].position, number) & ~held_back;
        while (left) {
            const int source = highest(left);
            left &= ~bit(source);
            StageNode child;
            child.position = nodes_[index].position;
            child.used = used;
            child.rank = static_cast<std::uint8_t>(nodes_[index].rank + rank_of(rules, number));
            child.parent = index;
            child.via = static_cast<std::uint32_t>(edges_.size());
            const Effect effect = make_step(rules, child.position, source, number);
            child.ended = ended_by_mover(rules, child.position);
            child.complete = child.ended || used_up(stage, used) != stage.end();
            const std::uint32_t next = find_or_add(child);
            edges_.push_back({static_cast<std::uint8_t>(source), static_cast<std::uint8_t>(destination(source, number)),
                              static_cast<std::uint8_t>(number), effect, next});
        }
    }
    nodes_[index].edges = static_cast<std::uint32_t>(edges_.size()) - nodes_[index].first_edge;
}

std::uint32_t StageGraph::find_or_add(const StageNode& node) {
    if (2 * nodes_.size() >= slots_.size()) index_all();
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = key(node) & mask;
    for (; slots_[slot]; slot = (slot + 1) & mask) {
        const StageNode& other = nodes_[slots_[slot] - 1];
        if (other.used == node.used && other.position == node.position) return slots_[slot] - 1;
    }
    nodes_.push_back(node);
    slots_[slot] = static_cast<std::uint32_t>(nodes_.size());
    return slots_[slot] - 1;
}

void StageGraph::index_all() {
    slots_.assign(4 * slots_.size(), 0);
    const std::size_t mask = slots_.size() - 1;
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
        std::size_t slot = key(nodes_[i]) & mask;
        while (slots_[slot]) slot = (slot + 1) & mask;
        slots_[slot] = i + 1;
    }
}

// A complete play if there is one, else the plays of the highest rank: over all options together, or in each apart.
void StageGraph::mark_stops(const Rules& rules, const Stage& stage) {
    auto mark = [&](auto belongs, auto completes) {
        bool complete = false;
        int best = 0;
        for (const StageNode& node : nodes_) {
            if (!belongs(node)) continue;
            complete |= completes(node);
            best = std::max<int>(best, node.rank);
        }
        for (StageNode& node : nodes_)
            if (belongs(node)) node.may_stop |= complete ? completes(node) : node.rank == best;
    };
    if (rules.obligation != Obligation::per_option) {
        mark([](const StageNode&) { return true; }, [](const StageNode& node) { return node.complete; });
        return;
    }
    for (const Option& option : stage) {
        const std::uint32_t numbers = numbers_of(option);
        mark([&](const StageNode& node) { return fits(node.used, numbers); },
             [&](const StageNode& node) { return node.ended || node.used == numbers; });
    }
}

void StageGraph::mark_legal() {
    for (std::size_t i = nodes_.size(); i-- > 0;) {  // a move leads to a later node, so one pass backwards is enough
        StageNode& node = nodes_[i];
        node.legal = node.may_stop;
        for (std::uint32_t e = 0; e < node.edges && !node.legal; ++e) node.legal = nodes_[edges_[node.first_edge + e].next].legal;
    }
}

}  // namespace barpoint
