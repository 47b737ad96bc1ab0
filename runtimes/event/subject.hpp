// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/request.hpp"
#include "runtimes/event/fields.hpp"
#include "runtimes/subject_display.hpp"

#include <string>

namespace countersign::runtimes::event {

// The subject of an event, parsed once for hashing, judging and display.
struct ReadSubject {
    Subject shown;
    std::string tool;       // the tool's name for the hash and the rules
    std::string raw_input;  // the bytes to hash
    std::string printed;    // the event's subject, reduced to known members if that loses nothing
    std::string cwd;        // raw
    ArgsHash hash;
    CallFacts facts;  // raw
    SubjectDisplay display;
    bool contradicts_itself = false;  // its command text does not match its argv
};
// `cwd`: for a call that names no directory.
[[nodiscard]] ReadSubject read_subject(Fields& event, const std::string& cwd);

}  // namespace countersign::runtimes::event
