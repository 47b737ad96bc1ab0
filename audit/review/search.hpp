// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "audit/review/catalogue.hpp"
#include "core/result.hpp"

#include <string_view>
#include <variant>
#include <vector>

namespace countersign::audit::review {

// What an operator may type to name a request or record.
struct NumberedRecord {
    std::uint64_t seq = 0;
};
using Named = std::variant<NumberedRecord, std::vector<Ulid>>;

// "#123" names a record by its number. Any other text is an id, or at least review_id_chars_min characters of its
// beginning or end; case is ignored. Returns all matching requests, oldest first, possibly none. Errc::malformed if the
// text can be neither.
[[nodiscard]] Result<Named> look_up(const Catalogue& catalogue, std::string_view text);

}  // namespace countersign::audit::review
