// SPDX-License-Identifier: Apache-2.0
// Writing to a child: in order, within limits, and never half a line followed by another.
#include "core/limits.hpp"
#include "tests/net/child_fixture.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

namespace countersign::net {
namespace {

// More than fits into a pipe.
const std::string long_line = std::string(200'000, 'a') + "\n";

class ChildWriteTest : public ChildTest {
protected:
    // Reads nothing until it is continued; then it repeats what it read.
    std::unique_ptr<Child> stopped_cat(std::chrono::milliseconds write_max = limits::agent_write_max) {
        auto child = start({"sh", "-c", "kill -STOP $$; exec cat"}, {}, write_max);
        int status = 0;
        EXPECT_EQ(::waitpid(child->pid(), &status, WUNTRACED), child->pid());
        EXPECT_TRUE(WIFSTOPPED(status));
        return child;
    }
    static void let_go_on(const Child& child) { ::kill(child.pid(), SIGCONT); }

    struct Write {
        std::optional<Result<void>> result;
        bool cancelled = false;
        asio::cancellation_signal cancel;
    };
    std::shared_ptr<Write> begin(Child& child, std::string bytes) {
        auto write = std::make_shared<Write>();
        asio::co_spawn(io, child.write(std::move(bytes)),
                       asio::bind_cancellation_slot(write->cancel.slot(),
                                                    [write](const std::exception_ptr& thrown, Result<void> result) {
                                                        write->cancelled = thrown != nullptr;
                                                        if (!thrown) write->result = std::move(result);
                                                    }));
        poll();
        return write;
    }
    void poll() {
        io.restart();
        io.poll();
    }
    static asio::awaitable<void> write_both(Child& child, std::string first, std::string second) {
        EXPECT_TRUE(co_await child.write(std::move(first)));
        EXPECT_TRUE(co_await child.write(std::move(second)));
        child.close_stdin();
    }
};

TEST_F(ChildWriteTest, I13_OnePastTheOutgoingBoundIsRefused) {
    auto child = stopped_cat();
    EXPECT_EQ(await(child->write(std::string(limits::agent_outgoing_bytes_max + 1, 'x'))).error().code, Errc::busy);
    const auto most = begin(*child, std::string(limits::agent_outgoing_bytes_max - 1, 'x'));
    const auto last = begin(*child, "x");
    EXPECT_FALSE(most->result) << "under way";
    EXPECT_FALSE(last->result) << "waits";
    const auto refused = begin(*child, "x");
    ASSERT_TRUE(refused->result);
    EXPECT_EQ(refused->result->error().code, Errc::busy);
}

TEST_F(ChildWriteTest, I13_AWriteThatIsNotReadInTimeIsGivenUpAndNothingFollowsIt) {
    auto child = stopped_cat(std::chrono::milliseconds{20});
    EXPECT_TRUE(await(child->write("short\n"))) << "there is room for it, whether it reads or not";
    EXPECT_EQ(await(child->write(long_line)).error().code, Errc::timeout);
    EXPECT_FALSE(await(child->write("next\n")));
    let_go_on(*child);
    const auto heard = await(everything(*child));
    EXPECT_TRUE(("short\n" + long_line).starts_with(heard));
    await(child->finish());
}

TEST_F(ChildWriteTest, AChildThatIsGoneIsAnError) {
    auto child = start({"true"});
    await(child->finish());
    EXPECT_EQ(await(child->write("hello\n")).error().code, Errc::unavailable);
}

TEST_F(ChildWriteTest, WritersProceedInTheOrderOfTheirCalls) {
    auto child = stopped_cat();
    // When the first write is done, its caller writes again at once, but the second has waited longer.
    asio::co_spawn(io, write_both(*child, long_line, "third\n"), [](const std::exception_ptr&) {});
    poll();
    const auto second = begin(*child, "second\n");
    let_go_on(*child);
    EXPECT_EQ(await(everything(*child)), long_line + "second\nthird\n");
    await(child->finish());
}

TEST_F(ChildWriteTest, AWriterThatIsCancelledWhileItWaitsDelaysNoOther) {
    auto child = stopped_cat();
    const auto first = begin(*child, long_line);
    const auto second = begin(*child, std::string(limits::agent_outgoing_bytes_max / 2, 'b'));
    const auto third = begin(*child, "third\n");
    second->cancel.emit(asio::cancellation_type::terminal);
    poll();
    EXPECT_TRUE(second->cancelled);
    const auto fourth = begin(*child, std::string(limits::agent_outgoing_bytes_max / 2, 'd'));
    EXPECT_FALSE(fourth->result) << "its room is free again";
    fourth->cancel.emit(asio::cancellation_type::terminal);
    poll();
    asio::co_spawn(io, write_both(*child, "fifth\n", ""), [](const std::exception_ptr&) {});
    let_go_on(*child);
    EXPECT_EQ(await(everything(*child)), long_line + "third\nfifth\n");
    await(child->finish());
}

TEST_F(ChildWriteTest, NothingFollowsALineThatWasCancelledHalfway) {
    auto child = stopped_cat();
    const auto half = begin(*child, long_line);
    half->cancel.emit(asio::cancellation_type::terminal);
    poll();
    EXPECT_FALSE(await(child->write("next\n")));
    let_go_on(*child);
    const auto heard = await(everything(*child));
    EXPECT_TRUE(long_line.starts_with(heard)) << "a part of the first and nothing else";
    await(child->finish());
}

}  // namespace
}  // namespace countersign::net
