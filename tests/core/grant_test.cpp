// SPDX-License-Identifier: Apache-2.0
#include "core/grant.hpp"

#include <gtest/gtest.h>

namespace countersign {
namespace {

constexpr BootTime start{std::chrono::hours{5}};
const Ulid id{WallTime{}, {1, 2, 3}};

Option option(Effect effect, Scope scope) {
    return {.option_id = "x", .label = "x", .detail = "", .effect = effect, .scope = scope};
}
const Option always = option(Effect::allow, Scope::always);
const Option session = option(Effect::allow, Scope::session);

Request call() {
    Request request;
    request.agent_id = "dev";
    request.runtime = "event";
    request.session_key = "s1";
    request.cwd = "/w";
    request.args_hash = {.hex = std::string(64, 'a'), .canonical = true, .partial = false};
    request.judgement.may_grant = true;
    request.body = Approval{
        .subject = ToolUse{"Bash", "t1"}, .display_text = "ls", .diff = "", .untrusted_reason = "", .options = {}};
    return request;
}

GrantBook book_with(const Option& chosen) {
    GrantBook book;
    auto grant = GrantBook::mint(call(), chosen, id, "alice", start);
    EXPECT_TRUE(grant);
    EXPECT_TRUE(book.add(*grant, start));
    return book;
}

TEST(Grant, AGrantedCallIsCoveredAndEachUseIsCounted) {
    auto book = book_with(always);
    const auto used = book.use(call(), start);
    ASSERT_TRUE(used);
    EXPECT_EQ(used->granted_by, "alice");
    EXPECT_EQ(used->uses_left, limits::grant_uses_max - 1);
}

TEST(Grant, I8_AChangedScriptIsNotCovered) {
    auto request = call();
    request.script_hash = std::string(64, 'c');
    GrantBook book;
    EXPECT_TRUE(book.add(*GrantBook::mint(request, always, id, "alice", start), start));
    EXPECT_TRUE(book.use(request, start));
    request.script_hash = std::string(64, 'd');
    EXPECT_FALSE(book.use(request, start));
    request.script_hash.clear();
    EXPECT_FALSE(book.use(request, start)) << "it cannot be read any more";
}

TEST(Grant, ItsSummaryIsOneLine) {
    auto request = call();
    std::get<Approval>(request.body).display_text = "make all\nmake install";
    EXPECT_EQ(GrantBook::mint(request, always, id, "alice", start)->summary, "make all⏎make install");
}

TEST(Grant, I8_AnyOtherCallIsNotCovered) {
    const auto differs = [](auto&& change) {
        auto book = book_with(always);
        auto other = call();
        change(other);
        return !book.use(other, start);
    };
    EXPECT_TRUE(differs([](Request& request) { request.agent_id = "prod"; }));
    EXPECT_TRUE(differs([](Request& request) { request.runtime = "claude"; }));
    EXPECT_TRUE(differs([](Request& request) { std::get<Approval>(request.body).subject = ToolUse{"Write", "t1"}; }));
    EXPECT_TRUE(differs([](Request& request) { std::get<Approval>(request.body).subject = ShellExec{}; }));
    EXPECT_TRUE(differs([](Request& request) { request.args_hash.hex = std::string(64, 'b'); }));
    EXPECT_TRUE(differs([](Request& request) { request.cwd = "/w/"; }));
    EXPECT_TRUE(differs([](Request& request) { request.script_hash = std::string(64, 'c'); }));
    EXPECT_TRUE(differs([](Request& request) { request.args_hash.canonical = false; }));
    EXPECT_TRUE(differs([](Request& request) { request.args_hash.partial = true; }));
    EXPECT_TRUE(differs([](Request& request) { request.judgement.may_grant = false; }));
    EXPECT_TRUE(differs([](Request& request) { request.body = Questionnaire{}; }));
    EXPECT_FALSE(differs([](Request& request) { request.session_key = "s2"; }));
}

TEST(Grant, I8_ASessionGrantCoversOnlyThatSession) {
    auto book = book_with(session);
    auto other = call();
    other.session_key = "s2";
    EXPECT_FALSE(book.use(other, start));
    other.session_key = "";
    EXPECT_FALSE(book.use(other, start));
    EXPECT_TRUE(book.use(call(), start));
}

TEST(Grant, I8_OnlyALastingKnownAllowOfExactlyThisCallCreatesAGrant) {
    const auto minted = [](const Option& chosen, const Request& request = call()) {
        return GrantBook::mint(request, chosen, id, "alice", start).has_value();
    };
    EXPECT_TRUE(minted(always));
    EXPECT_FALSE(minted(option(Effect::allow, Scope::once)));
    EXPECT_FALSE(minted(option(Effect::deny, Scope::always)));
    auto unknown = always;
    unknown.known = false;
    EXPECT_FALSE(minted(unknown));
    auto wider = always;
    wider.exact_call = false;
    EXPECT_FALSE(minted(wider));
    auto request = call();
    request.args_hash.canonical = false;
    EXPECT_FALSE(minted(always, request));
    request = call();
    request.args_hash.partial = true;
    EXPECT_FALSE(minted(always, request));
    request = call();
    request.judgement.may_grant = false;
    EXPECT_FALSE(minted(always, request));
    request = call();
    request.body = Questionnaire{};
    EXPECT_FALSE(minted(always, request));
    request = call();
    request.session_key.clear();
    EXPECT_FALSE(minted(session, request));
}

TEST(Grant, ItEndsAtItsMaximumAge) {
    auto book = book_with(always);
    EXPECT_TRUE(book.use(call(), start + limits::grant_age_max - std::chrono::milliseconds{1}));
    EXPECT_FALSE(book.use(call(), start + limits::grant_age_max));
    EXPECT_TRUE(book.all().empty());
}

TEST(Grant, ItEndsAfterItsLastUse) {
    auto book = book_with(always);
    for (std::uint32_t i = 0; i < limits::grant_uses_max; ++i) ASSERT_TRUE(book.use(call(), start));
    EXPECT_FALSE(book.use(call(), start));
    EXPECT_TRUE(book.all().empty());
}

TEST(Grant, ItCanBeRevoked) {
    auto book = book_with(always);
    EXPECT_FALSE(book.revoke(Ulid{}));
    EXPECT_TRUE(book.revoke(id));
    EXPECT_FALSE(book.use(call(), start));
}

TEST(Grant, I13_TheNumberIsBoundedAndAnExpiredGrantMakesRoom) {
    GrantBook book;
    const auto grant = *GrantBook::mint(call(), always, id, "alice", start);
    for (std::size_t i = 0; i < limits::grants_max; ++i) ASSERT_TRUE(book.add(grant, start));
    EXPECT_EQ(book.add(grant, start).error().code, Errc::busy);
    EXPECT_TRUE(book.add(grant, start + limits::grant_age_max));
}

}  // namespace
}  // namespace countersign
