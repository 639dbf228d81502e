// Exact tables that a search asks before the net, each made when a position first needs it.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "rules/payout.hpp"
#include "rules/rules.hpp"
#include "tables/bearoff_one_sided.hpp"
#include "tables/bearoff_two_sided.hpp"
#include "tables/contact.hpp"

namespace barpoint {

// What tables know of a position: nothing, its probabilities when both sides play for the fewest turns, or its exact probabilities.
enum class Known { nothing, race, exact };

// Points for the player to act with the cube at 1: before they may double, and when they roll at once.
struct CubeRace {
    double cubeless, owned, centred, theirs;
    double roll_owned, roll_centred;
};

// Any number of threads may ask at once; the first that needs a table makes it, which takes about a second of one core.
class Tables {
  public:
    // The tables of these rules: one object in a process for all rules that share them.
    static std::shared_ptr<const Tables> of(const Rules& rules);
    explicit Tables(const Rules& rules);

    // Probabilities of a position in which the game goes on, for the player to act before they roll. `exact`: of every state
    // of the tokens. `race`: of the state without tokens alone, all checkers being home.
    Known ask(const Position& position, Values& out) const;

    // With a cube for money; nothing where no table has the position. state: as the token states of a net.
    // jacoby: gammons count only once the cube was turned. rolling: the last two are wanted too, which takes a while.
    std::optional<CubeRace> cube(const Position& position, int state, bool jacoby = false, bool rolling = true) const;

    // From now on a table of whole games is asked first; it stays for good.
    void use(std::shared_ptr<const Contact> games) const;

  private:
    const TwoSided* two_sided(const Position& position) const;
    const OneSided* one_sided() const;

    Rules rules_;
    bool races_ = false;  // one-sided tables say who wins, and how
    int few_ = 0;         // checkers a side of the two-sided table; 0 where there can be none
    mutable std::atomic<const Contact*> games_ = nullptr;
    mutable std::vector<std::shared_ptr<const Contact>> kept_;  // those given to use()
    mutable std::mutex giving_;
    mutable std::once_flag one_made_, two_made_;
    mutable std::unique_ptr<OneSided> one_;
    mutable std::unique_ptr<TwoSided> two_;
};

}  // namespace barpoint
