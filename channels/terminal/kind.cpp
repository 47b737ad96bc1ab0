// SPDX-License-Identifier: Apache-2.0
#include "channels/terminal/kind.hpp"

namespace countersign::channels::terminal {
namespace {

// 2^32 - 1 is not a user but "no change" to the kernel.
std::optional<std::string> read_user(const WrittenId& id) { return integer_between(id, 0, 4'294'967'294); }

constexpr Setting settings[] = {{"plain", SettingType::boolean}};

}  // namespace

constinit const ChannelKind kind{.name = "terminal",
                                 .principal = {.name = "terminal",
                                               .what = "a user id of this machine",
                                               .read = read_user,
                                               .instead = "write terminal = 1000, the number that `id -u` prints"},
                                 .assurance = Assurance::chat,
                                 .placing = Placing::one_place,
                                 .settings = settings,
                                 .is_own_terminal = true};

}  // namespace countersign::channels::terminal
