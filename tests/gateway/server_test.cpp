// SPDX-License-Identifier: Apache-2.0
#include "gateway/health.hpp"
#include "tests/gateway/front.hpp"
#include "tests/gateway/hostile_requests.hpp"

#include <gmock/gmock.h>

namespace countersign::gateway {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;
using namespace std::chrono_literals;

const std::string delivery = post("Content-Length: 3\r\n");

class ServerTest : public Front {};

TEST_F(ServerTest, I5_ADeliveryReachesItsChannelAsRawBytes) {
    open();
    Peer peer{*this};
    const std::string body{"{\"a\"\0:\xFF\r\n", 10};
    const auto answer = peer.ask(post("X-Telegram-Bot-Api-Secret-Token: s3cret\r\nContent-Length: 10\r\n", body));
    EXPECT_EQ(answer.status, 200U);
    EXPECT_EQ(answer.body, "");
    ASSERT_THAT(inbound.messages, SizeIs(1));
    EXPECT_EQ(inbound.messages[0].body, body);
    EXPECT_EQ(inbound.messages[0].arrived, clock.boot());
    EXPECT_THAT(inbound.messages[0].headers,
                testing::Contains(HttpHeader{"X-Telegram-Bot-Api-Secret-Token", "s3cret"}));
}

TEST_F(ServerTest, TheChannelsAnswerIsSentToThePeer) {
    open();
    inbound.reply = {.status = 200, .content_type = "application/json", .body = "{}"};
    Peer peer{*this};
    const auto answer = peer.ask(delivery);
    EXPECT_THAT(answer.head, StartsWith("HTTP/1.1 200 OK\r\n"));
    EXPECT_THAT(answer.head, HasSubstr("Content-Type: application/json\r\n"));
    EXPECT_EQ(answer.body, "{}");
}

TEST_F(ServerTest, AHostileRequestIsAnsweredOnceAndItsConnectionIsClosed) {
    open();
    for (const auto& hostile : hostile_requests()) {
        Peer peer{*this};
        // A request that is hidden after it must not be read as one.
        peer.send(hostile.bytes + delivery);
        const auto answer = peer.answer();
        EXPECT_EQ(answer.status, hostile.status) << hostile.what;
        EXPECT_THAT(answer.head, HasSubstr("Connection: close\r\n")) << hostile.what;
        EXPECT_TRUE(peer.closed()) << hostile.what;
    }
    EXPECT_THAT(inbound.messages, IsEmpty());
}

TEST_F(ServerTest, PipelinedRequestsAreAnsweredInOrderEvenIfTheFirstIsSlow) {
    open();
    inbound.hold();
    inbound.reply.body = "slow";
    Peer peer{*this};
    peer.send(delivery + get("/nothing") + delivery);
    ASSERT_TRUE(until([&] { return inbound.messages.size() == 1; }));
    EXPECT_THAT(lines, IsEmpty());
    inbound.release();
    EXPECT_EQ(peer.answer().body, "slow");
    EXPECT_EQ(peer.answer().status, 404U);
    EXPECT_EQ(peer.answer().body, "slow");
    EXPECT_THAT(inbound.messages, SizeIs(2));
}

TEST_F(ServerTest, AnUnknownPathIs404AndAWrongMethodIs405) {
    open();
    Peer peer{*this};
    EXPECT_EQ(peer.ask(get("/webhooks/telegram/dev")).status, 404U);
    EXPECT_EQ(peer.ask(get("/webhooks/telegram/ops%3Fa=b")).status, 404U);
    const auto answer = peer.ask(get("/webhooks/telegram/ops"));
    EXPECT_EQ(answer.status, 405U);
    EXPECT_THAT(answer.head, HasSubstr("Allow: POST\r\n"));
    EXPECT_EQ(peer.ask(delivery).status, 200U) << "the connection goes on";
}

TEST_F(ServerTest, TheBodyForAnUnknownPathIsNotRead) {
    open();
    Peer peer{*this};
    const auto answer = peer.ask("POST /nothing HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n");
    EXPECT_EQ(answer.status, 404U);
    EXPECT_TRUE(peer.closed());
}

TEST_F(ServerTest, Http10IsAnsweredAndTheConnectionIsClosed) {
    open();
    Peer peer{*this};
    peer.send("POST /webhooks/telegram/ops HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 3\r\n\r\nabc" +
              delivery);
    EXPECT_EQ(peer.answer().status, 200U);
    EXPECT_TRUE(peer.closed());
    EXPECT_THAT(inbound.messages, SizeIs(1));
}

TEST_F(ServerTest, APeerThatSendsTooMuchStillReadsItsAnswer) {
    open();
    Peer peer{*this};
    peer.send(post("Content-Length: 2000000\r\n", std::string(2'000'000, 'x')));
    EXPECT_EQ(peer.answer().status, 413U);
    EXPECT_TRUE(peer.closed());
}

TEST_F(ServerTest, APeerThatDisconnectsMidwayLeavesOnlyALogLine) {
    open();
    {
        Peer peer{*this};
        peer.send(post("Content-Length: 100\r\n", "abc"));
        ASSERT_TRUE(until([&] { return server->connections() == 1; }));
    }
    ASSERT_TRUE(until([&] { return server->connections() == 0; }));
    EXPECT_THAT(inbound.messages, IsEmpty());
    EXPECT_THAT(lines, ElementsAre(HasSubstr("the connection ended before the answer")));
    EXPECT_THAT(stray, IsEmpty());
}

TEST_F(ServerTest, AClickIsHandledEvenIfItsSenderDisconnects) {
    open();
    inbound.hold();
    {
        Peer peer{*this};
        peer.send(delivery);
        ASSERT_TRUE(until([&] { return inbound.messages.size() == 1; }));
    }
    inbound.release();
    EXPECT_TRUE(until([&] { return inbound.answered == 1; }));
    EXPECT_EQ(inbound.cancelled, 0U);
}

TEST_F(ServerTest, ALateHandlerContinuesWhileThePeerGetsTheDeferredAnswer) {
    open();
    inbound.deferred_reply = {.status = 200, .content_type = "a/b", .body = "later"};
    inbound.hold();
    Peer peer{*this};
    peer.send(delivery);
    ASSERT_TRUE(until([&] { return inbound.messages.size() == 1 && clock.sleepers() == 1; }));
    clock.advance(limits::gateway_handle_max);
    const auto answer = peer.answer();
    EXPECT_EQ(answer.status, 200U);
    EXPECT_EQ(answer.body, "later");
    EXPECT_EQ(inbound.answered + inbound.cancelled, 0U);
    inbound.release();
    EXPECT_TRUE(until([&] { return inbound.answered == 1; }));
    EXPECT_EQ(peer.ask(delivery).status, 200U);
}

TEST_F(ServerTest, ASlotAcceptsOneAnswerBeforeTheHandlerEnds) {
    open();
    inbound.reply.body = "at the end";
    inbound.hold();
    Peer peer{*this};
    peer.send(delivery);
    ASSERT_TRUE(until([&] { return inbound.messages.size() == 1; }));
    const auto slot = inbound.messages.front().slot;
    EXPECT_TRUE(slot->fill({.status = 200, .content_type = "text/plain", .body = "at once"}));
    EXPECT_FALSE(slot->fill({.status = 200, .content_type = "text/plain", .body = "again"}));
    EXPECT_EQ(peer.answer().body, "at once");
    inbound.release();
    EXPECT_TRUE(until([&] { return inbound.answered == 1; }));
    EXPECT_EQ(peer.ask(delivery).body, "at the end");
}

TEST_F(ServerTest, ASlotAcceptsNothingAfterItsDeadline) {
    open();
    inbound.deferred_reply.body = "later";
    inbound.hold();
    Peer peer{*this};
    peer.send(delivery);
    ASSERT_TRUE(until([&] { return inbound.messages.size() == 1 && clock.sleepers() == 1; }));
    clock.advance(limits::gateway_handle_max);
    EXPECT_EQ(peer.answer().body, "later");
    EXPECT_FALSE(inbound.messages.front().slot->fill({}));
    inbound.release();
}

TEST_F(ServerTest, EachHandlerSetsHowLongItsPlatformWaits) {
    open();
    inbound.wait = 1500ms;
    inbound.deferred_reply.body = "later";
    inbound.hold();
    Peer peer{*this};
    peer.send(delivery);
    ASSERT_TRUE(until([&] { return inbound.messages.size() == 1 && clock.sleepers() == 1; }));
    clock.advance(1500ms);
    EXPECT_EQ(peer.answer().body, "later");
    inbound.release();
}

TEST_F(ServerTest, AHandlerGetsMethodPathAndQueryUnchanged) {
    open();
    Peer peer{*this};
    auto request = std::string{delivery};
    const auto mark = request.find(" HTTP/1.1");
    request.insert(mark, "?bodySHA256=%61?b");
    EXPECT_EQ(peer.ask(request).status, 200U);
    ASSERT_EQ(inbound.messages.size(), 1U);
    EXPECT_EQ(inbound.messages[0].method, "POST");
    EXPECT_EQ(inbound.messages[0].path, "/webhooks/telegram/ops");
    EXPECT_EQ(inbound.messages[0].query, "bodySHA256=%61?b");
    EXPECT_EQ(inbound.messages[0].arrived, clock.boot());
}

TEST_F(ServerTest, AHandlerThatThrowsIs500AndIsReportedToTheOperator) {
    open();
    inbound.throws = true;
    Peer peer{*this};
    EXPECT_EQ(peer.ask(delivery).status, 500U);
    EXPECT_THAT(stray, ElementsAre("a bug in a channel"));
    inbound.throws = false;
    EXPECT_EQ(peer.ask(delivery).status, 200U);
}

TEST_F(ServerTest, TheLogHasOneLinePerRequestAndNothingThatCouldBeASecret) {
    open();
    {
        Peer peer{*this};
        peer.ask(post("X-Telegram-Bot-Api-Secret-Token: CANARY\r\nContent-Length: 6\r\n", "CANARY"));
        clock.advance(5ms);
        peer.ask(get("/CANARY?token=CANARY"));
        peer.ask("CANARY /webhooks/telegram/ops HTTP/1.1\r\nHost: CANARY\r\n\r\n");
        peer.ask(get("/x", "CANARY"));
    }
    ASSERT_TRUE(until([&] { return lines.size() == 4; }));
    EXPECT_EQ(lines[0], R"({"bytes":6,"client":"127.0.0.1","event":"http","method":"POST","ms":0,"request":1,)"
                        R"("route":"webhook telegram ops","status":200,"time":"2025-11-16T02:00:00.000Z"})");
    EXPECT_THAT(lines[1], testing::AllOf(HasSubstr(R"("status":404)"), HasSubstr(R"("request":2)"),
                                         HasSubstr(R"("time":"2025-11-16T02:00:00.005Z")")));
    EXPECT_THAT(lines[2], testing::AllOf(HasSubstr(R"("status":405)"), HasSubstr(R"("method":"other")")));
    EXPECT_THAT(lines[3], testing::AllOf(HasSubstr(R"("status":400)"), HasSubstr(R"("why":"the request line)")));
    EXPECT_THAT(lines, testing::Each(Not(HasSubstr("CANARY"))));
}

TEST_F(ServerTest, TheAdminListenerReportsWhetherWeAreAliveAndReady) {
    FakeReadiness readiness;
    Health health{readiness};
    open({}, health.routes());
    Peer peer{*this};
    EXPECT_EQ(peer.ask(get("/livez")).status, 200U);
    EXPECT_EQ(peer.ask(get("/readyz")).status, 200U);
    readiness.reasons = {"the audit log cannot be written"};
    EXPECT_EQ(peer.ask(get("/livez")).status, 200U);
    const auto answer = peer.ask(get("/readyz"));
    EXPECT_EQ(answer.status, 503U);
    EXPECT_EQ(answer.body, "the audit log cannot be written\n");
    EXPECT_EQ(peer.ask(delivery).status, 404U) << "no webhook here";
}

TEST_F(ServerTest, AHealthPageAcceptsNoBody) {
    FakeReadiness readiness;
    Health health{readiness};
    open({}, health.routes());
    Peer peer{*this};
    EXPECT_EQ(peer.ask("GET /livez HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx").status, 413U);
}

}  // namespace
}  // namespace countersign::gateway
