// SPDX-License-Identifier: Apache-2.0
// Which outside parties see the log's checkpoint, when, and how failures are handled.
#include "app/anchoring/anchoring.hpp"
#include "app/anchoring/chat.hpp"
#include "app/anchoring/witness.hpp"
#include "audit/last_seen.hpp"
#include "audit/witness.hpp"
#include "core/limits.hpp"
#include "security/encoding.hpp"
#include "tests/audit/log_world.hpp"
#include "tests/fakes/world.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/redirect_error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::app {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using audit::directory;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// Keeps the checkpoints that it was shown, and accepts or refuses them.
class FakeOutsider final : public CheckpointObserver {
public:
    struct Seen {
        std::vector<std::uint64_t> sizes;
        bool takes = true;
        bool hangs = false;
        bool throws = false;
        bool sees_the_end = false;
        asio::steady_timer* deaf = nullptr;  // it waits for this even if it is cancelled
    };
    explicit FakeOutsider(Seen& seen) : seen_{seen} {}
    asio::awaitable<bool> show(audit::Checkpoint checkpoint) override {
        seen_.sizes.push_back(checkpoint.tree.size);
        if (seen_.throws) throw std::runtime_error{"broken"};
        if (seen_.hangs) {
            asio::steady_timer never{co_await asio::this_coro::executor, asio::steady_timer::time_point::max()};
            co_await never.async_wait(asio::use_awaitable);
        }
        if (seen_.deaf != nullptr) {
            boost::system::error_code ignored;
            co_await seen_.deaf->async_wait(asio::bind_cancellation_slot(
                asio::cancellation_slot{}, asio::redirect_error(asio::use_awaitable, ignored)));
        }
        co_return seen_.takes;
    }
    [[nodiscard]] bool sees_the_end() const override { return seen_.sees_the_end; }

private:
    Seen& seen_;
};

class AnchoringTest : public testing::Test {
protected:
    void TearDown() override { stop(); }
    void settle() {
        io.restart();
        io.poll();
    }
    void look() {
        anchoring.look();
        settle();
    }
    void advance(std::chrono::milliseconds by) {
        clock.advance(by);
        settle();
    }
    void writes(std::uint64_t records) {
        happened += records;
        look();
    }
    bool stop() {
        bool stopped = false;
        asio::co_spawn(io, anchoring.stop(),
                       [&](const std::exception_ptr&, const Result<void>& ended) { stopped = ended.has_value(); });
        settle();
        return stopped;
    }
    // The number of outsiders that did not accept it, as soon as that is known.
    std::optional<std::size_t> show_last() {
        asio::co_spawn(io, anchoring.show_last(),
                       [&](const std::exception_ptr&, std::size_t how_many) { missing = how_many; });
        settle();
        return missing;
    }
    void add(FakeOutsider::Seen& seen, std::optional<WallTime> last = {}) {
        anchoring.add(std::make_unique<FakeOutsider>(seen), {.every = 1h, .records = 100}, last);
    }

    asio::io_context io;
    countersign::fakes::FakeClock clock;
    std::uint64_t happened = 1;
    std::vector<std::string> stray;
    std::optional<std::size_t> missing;
    FakeOutsider::Seen chat;
    FakeOutsider::Seen witness;
    Anchoring anchoring{io.get_executor(),
                        clock,
                        {.checkpoint = [this] { return audit::Checkpoint{.tree = {.size = happened}, .note = {}}; },
                         .happened = [this] { return happened; }},
                        [this](const std::string& what) { stray.push_back(what); }};
};

TEST_F(AnchoringTest, NewRecordsAreShownInTimeAndAnIdleLogOnce) {
    add(chat);
    look();
    EXPECT_THAT(chat.sizes, ElementsAre(1));
    advance(1000h);
    look();
    EXPECT_THAT(chat.sizes, ElementsAre(1)) << "nothing happened";
    EXPECT_EQ(clock.sleepers(), 0U) << "and nobody wakes for it";
    writes(1);
    EXPECT_THAT(chat.sizes, ElementsAre(1, 2)) << "an hour is over long since";
    writes(1);
    EXPECT_THAT(chat.sizes, ElementsAre(1, 2));
    advance(1h);
    EXPECT_THAT(chat.sizes, ElementsAre(1, 2, 3)) << "by time alone";
    writes(99);
    EXPECT_THAT(chat.sizes, SizeIs(3));
    writes(1);
    EXPECT_THAT(chat.sizes, ElementsAre(1, 2, 3, 103)) << "by number alone";
}

