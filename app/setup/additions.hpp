// SPDX-License-Identifier: Apache-2.0
// Adds a channel and its person to an existing configuration. Everything else stays byte for byte as it was, including
// comments. Pure.
#pragma once

#include "app/setup/files.hpp"
#include "core/configuration.hpp"
#include "core/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace countersign::app::setup {

struct Additions {
    std::string text;                // what was added, for the operator
    std::vector<std::string> lines;  // what is new in it, for the operator
};

// The channel and the person become tables, or an existing person's table gets the id. The last route also asks the
// person there, and lets them decide. Errc::conflict if the person or the account is already bound differently.
// Errc::unsupported, with the lines to add by hand, if the text can't be changed safely: the result must parse as the
// intended configuration.
[[nodiscard]] Result<Additions> with_channel(std::string_view toml, const Configuration& now, const NewChannel& made);

// The usual name, or the first free one of phone2 to phone99.
[[nodiscard]] std::string free_channel_name(const Configuration& now, const std::string& usual);

}  // namespace countersign::app::setup
