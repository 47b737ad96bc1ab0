// SPDX-License-Identifier: Apache-2.0
// What is known by the words around it: URLs, authorisation schemes, commands that take a secret by its place.
#include "security/redact_shapes.hpp"

#include <array>

namespace countersign::security {
namespace {

// The gap between two words is white space, and a quote where the words come from an argument list.
// clang-format off
constexpr std::array shapes = std::to_array<Shape>({
    {"url-userinfo", "://", R"([A-Za-z0-9+]://([^\s/"'<>\x02]+)@)", ShapeCheck::userinfo, false},
    {"url-userinfo", "jdbc:oracle", R"(\b(?:jdbc:oracle:thin:[^\s/@]+/)([^\s/@"'\x02]+)@)", ShapeCheck::not_a_name, false},
    {"bearer", "bearer", R"((?i)\bbearer(?:[ \t:=]|%20|\\?["'])+([A-Za-z0-9._~+/-]{8,}=*))", ShapeCheck::mixed, false},
    {"basic", "basic", R"((?i)\bbasic(?:[ \t]|%20)+([A-Za-z0-9+/_-]{8,}={0,2}))", ShapeCheck::basic, false},
    {"basic", "sso-key", R"(\bsso-key[ \t]+([A-Za-z0-9_]+:[A-Za-z0-9_]+))", ShapeCheck::none, false},
    {"literal", "--from-literal", R"(--from-literal["'\x02]?[=\s]["'\x02]?[^=\s"'\x02]+=([^\s"'\x02]+))", ShapeCheck::not_a_name, false},
    {"literal", "secrets", R"(\bfly(?:ctl)?[\s"'\x02]+secrets[\s"'\x02]+set[\s"'\x02]+[A-Za-z0-9_]+=["'\x02]?([^\s"'\x02;|&<>()]+))", ShapeCheck::not_a_name, false},
    {"git-config", "config", R"((?i)\bgit[\s"'\x02]+config[\s"'\x02]+(?:--[a-z-]+[\s"'\x02]+)*[a-z0-9.-]*(?:password|token|secret)[ \t"'\x02]+([^\s"'\x02;|&<>()-][^\s"'\x02;|&<>()]*))", ShapeCheck::not_a_name, false},
    {"basic", "auth", R"((?i)\bauth\s*=\s*\(\s*["'][^"'\n]*["']\s*,\s*["']([^"'\n]+)["'])", ShapeCheck::not_a_name, false},
    {"pgpass", ".pgpass", R"([^\s:"'|;&]+:(?:\d+|\*):[^\s:"'|;&]+:[^\s:"'|;&]+:([^\s"':|;&<>()]+)["']?\s*>>?\s*\S*\.pgpass)", ShapeCheck::not_a_name, false},
    {"netrc", "login", R"((?i)\blogin\s+\S+\s+(?:password|passwd)\s+(\S+))", ShapeCheck::not_a_name, false},
    {"sql", "identified", R"((?i)\bidentified\s+(?:with\s+\S+\s+)?(?:by|as)\s+\\?['"]([^'"\n]+?)\\?['"])", ShapeCheck::not_a_name, false},
    {"sql", "password", R"((?i)\bpassword\s+\\?'([^'\n]+?)\\?')", ShapeCheck::not_a_name, false},
    {"sql", "password(", R"((?i)\bpassword\(\\?['"]([^'"\n]+?)\\?['"])", ShapeCheck::not_a_name, false},
    {"chpasswd", "chpasswd", R"((?i)(?:echo|printf)[\s"'\x02]+[^\s:"'|]+:([^\s"'|]+)["'\x02]*\s*\|\s*(?:sudo\s+)?chpasswd)", ShapeCheck::not_a_name, false},
    {"chpasswd", "chpasswd", R"((?i)chpasswd[^\n|;&]*<<<\s*["']?[^\s:"'|]+:([^\s"'|]+))", ShapeCheck::not_a_name, false},
    {"stdin-password", "password-stdin,--stdin,sudo", R"((?i)(?:echo|printf)(?:[\s"'\x02]+-[ne]+)?[\s"'\x02]+([^\s"'\x02|]+)["'\x02]*\s*\|\s*(?:sudo\s+-S|su\b|[^|\n]{0,80}(?:password-stdin|passwd\s+--stdin|--stdin)))", ShapeCheck::not_a_name, false},
    {"login", "vault", R"(\bvault[\s"'\x02]+login[\s"'\x02]+(?:-[^\s"'\x02]+[\s"'\x02]+)*([A-Za-z0-9][^\s"'\x02=]{5,}))", ShapeCheck::mixed, false},
    {"htpasswd", "htpasswd", R"(\bhtpasswd[\s"'\x02]+(?:-[A-Za-z]+[\s"'\x02]+)*-[A-Za-z]*b[A-Za-z]*[\s"'\x02]+(?:-[A-Za-z]+[\s"'\x02]+)*(?:[^\s"'\x02]+[\s"'\x02]+){1,2}([^\s"'\x02;|&]+))", ShapeCheck::not_a_name, false},
    {"wpa", "wpa_passphrase", R"(\bwpa_passphrase[\s"'\x02]+(?:"[^"]*"|'[^']*'|[^\s"'\x02]+)[\s"'\x02]+([^\s"'\x02;|&]+))", ShapeCheck::not_a_name, false},
    {"rabbitmq", "rabbitmqctl", R"(\brabbitmqctl[^\n|;&]*?(?:add_user|change_password|authenticate_user)[\s"'\x02]+[^\s"'\x02]+[\s"'\x02]+([^\s"'\x02;|&]+))", ShapeCheck::not_a_name, false},
    {"sqlplus", "sqlplus,expdp,impdp", R"(\b(?:sqlplus|expdp|impdp)[\s"'\x02]+(?:-[A-Za-z]+[\s"'\x02]+)*[A-Za-z0-9_$#]+/([^\s"'\x02@/]+))", ShapeCheck::not_a_name, false},
    {"net-user", "net user,net.exe user", R"((?i)\bnet(?:\.exe)?\s+user\s+[^\s/]+\s+([^\s/*]\S*))", ShapeCheck::not_a_name, false},
    {"convertto", "convertto-securestring", R"((?i)convertto-securestring\s+(?:-string\s+)?["']([^"'\n]+)["'])", ShapeCheck::not_a_name, false},
    {"credential", "networkcredential,pscredential", R"((?i)credential\s*\(\s*["'][^"'\n]*["']\s*,\s*["']([^"'\n]+)["'])", ShapeCheck::not_a_name, false},
    {"told", "password,passwd,passphrase,secret", R"((?i)\b(?:password|passwd|passphrase|secret)\b[^\n"'\x60]{0,40}(?:["'\x60][^\n"'\x60]{0,40}["'\x60])?[^\n"'\x60]{0,10}\bis:?\s+["'\x60]([^\s"'\x60]+)["'\x60])", ShapeCheck::not_a_name, false},
    {"told", "password,passwd", R"re((?i)\b(?:password|passwd)[ \t]+"([^"\n]+)")re", ShapeCheck::not_a_name, false},
    {"told", "secret,token,key", R"((?i)(?:secret|token|key)[ \t]+([A-Za-z0-9_+/=-]{20,}))", ShapeCheck::mixed, false},
    {"told", "secret,token", R"((?i)(?:secret|token)[ \t]+([A-Za-z0-9_+/=-]{16,}))", ShapeCheck::mixed, false},
    {"sonar", "sonar", R"((?i)sonar.?login[\s"',:=]{1,6}([a-f0-9]{40}))", ShapeCheck::none, false},
    {"generic", "key,token,secret,password,passwd,credential,auth,api", R"((?i)(?:api|auth|access|secret|private|client|service|bearer|token|passw)[a-z0-9_.-]{0,30}[\s"'\]]{0,4}[\s:=>,(]{1,5}["'\x60]([A-Za-z0-9+/_.~=-]{20,200})["'\x60])", ShapeCheck::mixed, false},
});
// clang-format on

}  // namespace

std::span<const Shape> context_shapes() { return shapes; }

}  // namespace countersign::security
