// SPDX-License-Identifier: Apache-2.0
#include "runtimes/binding.hpp"

#include "security/args_hash.hpp"

namespace countersign::runtimes {

Result<void> check_binding(const Ulid& id, std::string_view tool, std::string_view raw_input, const Verdict& verdict) {
    if (verdict.request_id != id) return Error{Errc::conflict, "the decision is about another request"};
    const auto hash = security::args_hash(tool, raw_input);
    if (!hash) return hash.error();
    if (hash->hex != verdict.args_hash) return Error{Errc::conflict, "argsHash: the decision is about another call"};
    if (verdict.edited_input) return Error{Errc::unsupported, "this runtime sends no other input than the agent's own"};
    return {};
}

}  // namespace countersign::runtimes
