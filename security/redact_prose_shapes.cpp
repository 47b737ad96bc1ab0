// SPDX-License-Identifier: Apache-2.0
// What is known by a sentence or a line around it: "the admin password is …", a line of .pgpass.
//
// No pattern crosses a line, and none takes a word that a shell would run: a value here always follows another word.
#include "security/redact_shapes.hpp"

#include <array>

namespace countersign::security {
namespace {

// clang-format off
constexpr std::array shapes = std::to_array<Shape>({
    {"told", "password,passwd,passphrase,passcode", R"((?i)\b(?:password|passwd|passphrase|passcode)\b(?:[ \t]+for[ \t]+\S+)?[ \t]+(?:is|was|to|will be)(?: now)?:?[ \t]+([^\s"'\x60]{6,}))", ShapeCheck::number_like, false},
    {"told", "token,secret,key,pat", R"((?i)\b(?:token|secret|key|pat)\b[ \t]+(?:is|was|to|will be)(?: now)?:?[ \t]+([A-Za-z0-9_+/=.:-]{16,}))", ShapeCheck::mixed, false},
    // host:port:database:user:password, and nothing else on the line. A slash would make a path of it.
    {"pgpass", ":5432:,:5433:,:6432:,:*:,pgpass", R"((?m)^[^\s:#"'/\x60|;&<>()$]+:(?:\d{4,5}|\*):[^\s:"'/\x60|;&<>()$]+:[^\s:"'/\x60|;&<>()$]+:([^\s:"'/\x60|;&<>()$]+)[ \t\r]*$)", ShapeCheck::not_a_name, false},
    {"jenkins", "jenkins-crumb", R"((?i)\bjenkins-crumb["']?[ \t]*[:=][ \t]*["']?([A-Za-z0-9]{16,}))", ShapeCheck::none, false},
});
// clang-format on

}  // namespace

std::span<const Shape> prose_shapes() { return shapes; }

}  // namespace countersign::security