TEST_F(AnchoringTest, EachHasItsOwnIntervalAndAFailedOneIsRetried) {
    witness.takes = false;
    add(chat);
    add(witness, clock.wall() - 30min);
    look();
    EXPECT_THAT(chat.sizes, SizeIs(1));
    EXPECT_THAT(witness.sizes, IsEmpty()) << "it has seen one half an hour ago";
    advance(30min);
    EXPECT_THAT(witness.sizes, SizeIs(1));
    advance(59min);
    EXPECT_THAT(witness.sizes, SizeIs(1));
    advance(1min);
    EXPECT_THAT(witness.sizes, SizeIs(2));
    witness.takes = true;
    advance(1h);
    EXPECT_THAT(witness.sizes, SizeIs(3));
    advance(10h);
    EXPECT_THAT(witness.sizes, SizeIs(3));
    EXPECT_THAT(chat.sizes, SizeIs(1));
}

TEST_F(AnchoringTest, AnEarlierDeadlineIsNotMissed) {
    add(chat);
    add(witness, clock.wall() - 1min);
    look();
    advance(30min);
    writes(1);  // the chat is due in half an hour, the witness in 29 minutes
    advance(30min);
    EXPECT_THAT(witness.sizes, SizeIs(1));
    EXPECT_THAT(chat.sizes, SizeIs(2));
}

TEST_F(AnchoringTest, OneThatHangsDelaysNeitherTheOthersNorTheStop) {
    chat.hangs = true;
    add(chat);
    add(witness);
    look();
    writes(100);
    EXPECT_THAT(chat.sizes, SizeIs(1)) << "one at a time";
    EXPECT_THAT(witness.sizes, SizeIs(2));
    EXPECT_TRUE(stop());
    writes(1000);
    EXPECT_THAT(witness.sizes, SizeIs(2)) << "nothing more after the end";
}

TEST_F(AnchoringTest, TheStopWaitsForABlockedOneForABoundedTime) {
    asio::steady_timer disk{io, asio::steady_timer::time_point::max()};
    chat.deaf = &disk;
    add(chat);
    look();
    std::optional<Result<void>> ended;
    asio::co_spawn(io, anchoring.stop(), [&](const std::exception_ptr&, Result<void> how) { ended = std::move(how); });
    settle();
    advance(limits::anchoring_stop_max - 1ms);
    EXPECT_FALSE(ended);
    advance(1ms);
    ASSERT_TRUE(ended);
    EXPECT_EQ(ended->error().code, Errc::timeout) << "who only waits for it would wait for ever";
    disk.cancel();
    settle();
}

TEST_F(AnchoringTest, OneThatCanSeeTheEndOfTheLogIsShownIt) {
    witness.sees_the_end = true;
    add(chat);
    add(witness, clock.wall());
    look();
    EXPECT_THAT(witness.sizes, IsEmpty()) << "not due";
    EXPECT_TRUE(stop());
    happened = 7;  // including the records written while stopping
    EXPECT_EQ(show_last(), 0U);
    EXPECT_THAT(witness.sizes, ElementsAre(7));
    EXPECT_THAT(chat.sizes, ElementsAre(1)) << "the hub has closed its channels";
}

