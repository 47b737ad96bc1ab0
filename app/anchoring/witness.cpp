// SPDX-License-Identifier: Apache-2.0
#include "app/anchoring/witness.hpp"

#include "audit/last_seen.hpp"
#include "core/limits.hpp"
#include "security/encoding.hpp"

#include <algorithm>
#include <utility>

namespace countersign::app {

namespace asio = boost::asio;

namespace {

using Kind = audit::WitnessAnswer::Kind;

}  // namespace

WitnessObserver::WitnessObserver(std::string url, audit::NoteKey key, Ports ports, Telling telling)
    : url_{std::move(url)}, key_{std::move(key)}, ports_{std::move(ports)}, telling_{std::move(telling)} {
    const auto seen = audit::last_cosigned(ports_.files, ports_.directory, key_);
    if (!seen) return;
    seen_ = seen->size;
    last_ = wall_time_of_seconds(seen->seconds);
}

asio::awaitable<bool> WitnessObserver::show(audit::Checkpoint checkpoint) {
    // A log that is now shorter than what the witness signed cannot hide it by asking for less: the witness reports
    // what it saw.
    auto answer = co_await ask(checkpoint, std::min(seen_, checkpoint.tree.size));
    if (answer.kind == Kind::behind) answer = co_await ask(checkpoint, answer.size);
    if (ports_.worker.stopping()) co_return false;
    switch (answer.kind) {
    case Kind::cosigned: {
        seen_ = answer.size;
        co_await keep(std::move(answer.note));
        auto entry = audit::cosigned_record(key_, checkpoint.tree);
        entry.fields.add("cosignature", answer.cosignature.substr(answer.cosignature.rfind(' ') + 1));
        telling_.record(std::move(entry));
        if (!std::exchange(told_, {}).empty()) telling_.say("witness " + key_.name() + " cosigns again");
        recorded_.clear();
        co_return true;
    }
    case Kind::alarm:
        refused(checkpoint.tree, answer);
        co_return false;
    case Kind::behind:
        failed("it names one size and then another");
        co_return false;
    case Kind::failure:
        failed(answer.why);
        co_return false;
    }
    co_return false;
}

asio::awaitable<audit::WitnessAnswer> WitnessObserver::ask(const audit::Checkpoint& checkpoint,
                                                           std::uint64_t old_size) {
    const auto proof = co_await ports_.worker.run([&files = ports_.files, &worker = ports_.worker,
                                                   directory = ports_.directory, old_size, tree = checkpoint.tree] {
        return audit::prove_growth(files, directory, old_size, tree, [&worker] { return worker.stopping(); });
    });
    if (!proof) co_return audit::WitnessAnswer{.kind = Kind::failure, .why = proof.error().detail};
    HttpRequest request{.method = HttpMethod::post, .url = url_ + "/add-checkpoint"};
    request.headers.push_back({.name = "content-type", .value = "text/plain; charset=utf-8"});
    request.body = audit::add_checkpoint_body(old_size, *proof, checkpoint.note);
    request.deadline = limits::witness_call_max;
    request.answer_bytes_max = limits::witness_answer_bytes_max;
    const auto response = co_await ports_.http.send(std::move(request));
    if (!response) co_return audit::WitnessAnswer{.kind = Kind::failure, .why = describe(response.error())};
    co_return audit::read_answer({.checkpoint = checkpoint.note,
                                  .size = checkpoint.tree.size,
                                  .witness = key_,
                                  .now = ports_.clock.wall(),
                                  .old_size = old_size},
                                 response->status, response->body);
}

asio::awaitable<void> WitnessObserver::keep(std::string note) {
    const auto kept = co_await ports_.worker.run(
        [&files = ports_.files, directory = ports_.directory, key = key_, note = std::move(note)] {
            return audit::keep_cosigned(files, directory, key, note);
        });
    if (!kept) telling_.say("what witness " + key_.name() + " cosigned could not be kept: " + kept.error().detail);
}

// Reported each time, so that the operator cannot overlook it; recorded only once, because it does not change.
void WitnessObserver::refused(const audit::Tree& tree, const audit::WitnessAnswer& answer) {
    telling_.say("ALARM: witness " + key_.name() + " refuses this log: " + answer.why +
                 ". Keep a copy of the state directory, and compare it with a backup (docs/AUDIT.md)");
    auto refusal = answer.why.substr(0, answer.why.find(','));
    std::erase_if(refusal, [](char c) { return c >= '0' && c <= '9'; });  // the witness chooses the sizes in it
    if (std::exchange(recorded_, refusal) == refusal) return;
    auto entry = audit::cosigned_record(key_, tree);
    entry.fields.add("refused", answer.why);
    if (answer.size > 0) entry.fields.add("seen", answer.size);
    telling_.record(std::move(entry));
}

void WitnessObserver::failed(const std::string& why) {
    if (std::exchange(told_, why) == why) return;
    telling_.say("witness " + key_.name() + " did not cosign the log, and is asked again: " + why);
}

}  // namespace countersign::app
