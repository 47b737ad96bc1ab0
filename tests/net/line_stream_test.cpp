// SPDX-License-Identifier: Apache-2.0
// Lines as messages: on a socket, on two descriptors, and on the standard streams of a child.
#include "net/line_stream.hpp"

#include "net/line_socket.hpp"
#include "tests/net/child_fixture.hpp"
#include "tests/net/scratch_directory.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include <fcntl.h>

namespace countersign::net {
namespace {

using local = asio::local::stream_protocol;

class LineStreamTest : public ChildTest {
protected:
    LineStreamTest() { asio::local::connect_pair(ours, peer); }
    std::unique_ptr<LineStream> stream(std::size_t message_bytes_max = limits::stream_message_bytes_max,
                                       const DescriptorOptions& options = {}) {
        auto bytes = descriptor_bytes(io.get_executor(), ours.native_handle(), ours.native_handle(), options);
        EXPECT_TRUE(bytes);
        ours.close();
        return std::make_unique<LineStream>(std::move(*bytes), message_bytes_max);
    }
    void say(const std::string& bytes) { asio::write(peer, asio::buffer(bytes)); }
    std::string message(MessageStream& from) {
        const auto read = await(from.read());
        EXPECT_TRUE(read) << describe(read.error());
        return read ? *read : "";
    }
    Errc failure(MessageStream& from) {
        const auto read = await(from.read());
        EXPECT_FALSE(read) << *read;
        return read ? Errc::internal : read.error().code;
    }