TEST_F(AnchoringTest, I13_ASilentWitnessDelaysTheStopByABoundedTime) {
    FakeOutsider::Seen silent{.hangs = true, .sees_the_end = true};
    FakeOutsider::Seen unwilling{.takes = false, .sees_the_end = true};
    witness.sees_the_end = true;
    add(silent, clock.wall());
    add(unwilling, clock.wall());
    add(witness, clock.wall());
    EXPECT_TRUE(stop());
    EXPECT_FALSE(show_last());
    EXPECT_THAT(witness.sizes, SizeIs(1)) << "all of them at once";
    advance(limits::last_checkpoint_max - 1ms);
    EXPECT_FALSE(missing);
    advance(1ms);
    EXPECT_EQ(missing, 2U) << "the silent one and the one that refused";
    EXPECT_TRUE(stop()) << "and the call is given up";
}

TEST_F(AnchoringTest, AnExceptionInOneIsReportedAndItIsRetried) {
    chat.throws = true;
    add(chat);
    look();
    EXPECT_THAT(stray, ElementsAre("broken"));
    chat.throws = false;
    writes(100);
    EXPECT_THAT(chat.sizes, SizeIs(2));
}

// A real log, and outsiders that see it.
class ShowingTest : public testing::Test, public audit::LogWorld {
protected:
    void SetUp() override { ASSERT_TRUE(open()); }
    void TearDown() override {
        if (log) ASSERT_TRUE(close());
    }
    void votes(int count, const std::string& person = "alice") {
        for (int i = 0; i < count; ++i) ASSERT_TRUE(append(audit::entry("vote", {{"person", person}})));
    }
    [[nodiscard]] Telling telling() {
        return {.record = [this](LogEntry entry) { recorded.push_back(std::move(entry)); },
                .say = [this](const std::string& line) { said.push_back(line); }};
    }
    [[nodiscard]] std::string field(std::string_view name) const {
        const auto* value = recorded.back().fields.find(name);
        if (value == nullptr) return "";
        if (const auto* text = value->string()) return *text;
        const auto* number = value->number();
        return number == nullptr ? "" : number->lexeme;
    }

    Worker worker;
    std::vector<LogEntry> recorded;
    std::vector<std::string> said;
};

class WitnessOutsiderTest : public ShowingTest {
protected:
    // Forwards the call to a witness that really checks, or gives the answer that the test set.
    class FakeHttp final : public HttpClient {
    public:
        asio::awaitable<Result<HttpResponse>> send(HttpRequest request) override {
            requests.push_back(request);
            co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
            if (answer) co_return *answer;
            const auto given = witness->add_checkpoint(std::get<std::string>(request.body), seconds);
            co_return HttpResponse{.status = static_cast<int>(given.status), .body = given.body};
        }
        std::optional<audit::Witness> witness;
        std::uint64_t seconds = 1'763'258'400;
        std::optional<Result<HttpResponse>> answer;
        std::vector<HttpRequest> requests;
    };
    static audit::NoteSigner witness_signer() {
        return *audit::NoteSigner::make("witness.example/w1", audit::signing_key(32), audit::NoteAlgorithm::witness);
    }
    void SetUp() override {
        ShowingTest::SetUp();
        auto opened = audit::Witness::open(others, "state", witness_signer(), {audit::signer().key()});
        ASSERT_TRUE(opened);
        http.witness.emplace(std::move(*opened));
        begin();
    }
    void begin() {
        outsider = std::make_unique<WitnessObserver>(
            "https://witness.example/p", witness_signer().key(),
            WitnessObserver::Ports{
                .http = http, .clock = clock, .worker = worker, .files = *disk, .directory = directory},
            telling());
    }
    bool show() { return run(outsider->show(log->checkpoint())); }
    std::string first_line(std::size_t request) {
        const auto& body = std::get<std::string>(http.requests.at(request).body);
        return body.substr(0, body.find('\n'));
    }

    countersign::fakes::MemoryFileSystem others;
    FakeHttp http;
    std::unique_ptr<WitnessObserver> outsider;
};

