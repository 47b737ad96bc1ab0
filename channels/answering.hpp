// SPDX-License-Identifier: Apache-2.0
// From what somebody meant to an attempt, and back to an answer. Whoever asked is answered exactly once, and in time.
//
// Answers to a question are gathered in the hub's Drafts until they are submitted. All on the owner's thread.
#pragma once

#include "channels/intent.hpp"
#include "channels/wrong_codes.hpp"
#include "core/hub/task_group.hpp"
#include "core/ports/attempts.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/drafts.hpp"
#include "core/ports/open_requests.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace countersign::channels {

// Who waits for an answer.
struct Caller {
    enum class Tone { note, alert };  // in passing, or so that it is not missed
    std::string principal;
    Language language = {};
    std::string delivery;  // the platform's own name for what came in (I5)
    bool spins = false;    // a click, which shows that it waits until it is answered
    std::function<void(const Phrase& words, Tone tone)> say;
    // Words after a press was told that it is being worked on: why it decided nothing. What it decided is on the card.
    std::function<void(const Phrase& words)> follow_up = {};
    std::function<void()> handled;  // called once, when nothing more will come of it
};

struct AnsweringOptions {
    std::chrono::milliseconds answer_max;  // a click is answered by then, whatever the hub does
    // Others read there too: marks are not shown, and a secret is not taken.
    std::function<bool(const std::string& chat)> is_group;
    // Shows what this person took so far, where nobody else sees it.
    std::function<void(const Ulid& request, const std::string& chat, const std::string& principal)> mark;
};

// Borrowed: they outlive every task.
struct AnsweringPorts {
    Attempts& attempts;
    const OpenRequests& open;
    Drafts& drafts;
    Clock& clock;
    TaskGroup& tasks;
};

class Answering {
public:
    Answering(AnsweringOptions options, AnsweringPorts ports) : options_{std::move(options)}, ports_{ports} {}

    // Everything but ShowAll, AskReason, OfferReason and Begin, which the channel carries out itself: those are only
    // said to be handled. An answered question must be open.
    void act(Caller caller, Intent intent);
    // No code of theirs counts now; buttons do.
    [[nodiscard]] bool locked(const std::string& principal) const {
        return wrong_codes_.locked(principal, ports_.clock.boot());
    }

private:
    struct Spinning;
    void say(const Caller& caller, const Phrase& words);  // and that is all
    void refuse(const Caller& caller, const Refuse& refused);
    void refuse(const Caller& caller, const Attempt& attempt, Error why, Phrase words);
    void pick(Caller caller, Pick pick);
    void write(Caller caller, Write write);
    void finish(Caller caller, Finish finish);
    void instruct(Caller caller, Order order);
    void wrong_code(const Caller& caller, const WrongCode& wrong);
    void submit(Caller caller, Attempt attempt);
    [[nodiscard]] Draft draft_of(const Attempt& attempt, const Questionnaire& questionnaire) const;
    void submit_draft(Caller caller, Attempt attempt, const Draft& draft, const Questionnaire& questionnaire);
    boost::asio::awaitable<void> answer_in_time(std::function<void(const Phrase&, Caller::Tone)> say, Language language,
                                                std::shared_ptr<Spinning> spinning);

    AnsweringOptions options_;
    AnsweringPorts ports_;
    WrongCodes wrong_codes_;
};

}  // namespace countersign::channels
