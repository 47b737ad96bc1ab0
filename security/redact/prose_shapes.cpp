// SPDX-License-Identifier: Apache-2.0
// Secrets recognised by a sentence or a line around them: "the admin password is …", a line of .pgpass.
//
// No pattern crosses a line, and none takes a word that a shell would run: a value here always follows another word.
#include "security/redact/shapes.hpp"

#include <array>

namespace countersign::security {
namespace {

// clang-format off
constexpr std::array shapes = std::to_array<Shape>({
    {"told", "password,passwd,passphrase,passcode", R"((?i)\b(?:password|passwd|passphrase|passcode)\b(?:[ \t]+for[ \t]+\S+)?[ \t]+(?:is|was|to|will be)(?: now)?:?[ \t]+([^\s"'\x60]{6,}))", ShapeCheck::number_like, false},
    {"told", "token,secret,key", R"((?i)\b(?:token|secret|key)\b[ \t]+(?:is|was|to|will be)(?: now)?:?[ \t]+([A-Za-z0-9_+/=.:-]{16,}))", ShapeCheck::mixed, false},
    // host:port:database:user:password alone on a line. With a slash it would be a path.
    {"pgpass", ":5432:,:5433:,:6432:,:*:,pgpass", R"((?m)^[^\s:#"'/\x60|;&<>()$]+:(?:\d{4,5}|\*):[^\s:"'/\x60|;&<>()$]+:[^\s:"'/\x60|;&<>()$]+:([^\s:"'/\x60|;&<>()$]+)[ \t\r]*$)", ShapeCheck::not_a_name, false},
    {"told", "password,passwd,pass ,pass:,pass=,pw:", R"((?i)\b(?:user(?:name)?|login)[ \t:=]+[^\s:=]+[ \t,;]+(?:password|passwd|pass|pw)[ \t:=]+([^\s"'\x60]{6,}))", ShapeCheck::number_like, false},
    {"told", "credential,creds,login", R"((?i)\b(?:credentials?|creds|login)(?:[ \t]+are|[ \t]+is)?:?[ \t]+[\w.@-]+(?:[ \t]+/[ \t]+|:)([^\s"'\x60/:]{6,}))", ShapeCheck::number_like, false},
    {"told", "password*,passwd*,token*,secret*,key*,password:*,passwd:*,token:*,secret:*,key:*", R"((?i)\*\*[\w -]*(?:password|passwd|token|secret|key)(?::\*\*|\*\*:)[ \t]+\x60?([^\s"'\x60]{6,}))", ShapeCheck::number_like, false},
    {"typed", "password,passwd,secret,token,apikey,api_key", R"((?i)\b\w*(?:password|passwd|secret|token|api_?key)\w*[ \t]*:[ \t]*[&A-Za-z][\w<>?:. ]{1,40}=[ \t]*["']([^"'\n]{4,})["'])", ShapeCheck::not_a_name, false},
    {"login", ".auth(,.login(,.authenticate(,.signin(,.sign_in(", R"((?i)\.(?:auth|login|authenticate|sign_?in)\([ \t]*["'][^"'\n]*["'][ \t]*,[ \t]*["']([^"'\n]+)["'])", ShapeCheck::not_a_name, false},
    {"piped", "gh secret,wrangler secret,gcloud secrets,docker secret,podman secret,vercel env,vault login,pass insert,vault kv", R"((?:echo|printf)(?:[ \t]+-[neE]+)?[ \t]+["']?([^\s"'|;&<>()$\x60]+)["']?[ \t]*\|[ \t]*(?:npx[ \t]+|sudo[ \t]+)?(?:gh[ \t]+secret|wrangler[ \t]+secret|gcloud[ \t]+secrets|docker[ \t]+secret|podman[ \t]+secret|vercel[ \t]+env|vault[ \t]+login|vault[ \t]+kv|pass[ \t]+insert))", ShapeCheck::not_a_name, false},
    {"flag", "/pass,/pwd:,/token:,/secret:", R"((?i)[ \t]/(?:pass|password|pwd|token|secret):["']?([^\s"'|;&<>()\x60]{4,}))", ShapeCheck::not_a_name, false},
    {"npm", "_authtoken", R"((?i)_authToken[ \t]*[= \t][ \t]*["']?([^\s"'|;&<>()\x60$]{6,}))", ShapeCheck::not_a_name, false},
    {"jenkins", "jenkins-crumb", R"((?i)\bjenkins-crumb["']?[ \t]*[:=][ \t]*["']?([A-Za-z0-9]{16,}))", ShapeCheck::none, false},
});
// clang-format on

}  // namespace

std::span<const Shape> prose_shapes() { return shapes; }

}  // namespace countersign::security
