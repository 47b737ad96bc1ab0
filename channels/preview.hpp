// SPDX-License-Identifier: Apache-2.0
// Preview: what `check render <kind>` needs of a platform: the calls for a card, byte for byte, without sending them.
#pragma once

#include "channels/keys.hpp"
#include "channels/messenger.hpp"
#include "core/ports/channel.hpp"
#include "core/result.hpp"
#include "core/time.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace countersign::channels {

// A card as people read it: its words without styles, and the labels of each row of buttons.
struct PreviewText {
    std::string words;
    std::vector<std::vector<std::string>> buttons;
};

struct Preview {
    std::string_view help;  // of the command
    std::string_view chat;  // an example of a chat's id
    Parcel (*render)(const Presentation& presentation, const MessageTarget& spot, const Keys& keys, WallTime now);
    // Of a card that `render` made.
    Result<PreviewText> (*read)(const Outgoing& card);
};

// For Preview::render.
template <class PlatformRenderer>
[[nodiscard]] Parcel render_card(const Presentation& presentation, const MessageTarget& spot, const Keys& keys,
                                 WallTime now) {
    return PlatformRenderer{keys}.card(presentation, spot, now);
}

}  // namespace countersign::channels
