// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/request.hpp"
#include "runtimes/event/fields.hpp"
#include "runtimes/subject_display.hpp"

#include <string>

namespace countersign::runtimes::event {

// What an event asks about, read once: how it is hashed, judged and shown.
struct ReadSubject {
    Subject shown;
    std::string tool;       // what the hash and the rules call it
    std::string raw_input;  // what is hashed
    std::string printed;    // the subject as the event has it, known members only where nothing is lost by that
    std::string cwd;        // raw
    ArgsHash hash;
    CallFacts facts;  // raw
    SubjectDisplay display;
    bool contradicts_itself = false;  // its command text is not what its argv says
};
// `cwd` is for a call that names no directory of its own.
[[nodiscard]] ReadSubject read_subject(Fields& event, const std::string& cwd);

}  // namespace countersign::runtimes::event
