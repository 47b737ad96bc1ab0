// SPDX-License-Identifier: Apache-2.0
#include "app/anchoring/chat.hpp"

#include "audit/last_seen.hpp"
#include "security/encoding.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <memory>
#include <utility>

namespace countersign::app {

namespace asio = boost::asio;

namespace {

// The platform's result. The hub may deliver it before the waiter waits, or after it has gone.
struct Heard {
    explicit Heard(const asio::any_io_executor& executor) : said{executor, asio::steady_timer::time_point::max()} {}
    asio::steady_timer said;  // cancelled when the result arrives
    std::optional<Result<MessageRef>> result;
};

}  // namespace

Announcement announcement_of(const audit::Checkpoint& checkpoint, const std::string& chat) {
    const auto records = std::to_string(checkpoint.tree.size);
    return {.to = {.chat = chat, .principal = {}},
            .heading = "# Audit log, " + records +
                       " records. Nothing to do: kept here, this shows later whether one of them was changed.",
            .exact = checkpoint.note};
}

ChatObserver::ChatObserver(AnchorConfig config, Ports ports, Telling telling)
    : config_{std::move(config)}, ports_{std::move(ports)}, telling_{std::move(telling)} {}

// The callback writes the record even if we stop meanwhile: once the message is posted, the log must say so.
asio::awaitable<bool> ChatObserver::show(audit::Checkpoint checkpoint) {
    const auto heard = std::make_shared<Heard>(ports_.hub.executor());
    ports_.hub.announce(config_.channel, announcement_of(checkpoint, config_.chat),
                        [heard, record = telling_.record, tree = checkpoint.tree](const Result<MessageRef>& ref) {
                            if (ref) record(audit::posted_record(ref->place, tree));
                            heard->result = ref;
                            heard->said.cancel();
                        });
    if (!heard->result) {
        boost::system::error_code ignored;
        co_await heard->said.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
    if (!heard->result) co_return false;  // we are stopping
    if (!*heard->result) {
        telling_.say("the log's checkpoint was not posted on " + place() +
                     ", and will be next time: " + heard->result->error().detail);
        co_return false;
    }
    const auto now = std::chrono::floor<std::chrono::seconds>(ports_.clock.wall().time_since_epoch()).count();
    const auto kept = co_await ports_.worker.run(
        [&files = ports_.files, directory = ports_.directory, place = place(), now, note = checkpoint.note] {
            return audit::keep_posted(files, directory, place, static_cast<std::uint64_t>(now), note);
        });
    if (!kept) {
        telling_.say("when a checkpoint was posted on " + place() +
                     " is not remembered for the next start: " + kept.error().detail);
    }
    co_return true;
}

std::optional<WallTime> ChatObserver::last() const {
    const auto seen = audit::last_posted(ports_.files, ports_.directory, place());
    return seen ? wall_time_of_seconds(seen->seconds) : std::nullopt;
}

}  // namespace countersign::app
