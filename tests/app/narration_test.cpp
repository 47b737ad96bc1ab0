// SPDX-License-Identifier: Apache-2.0
#include "app/narration.hpp"
#include "tests/fakes/world.hpp"

#include <gtest/gtest.h>

namespace countersign::app {
namespace {

using Kind = Hub::Event::Kind;

class Narration : public testing::Test {
protected:
    [[nodiscard]] std::string line(Kind kind, std::optional<Conclusion> conclusion = std::nullopt) const {
        return narrated({.kind = kind, .request = std::make_shared<const Request>(request), .conclusion = conclusion},
                        configuration, grants)
            .value_or("nothing");
    }
    Configuration configuration{
        .routes = {
            {.name = "all", .steps = {{.channel = "phone"}, {.after = std::chrono::minutes{1}, .channel = "pager"}}}}};
    std::vector<Grant> grants;
    Request request = fakes::shell_request(*Ulid::parse("01HZXAAAAAAAAAAAAAAAAAAAA1"), "touch made");
};

TEST_F(Narration, SaysWhereACallIsAskedAndWhoAnsweredIt) {
    EXPECT_EQ(line(Kind::requested), "? asked on phone: Bash: touch made");
    EXPECT_EQ(line(Kind::ended, Conclusion{.outcome = Outcome::allowed,
                                           .decided_by = "bob",
                                           .channel = "phone",
                                           .took = std::chrono::seconds{30}}),
              "✓ allowed by bob on phone after 30 s: Bash: touch made");
    EXPECT_EQ(line(Kind::ended, Conclusion{.outcome = Outcome::denied, .decided_by = "bob", .channel = "phone"}),
              "✗ denied by bob on phone: Bash: touch made");
    EXPECT_EQ(line(Kind::ended, Conclusion{.outcome = Outcome::expired,
                                           .reason = "nobody decided in time",
                                           .took = std::chrono::minutes{5}}),
              "✗ expired after 5 min: Bash: touch made (nobody decided in time)");
}

TEST_F(Narration, ACallThatARuleOrAGrantAnswersIsNotReportedAsAsked) {
    grants.push_back(
        {.agent_id = request.agent_id, .tool_name = "Bash", .args_hash = request.args_hash.hex, .cwd = request.cwd});
    EXPECT_EQ(line(Kind::requested), "nothing");
    EXPECT_EQ(line(Kind::ended, Conclusion{.outcome = Outcome::allowed, .decided_by = "grant:1"}),
              "✓ allowed by what was allowed before: Bash: touch made");
    grants.clear();
    request.judgement.policy = {PolicyEffect::deny, "no"};
    EXPECT_EQ(line(Kind::requested), "nothing");
    EXPECT_EQ(line(Kind::ended, Conclusion{.outcome = Outcome::denied, .decided_by = "policy:no"}),
              "✗ denied by policy rule no: Bash: touch made");
}

TEST_F(Narration, I13_ACallIsOneLineOfBoundedLength) {
    auto& text = std::get<Approval>(request.body).display_text;
    text = "first\nsecond";
    EXPECT_EQ(line(Kind::requested), "? asked on phone: Bash: first⏎second");
    text = std::string(limits::record_summary_bytes_max, 'x');
    EXPECT_EQ(line(Kind::requested), "? asked on phone: Bash: " + text);
    const auto most = text;
    text += 'x';
    EXPECT_EQ(line(Kind::requested), "? asked on phone: Bash: " + most + " …");
}

}  // namespace
}  // namespace countersign::app
