#include "rules/turn.hpp"

#include <algorithm>
#include <cstddef>
#include <unordered_set>
#include <utility>

#include "rules/dice.hpp"

namespace barpoint {

namespace {

Move as_move(const StageEdge& edge) { return {edge.from, edge.to, edge.number, edge.effect}; }

// The (result, flag) pairs met so far.
class Distinct {
  public:
    bool add(const Position& position, bool flag) { return seen_[flag].insert(position).second; }

  private:
    std::unordered_set<Position, PositionHash> seen_[2];
};

void append_path(const StageGraph& graph, std::uint32_t node, std::vector<Move>& moves) {
    const auto at = static_cast<std::ptrdiff_t>(moves.size());
    for (; node; node = graph.nodes()[node].parent) moves.insert(moves.begin() + at, as_move(graph.edges()[graph.nodes()[node].via]));
}

class TurnBuilder {
  public:
    using Path = std::vector<Move>;  // moves still to follow

    TurnBuilder(const Rules& rules, const Row& row, const Position& before) : rules_(rules), row_(row), follow_up_(rules, row, before) {
        nodes.push_back({taken(before), false, false, {}});
    }

    // Works out a stage from the node `base`; paths: moves that were made from there on.
    void build(std::size_t stage, std::int32_t base, const std::vector<Path>& paths) {
        StageGraph graph;
        graph.explore(rules_, nodes[base].position, row_.stages[stage], limits_of(rules_, nodes[0].position, row_));
        const bool last = stage + 1 == row_.stages.size();
        auto continues = [&](const StageNode& node) { return !last && node.goes_on(); };

        const bool all = stage == 0 || row_.stages[stage].size() == 1;
        const std::uint32_t begun = all ? ~std::uint32_t{0} : numbers_begun(paths);
        std::vector<std::vector<Path>> tails(graph.nodes().size());
        if (!last)
            for (const Path& path : paths) follow(graph, path, continues, tails);

        std::vector<std::int32_t> index(graph.nodes().size(), kLater);
        index[0] = base;
        for (std::size_t i = 1; i < graph.nodes().size(); ++i) {
            const StageNode& node = graph.nodes()[i];
            if (!node.legal || (node.used & ~begun) || (continues(node) && tails[i].empty())) continue;
            index[i] = static_cast<std::int32_t>(nodes.size());
            nodes.push_back({node.position, false, false, {}});
        }
        for (std::size_t i = 0; i < graph.nodes().size(); ++i) {
            const StageNode& node = graph.nodes()[i];
            if (index[i] == kLater || continues(node)) continue;
            TurnNode& made = nodes[index[i]];
            made.commit = node.may_stop;
            if (last) made.again = acts_again(follow_up_, row_.stages[stage], node, made.position);
            for (std::uint32_t e = node.first_edge; e < node.first_edge + node.edges; ++e) {
                const StageEdge& edge = graph.edges()[e];
                if (graph.nodes()[edge.next].legal) made.edges.push_back({as_move(edge), index[edge.next]});
            }
        }
        for (std::size_t i = 1; i < graph.nodes().size(); ++i)
            if (index[i] != kLater && continues(graph.nodes()[i])) build(stage + 1, index[i], tails[i]);
    }

    std::vector<TurnNode> nodes;

  private:
    // The numbers moved in these paths, as the bits that StageNode::used may then have.
    static std::uint32_t numbers_begun(const std::vector<Path>& paths) {
        std::uint32_t bits = 0;
        for (const Path& path : paths)
            for (const Move& move : path)
                if (move.number >= 1 && move.number <= 6) bits |= std::uint32_t{15} << (4 * move.number);
        return bits;
    }

    template <class Continues>
    static void follow(const StageGraph& graph, const Path& path, Continues continues, std::vector<std::vector<Path>>& tails) {
        std::uint32_t at = 0;
        for (std::size_t done = 0;; ++done) {
            const StageNode& node = graph.nodes()[at];
            if (continues(node)) {
                tails[at].emplace_back(path.begin() + static_cast<std::ptrdiff_t>(done), path.end());
                return;
            }
            if (done == path.size()) return;
            const auto first = graph.edges().begin() + node.first_edge;
            const auto edge = std::find_if(first, first + node.edges, [&](const StageEdge& e) { return as_move(e) == path[done]; });
            if (edge == first + node.edges) return;
            at = edge->next;
        }
    }

    const Rules& rules_;
    const Row& row_;
    FollowUp follow_up_;
};

}  // namespace

std::vector<TracedPlay> traced_plays(const Rules& rules, const Position& position, int row) {
    const Row& roll_row = rules.rows[row];
    std::vector<TracedPlay> starts{{{}, taken(position), true}};
    const FollowUp follow_up(rules, roll_row, position);
    StageGraph graph;
    const RollLimits limits = limits_of(rules, position, roll_row);
    for (std::size_t stage = 0; stage < roll_row.stages.size(); ++stage) {
        const bool last = stage + 1 == roll_row.stages.size();
        std::vector<TracedPlay> plays;
        Distinct distinct;
        for (const TracedPlay& start : starts) {
            if (!start.again) {
                if (distinct.add(start.result, false)) plays.push_back(start);
                continue;
            }
            graph.explore(rules, start.result, roll_row.stages[stage], limits);
            for (std::uint32_t i = 0; i < graph.nodes().size(); ++i) {
                const StageNode& node = graph.nodes()[i];
                if (!node.may_stop) continue;
                TracedPlay play{start.moves, node.position, node.goes_on()};
                if (last) play.again = acts_again(follow_up, roll_row.stages[stage], node, play.result);
                if (!distinct.add(play.result, play.again)) continue;
                plays.push_back(std::move(play));
                append_path(graph, i, plays.back().moves);
            }
        }
        starts = std::move(plays);
    }
    return starts;
}

std::vector<TurnNode> turn_graph(const Rules& rules, const Position& position, int row, const std::vector<Move>& made) {
    std::vector<std::vector<Move>> paths{made};
    for (std::size_t i = 0; i < made.size(); ++i) {
        paths.push_back(made);
        paths.back().erase(paths.back().begin() + static_cast<std::ptrdiff_t>(i));
    }
    TurnBuilder builder(rules, rules.rows[row], position);
    builder.build(0, 0, paths);
    return std::move(builder.nodes);
}

}  // namespace barpoint
