// SPDX-License-Identifier: Apache-2.0
#include "tests/gateway/front.hpp"
#include "tests/gateway/hostile_requests.hpp"

#include <gmock/gmock.h>

namespace countersign::gateway {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using namespace std::chrono_literals;

const std::string delivery = post("Content-Length: 3\r\n");

// The clock stands still in these tests, so nothing ends because of a deadline.
class DrainTest : public Front {
protected:
    void begin_held(Peer& peer) {
        inbound.hold();
        peer.send(delivery);
        ASSERT_TRUE(until([&] { return inbound.messages.size() == 1; }));
    }
};

TEST_F(DrainTest, IdleConnectionsEndAtOnce) {
    open();
    Peer idle{*this};
    EXPECT_EQ(idle.ask(delivery).status, 200U);
    Peer silent{*this};
    ASSERT_TRUE(until([&] { return server->connections() == 2; }));
    begin_drain();
    EXPECT_TRUE(until([&] { return ran && drained; }));
    EXPECT_TRUE(idle.closed());
    EXPECT_TRUE(silent.closed());
}

TEST_F(DrainTest, ARunningRequestIsAnsweredAndItsConnectionEnds) {
    open();
    Peer peer{*this};
    begin_held(peer);
    begin_drain();
    peer.send(delivery);
    io.poll();
    EXPECT_FALSE(drained);
    inbound.reply.body = "done";
    inbound.release();
    const auto answer = peer.answer();
    EXPECT_EQ(answer.body, "done");
    EXPECT_THAT(answer.head, HasSubstr("Connection: close\r\n"));
    EXPECT_TRUE(peer.closed()) << "the request behind it is not served";
    EXPECT_TRUE(until([&] { return ran && drained; }));
    EXPECT_EQ(inbound.messages.size(), 1U);
}

TEST_F(DrainTest, AfterTheDeadlineTheRestIsClosed) {
    open();
    inbound.wait = 24h;
    Peer peer{*this};
    begin_held(peer);
    begin_drain();
    ASSERT_TRUE(until([&] { return clock.sleepers() == 2; }));
    clock.advance(limits::gateway_drain_max - 1ms);
    io.poll();
    EXPECT_FALSE(drained);
    clock.advance(1ms);
    EXPECT_TRUE(until([&] { return ran && drained; }));
    EXPECT_TRUE(peer.closed());
    EXPECT_EQ(inbound.cancelled, 1U);
    EXPECT_THAT(stray, IsEmpty());
    EXPECT_EQ(lines_with("the connection ended before the answer"), 1U) << "every request leaves its line";
}

TEST_F(DrainTest, AHandlerThatWasAlreadyAnsweredForIsWaitedFor) {
    open();
    Peer peer{*this};
    begin_held(peer);
    ASSERT_TRUE(until([&] { return clock.sleepers() == 1; }));
    clock.advance(limits::gateway_handle_max);
    EXPECT_EQ(peer.answer().status, 200U);
    peer.close();
    begin_drain();
    ASSERT_TRUE(until([&] { return server->connections() == 0; }));
    EXPECT_FALSE(drained);
    inbound.release();
    EXPECT_TRUE(until([&] { return ran && drained; }));
    EXPECT_EQ(inbound.answered, 1U);
}

TEST_F(DrainTest, APartlySentRequestMayFinish) {
    open();
    Peer peer{*this};
    peer.send(delivery.substr(0, 10));
    ASSERT_TRUE(until([&] { return server->connections() == 1; }));
    // The bytes have arrived; the server reads them on its next turns.
    for (int turn = 0; turn < 10; ++turn) io.poll();
    begin_drain();
    for (int turn = 0; turn < 10; ++turn) io.poll();
    EXPECT_EQ(peer.ask(delivery.substr(10)).status, 200U);
    EXPECT_TRUE(until([&] { return ran && drained; }));
}

TEST_F(DrainTest, NoNewConnectionIsAccepted) {
    open();
    Peer peer{*this};
    begin_held(peer);
    const auto port = server->port();
    begin_drain();
    io.poll();
    boost::asio::ip::tcp::socket late{io};
    boost::system::error_code failed;
    late.connect({boost::asio::ip::address_v4::loopback(), port}, failed);
    EXPECT_EQ(failed, boost::asio::error::connection_refused);
    inbound.release();
}

TEST_F(DrainTest, NothingStaysOpen) {
    open();
    EXPECT_EQ(Peer{*this}.ask(delivery).status, 200U);
    ASSERT_TRUE(until([&] { return server->connections() == 0; }));
    const auto before = open_descriptors();
    {
        Peer held{*this};
        begin_held(held);
        Peer half{*this};
        half.send("POST");
        Peer refused{*this};
        refused.send("\n");
        Peer silent{*this};
        ASSERT_TRUE(until([&] { return server->connections() == 4; }));
        begin_drain(0ms);
        EXPECT_TRUE(until([&] { return ran && drained; }));
    }
    EXPECT_EQ(open_descriptors(), before - 1) << "the listening one is closed too";
}

}  // namespace
}  // namespace countersign::gateway