TEST_F(WitnessOutsiderTest, ACheckpointOfAGrowingLogIsCosignedAndTheCosignatureIsStored) {
    votes(3);
    EXPECT_FALSE(outsider->last());
    ASSERT_TRUE(show()) << said.back();
    EXPECT_EQ(http.requests[0].url, "https://witness.example/p/add-checkpoint");
    EXPECT_EQ(http.requests[0].answer_bytes_max, limits::witness_answer_bytes_max);
    EXPECT_EQ(http.requests[0].deadline, limits::witness_call_max);
    EXPECT_EQ(recorded.back().kind, "anchor");
    EXPECT_EQ(field("witness"), "witness.example/w1");
    EXPECT_EQ(field("size"), "4");
    EXPECT_EQ(field("root"), security::base64(log->checkpoint().tree.root));
    const auto tree = log->checkpoint().tree;
    EXPECT_TRUE(witness_signer().key().verify(audit::checkpoint_text(audit::origin, tree), field("cosignature")));
    votes(5);
    ASSERT_TRUE(show()) << said.back();
    EXPECT_EQ(first_line(1), "old 4");

    begin();  // the next start knows which size was cosigned
    EXPECT_EQ(outsider->last(), clock.wall());
    votes(1);
    ASSERT_TRUE(show());
    EXPECT_EQ(first_line(2), "old 9");
    EXPECT_THAT(said, IsEmpty());
    ASSERT_TRUE(close());
    log.reset();
    const auto found = audit::verify(*disk, directory, {.witnesses = {witness_signer().key()}});
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->ok()) << found->why;
    EXPECT_EQ(found->cosigned.at(0).size, 10U);
}

TEST_F(WitnessOutsiderTest, AWitnessThatKnowsAnotherSizeIsAskedAgainFromThere) {
    votes(3);
    ASSERT_TRUE(show());
    ASSERT_TRUE(disk->remove(directory + "/cosigned/" + security::hex(security::sha256("witness.example/w1"))));
    begin();
    votes(2);
    ASSERT_TRUE(show()) << said.back();
    EXPECT_EQ(first_line(1), "old 0");
    EXPECT_EQ(first_line(2), "old 4");
    http.answer = HttpResponse{.status = 409, .body = "1\n"};
    EXPECT_FALSE(show());
    EXPECT_EQ(http.requests.size(), 5U) << "once more, not for ever";
    EXPECT_THAT(said.back(), HasSubstr("one size and then another"));
}

TEST_F(WitnessOutsiderTest, ARolledBackLogIsAnAlarm) {
    votes(2);
    ASSERT_TRUE(close());
    log.reset();
    const auto old = disk->copy();
    ASSERT_TRUE(open());
    votes(10);
    ASSERT_TRUE(show());
    ASSERT_TRUE(close());
    log.reset();
    disk = old->copy();
    ASSERT_TRUE(open());
    begin();
    EXPECT_FALSE(show());
    EXPECT_THAT(said.back(), HasSubstr("ALARM: witness witness.example/w1 refuses this log: it saw 15 records"));
    EXPECT_EQ(recorded.back().kind, "anchor");
    EXPECT_THAT(field("refused"), HasSubstr("rolled back"));
    EXPECT_EQ(field("seen"), "15");
    const auto records = recorded.size();
    votes(1);
    EXPECT_FALSE(show());
    EXPECT_EQ(recorded.size(), records) << "in the log once";
    EXPECT_THAT(said, SizeIs(2)) << "said each time";
    const auto honest = std::exchange(http.answer, HttpResponse{.status = 409, .body = "1000\n"});
    for (int i = 0; i < 3; ++i) {
        http.answer = HttpResponse{.status = 409, .body = std::to_string(1000 + i) + "\n"};
        EXPECT_FALSE(show());
    }
    EXPECT_EQ(recorded.size(), records) << "a witness that names another size each time fills no log";
    http.answer = honest;

    votes(20, "mallory");  // longer than the cosigned log, but with another history
    EXPECT_FALSE(show());
    EXPECT_THAT(said.back(), HasSubstr("records were changed or removed"));
    EXPECT_EQ(recorded.size(), records + 1);
}

