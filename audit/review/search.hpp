// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "audit/review/catalogue.hpp"
#include "core/result.hpp"

#include <string_view>
#include <variant>
#include <vector>

namespace countersign::audit::review {

// What somebody who types a name may mean.
struct NumberedRecord {
    std::uint64_t seq = 0;
};
using Named = std::variant<NumberedRecord, std::vector<Ulid>>;

// "#123" is a record by its number. Everything else is an id, or its beginning or end of at least review_id_chars_min
// characters; case does not count. All requests that it could be, oldest first: none, one, or several. Errc::malformed
// for what can be none of these.
[[nodiscard]] Result<Named> look_up(const Catalogue& catalogue, std::string_view text);

}  // namespace countersign::audit::review
