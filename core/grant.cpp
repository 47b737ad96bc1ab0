// SPDX-License-Identifier: Apache-2.0
#include "core/grant.hpp"

#include <algorithm>

namespace countersign {

namespace {

// True if a grant may cover this request. If calls can't be told apart exactly, each one must be asked.
bool grantable(const Request& request) {
    return request.approval() != nullptr && request.judgement.may_grant && request.args_hash.canonical &&
           !request.args_hash.partial && !request.args_hash.hex.empty();
}

bool covers(const Grant& grant, const Request& request, const std::string& tool_name) {
    return grant.agent_id == request.agent_id && grant.runtime == request.runtime && grant.tool_name == tool_name &&
           grant.args_hash == request.args_hash.hex && grant.cwd == request.cwd &&
           grant.script_hash == request.script_hash &&
           (grant.session_key.empty() || grant.session_key == request.session_key);
}

void drop_expired(std::vector<Grant>& grants, BootTime now) {
    std::erase_if(grants, [now](const Grant& grant) { return grant.expires <= now || grant.uses_left == 0; });
}

}  // namespace

std::optional<Grant> GrantBook::mint(const Request& request, const Option& chosen, Ulid id, std::string granted_by,
                                     BootTime now) {
    const bool lasting_allow = chosen.effect == Effect::allow && chosen.scope != Scope::once;
    if (!lasting_allow || !chosen.known || !chosen.exact_call || !grantable(request)) return std::nullopt;
    // Without a session key, "this session" would cover every session.
    if (chosen.scope == Scope::session && request.session_key.empty()) return std::nullopt;
    return Grant{.id = id,
                 .agent_id = request.agent_id,
                 .runtime = request.runtime,
                 .tool_name = tool_name_of(request),
                 .args_hash = request.args_hash.hex,
                 .cwd = request.cwd,
                 .script_hash = request.script_hash,
                 .summary = summary_of(request),
                 .session_key = chosen.scope == Scope::session ? request.session_key : std::string{},
                 .granted_by = std::move(granted_by),
                 .expires = now + limits::grant_age_max,
                 .uses_left = limits::grant_uses_max};
}

std::size_t GrantBook::room(BootTime now) {
    drop_expired(grants_, now);
    return limits::grants_max - grants_.size();
}

Result<void> GrantBook::add(Grant grant, BootTime now) {
    if (room(now) == 0) return Error{Errc::busy, "too many grants; revoke some"};
    grants_.push_back(std::move(grant));
    return {};
}

std::optional<Grant> GrantBook::use(const Request& request, BootTime now) {
    drop_expired(grants_, now);
    if (!grantable(request)) return std::nullopt;
    const auto tool_name = tool_name_of(request);
    const auto found =
        std::ranges::find_if(grants_, [&](const Grant& grant) { return covers(grant, request, tool_name); });
    if (found == grants_.end()) return std::nullopt;
    --found->uses_left;
    auto used = *found;
    drop_expired(grants_, now);
    return used;
}

std::vector<Grant> GrantBook::revoke_all_of(const Asker& who) {
    std::vector<Grant> revoked;
    std::erase_if(grants_, [&](const Grant& grant) {
        const bool theirs = covers(who, {.agent_id = grant.agent_id, .session_key = grant.session_key});
        if (theirs) revoked.push_back(grant);
        return theirs;
    });
    return revoked;
}

bool GrantBook::revoke(const Ulid& id) {
    return std::erase_if(grants_, [&id](const Grant& grant) { return grant.id == id; }) > 0;
}

}  // namespace countersign