TEST_F(WitnessOutsiderTest, AnUnreachableWitnessIsReportedOnceAndHarmsNothing) {
    votes(1);
    http.answer = Error{Errc::timeout, "witness.example did not answer"};
    EXPECT_FALSE(show());
    EXPECT_FALSE(show());
    EXPECT_THAT(said, ElementsAre(HasSubstr("did not cosign the log, and is asked again: ")));
    EXPECT_THAT(recorded, IsEmpty());
    http.answer = HttpResponse{.status = 404};
    EXPECT_FALSE(show());
    EXPECT_THAT(said.back(), HasSubstr("does not look after this log"));
    http.answer.reset();
    http.seconds += 3600;
    EXPECT_FALSE(show());
    EXPECT_THAT(said.back(), HasSubstr("clocks"));
    http.seconds -= 3600;
    EXPECT_TRUE(show());
    EXPECT_THAT(said.back(), HasSubstr("cosigns again"));
}

TEST_F(WitnessOutsiderTest, AStoppedHubReportsNoUnfinishedCheckpoint) {
    votes(1);
    worker.stop();
    EXPECT_FALSE(show());
    EXPECT_THAT(said, IsEmpty());
    EXPECT_THAT(recorded, IsEmpty());
}

class ChatOutsiderTest : public ShowingTest {
protected:
    bool show() {
        std::optional<bool> shown;
        asio::co_spawn(world.io, outsider.show(log->checkpoint()),
                       [&](const std::exception_ptr&, bool result) { shown = result; });
        world.io.restart();
        while (!shown) world.io.run_one();
        world.settle();
        return *shown;
    }

    countersign::fakes::World world;
    ChatObserver outsider{{.channel = "ops", .chat = "-100", .rhythm = {}},
                          {.hub = world.hub, .clock = clock, .worker = worker, .files = *disk, .directory = directory},
                          telling()};
};

TEST_F(ChatOutsiderTest, TheMessageItselfIsAnAnchor) {
    votes(2);
    EXPECT_FALSE(outsider.last());
    ASSERT_TRUE(show());
    ASSERT_THAT(world.ops.announced, SizeIs(1));
    const auto& [id, to, heading, exact] = world.ops.announced[0];
    EXPECT_EQ(to.chat, "-100");
    EXPECT_EQ(heading, "# Audit log, 3 records. Nothing to do: kept here, this shows later whether one of them was "
                       "changed.");
    EXPECT_EQ(exact, log->checkpoint().note);
    const auto anchors = audit::parse_anchors(heading + "\n" + exact, audit::signer().key());
    ASSERT_TRUE(anchors) << describe(anchors.error());
    EXPECT_EQ(anchors->at(0).size, 3U);
    EXPECT_EQ(recorded.back().kind, "anchor");
    EXPECT_EQ(field("channel"), "ops");
    EXPECT_EQ(field("chat"), "-100");
    EXPECT_EQ(field("message"), "m" + std::to_string(id));
    EXPECT_EQ(field("size"), "3");
    EXPECT_EQ(field("root"), security::base64(log->checkpoint().tree.root));
    EXPECT_EQ(outsider.last(), clock.wall()) << "the next start knows when";
}

TEST_F(ChatOutsiderTest, AnUndeliveredMessageIsReportedAndNotRecorded) {
    world.ops.mood = countersign::fakes::FakeChannel::Mood::fails;
    EXPECT_FALSE(show());
    EXPECT_THAT(said,
                ElementsAre("the log's checkpoint was not posted on ops/-100, and will be next time: the platform "
                            "said no"));
    EXPECT_THAT(recorded, IsEmpty());
    EXPECT_FALSE(outsider.last());
}

TEST_F(ChatOutsiderTest, TheLongestNameOfALogFitsIntoAMessage) {
    const std::string name = std::string(255, 'o') + "/after-seal-999";
    const auto signer = *audit::NoteSigner::make(name, audit::signing_key());
    const auto text = audit::checkpoint_text(name, {.size = UINT64_MAX});
    const auto made =
        announcement_of({.tree = {.size = UINT64_MAX}, .note = audit::note(text, name, signer.sign(text))}, "-100");
    EXPECT_LE(made.heading.size() + made.exact.size(), limits::announcement_bytes_max);
}

}  // namespace
}  // namespace countersign::app
