// SPDX-License-Identifier: Apache-2.0
// Lane: letters of one chat and one urgency. The senders take turns, one letter each, and each sender's letters keep
// their order. So the first card of one agent doesn't wait behind a thousand of another.
//
// A letter costs the same, however many wait.
#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <unordered_map>
#include <utility>

namespace countersign::channels {

// `Letter` has a member `const std::string* sender`, which add() sets.
template <class Letter> class Lane {
public:
    using Letters = std::list<Letter>;
    using Position = typename Letters::iterator;

    Lane() = default;
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;

    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] std::size_t size() const { return size_; }

    // Behind the sender's own letters. A new sender's turn comes after everybody else's.
    Position add(const std::string& name, Letter letter) {
        const auto [found, is_new] = senders_.try_emplace(name);
        auto& sender = found->second;
        if (is_new) sender.turn = turns_.insert(turns_.end(), &sender);
        letter.sender = &found->first;
        sender.letters.push_back(std::move(letter));
        ++size_;
        return std::prev(sender.letters.end());
    }

    // The letter whose turn it is. It stays the same until it's erased. Precondition: not empty.
    [[nodiscard]] Letter& next() { return turns_.front()->letters.front(); }
    [[nodiscard]] const Letter& next() const { return turns_.front()->letters.front(); }
    // The letter that was added first, of all that wait. Looks at every sender. Precondition: not empty.
    [[nodiscard]] const Letter& oldest() const {
        const Letter* oldest = nullptr;
        for (const auto* sender : turns_) {
            if (oldest == nullptr || sender->letters.front().id < oldest->id) oldest = &sender->letters.front();
        }
        return *oldest;
    }

    // `had_its_turn`: the sender goes to the end of the line. A letter that is only dropped costs it nothing.
    void erase(Position letter, bool had_its_turn) {
        const auto found = senders_.find(*letter->sender);
        auto& sender = found->second;
        sender.letters.erase(letter);
        --size_;
        if (sender.letters.empty()) {
            turns_.erase(sender.turn);
            senders_.erase(found);
        } else if (had_its_turn) {
            turns_.splice(turns_.end(), turns_, sender.turn);
        }
    }

private:
    struct Sender {
        Letters letters;
        typename std::list<Sender*>::iterator turn;
    };
    std::unordered_map<std::string, Sender> senders_;
    std::list<Sender*> turns_;
    std::size_t size_ = 0;
};

}  // namespace countersign::channels
