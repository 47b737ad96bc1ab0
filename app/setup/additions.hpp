// SPDX-License-Identifier: Apache-2.0
// Adds a channel and its person to a configuration that exists. Everything else stays byte for byte as it was, comments
// included. Pure.
#pragma once

#include "app/setup/files.hpp"
#include "core/configuration.hpp"
#include "core/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace countersign::app::setup {

struct Additions {
    std::string text;                // the whole configuration
    std::vector<std::string> lines;  // what is new in it, for the operator
};

// The channel and the person become tables, or the person's table gets the id. The last route asks the person
// there too, and lets them decide. Errc::conflict if the person or the account is bound otherwise, Errc::unsupported
// with the lines to write by hand if the text can't be changed safely: what we write must read as what was wanted.
[[nodiscard]] Result<Additions> with_channel(std::string_view toml, const Configuration& now, const NewChannel& made);

// The usual name, or the first of phone2 to phone99 that no channel has.
[[nodiscard]] std::string free_channel_name(const Configuration& now, const std::string& usual);

}  // namespace countersign::app::setup
