// SPDX-License-Identifier: Apache-2.0
// The channel over a real terminal or over real pipes, with fake ports. Nothing here waits for a time: the clock is
// moved by hand, and the tests go on when the bytes are there.
#pragma once

#include "channels/terminal/terminal.hpp"

#include "core/hub/task_group.hpp"
#include "core/limits.hpp"
#include "tests/channels/terminal_samples.hpp"
#include "tests/fakes/fake_clock.hpp"

#include <boost/asio/io_context.hpp>

#include <gtest/gtest.h>

#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace countersign::channels::terminal {

using namespace samples;
using namespace std::chrono_literals;
namespace asio = boost::asio;

struct RecordingHub final : Deliveries, Attempts {
    void delivered(DeliveryId id, MessageRef ref, bool whole) override {
        shown.push_back(id);
        refs.push_back(std::move(ref));
        all_whole = all_whole && whole;
    }
    void bounced(DeliveryId, std::string) override {}
    void undeliverable(DeliveryId id, std::string why) override { failed.emplace_back(id, std::move(why)); }
    void delayed(DeliveryId /*id*/, std::string /*why*/) override {}
    void given_up(DeadLetter /*letter*/) override {}
    void also_delivered(DeliveryId /*id*/, MessageRef /*ref*/) override {}
    void concluded(DeliveryId id) override { ended.push_back(id); }
    void submit(Attempt attempt, std::function<void(const Result<Receipt>&)> done) override {
        attempts.push_back(std::move(attempt));
        if (on_submit) on_submit(attempts.back());
        if (refusal) done(*refusal);
    }
    void order(Order /*order*/, std::function<void(const Result<Carried>&)> /*done*/) override {}
    void refused(const RefusedAttempt& /*attempt*/, const Error& /*why*/) override {}
    std::vector<DeliveryId> shown;
    std::vector<MessageRef> refs;
    bool all_whole = true;
    std::vector<std::pair<DeliveryId, std::string>> failed;
    std::vector<DeliveryId> ended;
    std::vector<Attempt> attempts;
    std::function<void(const Attempt&)> on_submit;
    std::optional<Error> refusal = std::nullopt;  // of each attempt
};

inline const std::string arrow_up = "\x1b[A";

class TerminalTest : public ::testing::Test {
protected:
    void SetUp() override { std::signal(SIGPIPE, SIG_IGN); }
    void TearDown() override {
        tasks.cancel();
        pump_until([&] { return tasks.size() == 0; });
        terminal.reset();
        for (const int descriptor : opened) ::close(descriptor);
    }

    void open_pty(unsigned short columns = 80, unsigned short rows = 24) {
        far = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
        ASSERT_GE(far, 0);
        ASSERT_EQ(::grantpt(far), 0);
        ASSERT_EQ(::unlockpt(far), 0);
        std::array<char, 128> name{};
        ASSERT_EQ(::ptsname_r(far, name.data(), name.size()), 0);
        tty = name.data();
        near = ::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC);
        ASSERT_GE(near, 0);
        opened = {far, near};
        resize(columns, rows);
        ASSERT_EQ(::tcgetattr(near, &modes_before), 0);
        ::fcntl(far, F_SETFL, O_NONBLOCK);
        options.in = options.out = near;
    }
    void resize(unsigned short columns, unsigned short rows) const {
        const winsize size{.ws_row = rows, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
        ASSERT_EQ(::ioctl(far, TIOCSWINSZ, &size), 0);
    }
    void open_pipes() {
        std::array<int, 2> to{};
        std::array<int, 2> from{};
        ASSERT_EQ(::pipe2(to.data(), O_CLOEXEC), 0);
        ASSERT_EQ(::pipe2(from.data(), O_CLOEXEC), 0);
        opened = {to[0], to[1], from[0], from[1]};
        far_in = to[1];
        far = from[0];
        ::fcntl(far, F_SETFL, O_NONBLOCK);
        options.in = to[0];
        options.out = from[1];
        options.plain = true;
    }

    void start() {
        options.name = "desk";
        if (options.principal.empty()) options.principal = "terminal:1000";
        options.on_interrupt = [&] { ++interrupts; };
        options.on_closed = [&](const std::string& why) { closed.push_back(why); };
        auto made = Terminal::open(context.get_executor(), options, {clock, hub, hub});
        ASSERT_TRUE(made) << describe(made.error());
        terminal = std::move(*made);
        tasks.spawn(terminal->run());
    }

    // Runs the terminal and collects what it writes until the condition holds. The deadline only ends a failing test.
    template <class Condition>::testing::AssertionResult pump_until(Condition condition) {
        const auto deadline = std::chrono::steady_clock::now() + 10s;
        while (std::chrono::steady_clock::now() < deadline) {
            context.restart();
            context.run_for(2ms);
            collect();
            if (condition()) return ::testing::AssertionSuccess();
        }
        return ::testing::AssertionFailure() << "the screen has:\n" << screen;
    }
    void collect() {
        if (far < 0) return;
        std::array<char, 65536> bytes{};
        for (ssize_t count = 0; (count = ::read(far, bytes.data(), bytes.size())) > 0;) {
            screen.append(bytes.data(), static_cast<std::size_t>(count));
        }
    }
    ::testing::AssertionResult sees(const std::string& text) {
        return pump_until([&] { return screen.find(text) != std::string::npos; });
    }
    [[nodiscard]] int times_on_screen(std::string_view text) const {
        int times = 0;
        for (auto at = screen.find(text); at != std::string::npos; at = screen.find(text, at + 1)) ++times;
        return times;
    }
    // Types, and waits until the screen answers with `text`.
    ::testing::AssertionResult types(std::string_view bytes, const std::string& text) {
        screen.clear();
        type(bytes);
        return sees(text);
    }
    void type(std::string_view bytes) const {
        const int to = far_in >= 0 ? far_in : far;
        ASSERT_EQ(::write(to, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    }
    void show(Presentation presentation) {
        const auto id = presentation.id;
        terminal->present(std::move(presentation));
        ASSERT_TRUE(pump_until([&] { return std::ranges::find(hub.shown, id) != hub.shown.end(); }));
        clock.advance(1s);
    }
    [[nodiscard]] bool modes_are_back() const {
        termios now{};
        ::tcgetattr(near, &now);
        return now.c_lflag == modes_before.c_lflag && now.c_iflag == modes_before.c_iflag &&
               std::memcmp(now.c_cc, modes_before.c_cc, sizeof now.c_cc) == 0;
    }
    static Conclusion denied_by_alice() {
        Conclusion made;
        made.request_id = id_of(1);
        made.outcome = Outcome::denied;
        made.decided_by = "alice";
        made.channel = "ops";
        made.forwarded = true;
        made.seq = 42;
        made.root = "q83vASNFZ4k=";
        made.size = 44;
        return made;
    }

    asio::io_context context;
    fakes::FakeClock clock;
    RecordingHub hub;
    TaskGroup tasks{context.get_executor(), [](const std::string& what) { ADD_FAILURE() << what; }};
    TerminalOptions options;
    std::unique_ptr<Terminal> terminal;
    int far = -1;     // the person's side
    int far_in = -1;  // where it types, if that is another descriptor
    int near = -1;
    std::string tty;
    termios modes_before{};
    std::vector<int> opened;
    std::string screen;
    int interrupts = 0;
    std::vector<std::string> closed;
};

}  // namespace countersign::channels::terminal