    local::socket ours{io};
    local::socket peer{io};
};

TEST_F(LineStreamTest, EachLineIsAMessageWithEitherLineEnding) {
    const auto lines = stream();
    say("one\ntwo\r\n\r\n\nth");
    EXPECT_EQ(message(*lines), "one");
    EXPECT_EQ(message(*lines), "two");
    say("ree\n");
    EXPECT_EQ(message(*lines), "three");
}

TEST_F(LineStreamTest, I13_OnePastTheBoundIsAnErrorAndTheNextLineIsRead) {
    const auto lines = stream(4);
    say("1234\n1234\r\n12345\n12345\r\n" + std::string(100'000, 'x') + "\nnext\n");
    EXPECT_EQ(message(*lines), "1234");
    EXPECT_EQ(message(*lines), "1234");
    for (int i = 0; i < 3; ++i) EXPECT_EQ(failure(*lines), Errc::too_large);
    EXPECT_EQ(message(*lines), "next");
}

TEST_F(LineStreamTest, AnOrderlyEndHasItsOwnError) {
    const auto lines = stream();
    say("last\n");
    peer.close();
    EXPECT_EQ(message(*lines), "last");
    EXPECT_EQ(failure(*lines), Errc::away);
    EXPECT_EQ(failure(*lines), Errc::away);
}

TEST_F(LineStreamTest, AnUnfinishedLastLineIsNotAMessage) {
    const auto lines = stream();
    say("{\"approved\":true}");
    peer.close();
    EXPECT_EQ(failure(*lines), Errc::unavailable);
}

TEST_F(LineStreamTest, AMessageIsWrittenAsOneLine) {
    const auto lines = stream();
    EXPECT_TRUE(await(lines->write("{}")));
    for (const auto* two : {"a\nb", "a\rb"}) EXPECT_EQ(await(lines->write(two)).error().code, Errc::malformed);
    EXPECT_TRUE(await(lines->write("x")));
    lines->close();
    std::string heard;
    boost::system::error_code end;
    asio::read(peer, asio::dynamic_buffer(heard), end);
    EXPECT_EQ(heard, "{}\nx\n");
}

TEST_F(LineStreamTest, I13_OnePastTheOutgoingBoundIsRefused) {
    const auto lines = stream(1024, {.outgoing_bytes_max = 4});
    EXPECT_TRUE(await(lines->write("123")));
    const auto refused = await(lines->write("1234"));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::busy);
}

TEST_F(LineStreamTest, APeerThatDoesNotReadEndsTheStreamAtTheDeadline) {
    const auto lines = stream(limits::stream_message_bytes_max, {.write_max = std::chrono::milliseconds{20}});
    EXPECT_EQ(await(lines->write(std::string(3'000'000, 'x'))).error().code, Errc::timeout);
    EXPECT_EQ(await(lines->write("next")).error().code, Errc::unavailable) << "after half a message";
}

TEST_F(LineStreamTest, ACancelledReadLosesNothing) {
    const auto lines = stream();
    say("ha");
    asio::cancellation_signal cancel;
    bool thrown = false;
    asio::co_spawn(io, lines->read(),
                   asio::bind_cancellation_slot(cancel.slot(), [&](const std::exception_ptr& error, const auto&) {
                       thrown = error != nullptr;
                   }));
    io.restart();
    io.poll();
    cancel.emit(asio::cancellation_type::terminal);
    io.run();
    EXPECT_TRUE(thrown);
    say("lf\n");
    EXPECT_EQ(message(*lines), "half");
}

TEST_F(LineStreamTest, CloseEndsAWaitingRead) {
    const auto lines = stream();
    std::optional<Result<std::string>> ended;
    asio::co_spawn(io, lines->read(), [&](const std::exception_ptr& error, Result<std::string> result) {
        EXPECT_FALSE(error);
        ended = std::move(result);
    });
    io.restart();
    io.poll();
    ASSERT_FALSE(ended);
    lines->close();
    io.run();
    ASSERT_TRUE(ended);
    EXPECT_EQ(ended->error().code, Errc::unavailable);
    EXPECT_EQ(await(lines->write("x")).error().code, Errc::unavailable);
}

// Otherwise a shell that started us with its terminal as stdin would find it unusable.
TEST_F(LineStreamTest, TheBlockingModeOfOurOwnStdinIsRestored) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    {
        auto bytes = descriptor_bytes(io.get_executor(), ends[0], ends[1]);
        ASSERT_TRUE(bytes);
        LineStream both{std::move(*bytes)};
        EXPECT_TRUE(await(both.write("to myself")));
        EXPECT_EQ(message(both), "to myself");
        EXPECT_NE(::fcntl(ends[0], F_GETFL) & O_NONBLOCK, 0) << "else this test shows nothing";
        EXPECT_NE(::fcntl(ends[1], F_GETFL) & O_NONBLOCK, 0);
    }
    for (const int end : ends) EXPECT_EQ(::fcntl(end, F_GETFL) & O_NONBLOCK, 0);
    for (const int end : ends) EXPECT_EQ(::close(end), 0) << "ours all the time";
}

TEST_F(LineStreamTest, AClosedDescriptorIsAnError) {
    EXPECT_EQ(descriptor_bytes(io.get_executor(), -1, 1).error().code, Errc::unavailable);
    EXPECT_EQ(descriptor_bytes(io.get_executor(), 0, -1).error().code, Errc::unavailable);
}

TEST_F(LineStreamTest, MessagesAreExchangedWithAChild) {
    const auto child = start({"sh", "-c", "read line; echo \"heard $line\"; printf cut"});
    LineStream lines{child_bytes(*child)};
    EXPECT_TRUE(await(lines.write("hello")));
    EXPECT_EQ(message(lines), "heard hello");
    EXPECT_EQ(failure(lines), Errc::unavailable) << "the cut line";
    lines.close();
    await(child->finish());
}

class LineSocketTest : public LineStreamTest {
protected:
    using Connected = Result<std::unique_ptr<MessageStream>>;
    Connected connect(LocalAddress address) {
        Connected result;
        asio::co_spawn(io, connect_lines(io.get_executor(), std::move(address)),
                       [&](const std::exception_ptr&, Connected connected) { result = std::move(connected); });
        io.restart();
        io.run();
        return result;
    }
};

TEST_F(LineSocketTest, ConnectsToAUnixSocketAndToLoopback) {
    const testing_tools::ScratchDirectory scratch;
    const auto path = scratch.path() + "/agent.sock";
    local::acceptor unix_listener{io, local::endpoint{path}};
    auto unix_lines = connect(UnixAddress{path});
    ASSERT_TRUE(unix_lines) << describe(unix_lines.error());
    auto accepted = unix_listener.accept();
    asio::write(accepted, asio::buffer(std::string{"hi\n"}));
    EXPECT_EQ(message(**unix_lines), "hi");

    asio::ip::tcp::acceptor tcp_listener{io, {asio::ip::address_v4::loopback(), 0}};
    auto tcp_lines = connect(LoopbackAddress{"127.0.0.1", tcp_listener.local_endpoint().port()});
    ASSERT_TRUE(tcp_lines) << describe(tcp_lines.error());
    auto other = tcp_listener.accept();
    EXPECT_TRUE(await((*tcp_lines)->write("over")));
    tcp_lines->reset();
    std::string heard;
    boost::system::error_code end;
    asio::read(other, asio::dynamic_buffer(heard), end);
    EXPECT_EQ(heard, "over\n") << "and then the end: no duplicate keeps the connection open";
}

TEST_F(LineSocketTest, WithoutAListenerTheErrorIsAway) {
    const testing_tools::ScratchDirectory scratch;
    EXPECT_EQ(connect(UnixAddress{scratch.path() + "/none.sock"}).error().code, Errc::away);
    asio::ip::tcp::acceptor taken{io, {asio::ip::address_v4::loopback(), 0}};
    const auto port = taken.local_endpoint().port();
    taken.close();
    EXPECT_EQ(connect(LoopbackAddress{"127.0.0.1", port}).error().code, Errc::away);
}

TEST_F(LineSocketTest, OnlyLocalAddressesAreConnectedTo) {
    for (const auto* host : {"192.0.2.1", "2001:db8::1", "0.0.0.0", "::ffff:192.0.2.1"}) {
        EXPECT_EQ(connect(LoopbackAddress{host, 80}).error().code, Errc::unsupported) << host;
    }
    for (const auto* host : {"localhost", "example.com", "", "127.1"}) {
        EXPECT_EQ(connect(LoopbackAddress{host, 80}).error().code, Errc::malformed) << host;
    }
}

TEST_F(LineSocketTest, I13_APathOnePastTheBoundIsRefused) {
    EXPECT_EQ(connect(UnixAddress{"/" + std::string(107, 'x')}).error().code, Errc::malformed);
    EXPECT_EQ(connect(UnixAddress{"/" + std::string(106, 'x')}).error().code, Errc::away);
    EXPECT_EQ(connect(UnixAddress{""}).error().code, Errc::malformed);
    EXPECT_EQ(connect(UnixAddress{std::string{"/tmp/a\0b", 8}}).error().code, Errc::malformed);
}

}  // namespace
}  // namespace countersign::net
