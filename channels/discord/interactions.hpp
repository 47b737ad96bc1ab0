// SPDX-License-Identifier: Apache-2.0
// Interactions: the tokens that take words for what a person did in the app, for as long as Discord takes them.
//
// Calls name an interaction by its id (see words_to), so that its token is in no name, no queue and no record. It is
// put into the path at the moment that a call goes out.
#pragma once

#include "channels/discord/message.hpp"
#include "channels/discord/payload.hpp"
#include "core/time.hpp"

#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <string_view>

namespace countersign::channels::discord {

class Interactions {
public:
    void keep(const Interaction& interaction, BootTime now);
    // It was answered with a message that says "thinking": the first words replace that. Words that were on their way
    // before do so by themselves, and later ones must not replace them.
    void thinking(const std::string& id);
    // Puts the token into the path of a call that words_to made. False: its time is over, or it was never kept.
    [[nodiscard]] bool resolve(Outgoing& call, BootTime now);
    [[nodiscard]] std::size_t size() const { return kept_.size(); }

private:
    struct Kept {
        Interaction interaction;
        BootTime until;
        bool thinking = false;
        bool said = false;  // words went out
        // A digest of the words that replaced "thinking", so that trying them again replaces it again.
        std::size_t original = 0;
    };
    void forget(BootTime now);

    std::map<std::string, Kept, std::less<>> kept_;
    std::deque<std::string> by_age_;
};

}  // namespace countersign::channels::discord
