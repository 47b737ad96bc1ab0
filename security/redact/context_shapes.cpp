// SPDX-License-Identifier: Apache-2.0
// Secrets recognised by the words around them: URLs, authorisation schemes, commands that take a secret in a certain
// place.
#include "security/redact/shapes.hpp"

#include <array>

namespace countersign::security {
namespace {

// The gap between two words is white space, and possibly a quote if the words come from an argument list. Before the
// secret it never crosses a line, because the next line starts with a command.
// clang-format off
constexpr std::array shapes = std::to_array<Shape>({
    {"url-userinfo", "://", R"([A-Za-z0-9+]://([^\s/"'<>\x02]+)@)", ShapeCheck::userinfo, false},
    {"url-userinfo", "jdbc:oracle", R"(\b(?:jdbc:oracle:thin:[^\s/@]+/)([^\s/@"'\x02]+)@)", ShapeCheck::not_a_name, false},
    {"bearer", "bearer", R"((?i)\bbearer(?:[ \t:=]|%20|\\?["'])+([A-Za-z0-9._~+/-]{8,}=*))", ShapeCheck::mixed, false},
    {"basic", "basic", R"((?i)\bbasic(?:[ \t]|%20)+([A-Za-z0-9+/_-]{8,}={0,2}))", ShapeCheck::basic, false},
    {"basic", "sso-key", R"(\bsso-key[ \t]+([A-Za-z0-9_]+:[A-Za-z0-9_]+))", ShapeCheck::none, false},
    {"literal", "--from-literal", R"(--from-literal["'\x02]?[= \t]["'\x02]?[^=\s"'\x02]+=([^\s"'\x02]+))", ShapeCheck::not_a_name, false},
    {"literal", "secrets", R"(\bfly(?:ctl)?[ \t"'\x02]+secrets[ \t"'\x02]+set[ \t"'\x02]+[A-Za-z0-9_]+=["'\x02]?([^\s"'\x02;|&<>()]+))", ShapeCheck::not_a_name, false},
    {"git-config", "config", R"((?i)\bgit[ \t"'\x02]+config[ \t"'\x02]+(?:--[a-z-]+[ \t"'\x02]+)*[a-z0-9.-]*(?:password|token|secret)[ \t"'\x02]+([^\s"'\x02;|&<>()-][^\s"'\x02;|&<>()]*))", ShapeCheck::not_a_name, false},
    {"basic", "auth", R"((?i)\bauth[ \t]*=[ \t]*\([ \t]*["'][^"'\n]*["'][ \t]*,[ \t]*["']([^"'\n]+)["'])", ShapeCheck::not_a_name, false},
    {"pgpass", ".pgpass", R"([^\s:"'|;&]+:(?:\d+|\*):[^\s:"'|;&]+:[^\s:"'|;&]+:([^\s"':|;&<>()]+)["']?[ \t]*>>?[ \t]*\S*\.pgpass)", ShapeCheck::not_a_name, false},
    {"netrc", "login", R"((?i)\blogin\s+\S+\s+(?:password|passwd)[ \t]+(\S+))", ShapeCheck::not_a_name, false},
    {"sql", "identified", R"((?i)\bidentified\s+(?:with\s+\S+\s+)?(?:by|as)[ \t]+\\?['"]([^'"\n]+?)\\?['"])", ShapeCheck::not_a_name, false},
    {"sql", "password", R"((?i)\bpassword[ \t]+\\?'([^'\n]+?)\\?')", ShapeCheck::not_a_name, false},
    {"sql", "password(", R"((?i)\bpassword\(\\?['"]([^'"\n]+?)\\?['"])", ShapeCheck::not_a_name, false},
    {"chpasswd", "chpasswd", R"((?i)(?:echo|printf)[ \t"'\x02]+[^\s:"'|]+:([^\s"'|]+)["'\x02]*[ \t]*\|[ \t]*(?:sudo[ \t]+)?chpasswd)", ShapeCheck::not_a_name, false},
    {"chpasswd", "chpasswd", R"((?i)chpasswd[^\n|;&]*<<<[ \t]*["']?[^\s:"'|]+:([^\s"'|]+))", ShapeCheck::not_a_name, false},
    {"stdin-password", "password-stdin,--stdin,sudo", R"((?i)(?:echo|printf)(?:[ \t"'\x02]+-[ne]+)?[ \t"'\x02]+([^\s"'\x02|]+)["'\x02]*[ \t]*\|[ \t]*(?:sudo[ \t]+-S|su\b|[^|\n]{0,80}(?:password-stdin|passwd[ \t]+--stdin|--stdin)))", ShapeCheck::not_a_name, false},
    {"login", "vault", R"(\bvault[ \t"'\x02]+login[ \t"'\x02]+(?:-[^\s"'\x02]+[ \t"'\x02]+)*([A-Za-z0-9][^\s"'\x02=]{5,}))", ShapeCheck::mixed, false},
    {"htpasswd", "htpasswd", R"(\bhtpasswd[ \t"'\x02]+(?:-[A-Za-z]+[ \t"'\x02]+)*-[A-Za-z]*b[A-Za-z]*[ \t"'\x02]+(?:-[A-Za-z]+[ \t"'\x02]+)*(?:[^\s"'\x02]+[ \t"'\x02]+){1,2}([^\s"'\x02;|&]+))", ShapeCheck::not_a_name, false},
    {"wpa", "wpa_passphrase", R"(\bwpa_passphrase[ \t"'\x02]+(?:"[^"\n]*"|'[^'\n]*'|[^\s"'\x02]+)[ \t"'\x02]+([^\s"'\x02;|&]+))", ShapeCheck::not_a_name, false},
    {"rabbitmq", "rabbitmqctl", R"(\brabbitmqctl[^\n|;&]*?(?:add_user|change_password|authenticate_user)[ \t"'\x02]+[^\s"'\x02]+[ \t"'\x02]+([^\s"'\x02;|&]+))", ShapeCheck::not_a_name, false},
    {"sqlplus", "sqlplus,expdp,impdp", R"(\b(?:sqlplus|expdp|impdp)[ \t"'\x02]+(?:-[A-Za-z]+[ \t"'\x02]+)*[A-Za-z0-9_$#]+/([^\s"'\x02@/]+))", ShapeCheck::not_a_name, false},
    {"hashed", "passwd", R"(\b(?:openssl[ \t"'\x02]+passwd|mkpasswd)[ \t"'\x02]+(?:-(?:salt|in|m|S|-salt|-method)[ \t"'\x02]+[^\s"'\x02]+[ \t"'\x02]+|-[A-Za-z0-9=-]+[ \t"'\x02]+)*([^\s"'\x02;|&<>()-][^\s"'\x02;|&<>()]*))", ShapeCheck::not_a_name, false},
    {"htpasswd", "mosquitto_passwd", R"(\bmosquitto_passwd[ \t"'\x02]+(?:-[A-Za-z]+[ \t"'\x02]+)*-[A-Za-z]*b[A-Za-z]*[ \t"'\x02]+(?:[^\s"'\x02]+[ \t"'\x02]+){2}([^\s"'\x02;|&<>()-][^\s"'\x02;|&<>()]*))", ShapeCheck::not_a_name, false},
    {"stdin-password", "kinit,cryptsetup,vncpasswd", R"((?:echo|printf)(?:[ \t"'\x02]+-[ne]+)?[ \t"'\x02]+([^\s"'\x02|]+)["'\x02]*[ \t]*\|[ \t]*(?:sudo[ \t]+)?(?:kinit|cryptsetup|vncpasswd)\b)", ShapeCheck::not_a_name, false},
    {"stdin-password", "kinit,cryptsetup,vncpasswd", R"(\b(?:kinit|cryptsetup|vncpasswd)\b[^\n|;&<]*<<<[ \t]*["']?([^\s"'|;&<>()]+))", ShapeCheck::not_a_name, false},
    {"login", "bw ", R"(\bbw[ \t"'\x02]+(?:unlock|login[ \t"'\x02]+[^\s"'\x02-][^\s"'\x02]*)[ \t"'\x02]+([^\s"'\x02;|&<>()-][^\s"'\x02;|&<>()]*))", ShapeCheck::not_a_name, false},
    {"rclone", "rclone", R"(\brclone[ \t"'\x02]+(?:obscure|config[ \t"'\x02]+(?:create|update|password)[^\n|;&]*?[ \t"'\x02]+pass(?:word)?2?)[ \t"'\x02]+([^\s"'\x02;|&<>()-][^\s"'\x02;|&<>()]*))", ShapeCheck::not_a_name, false},
    {"vault", "encrypt_string", R"(\bencrypt_string[ \t"'\x02]+(?:-[^\s"'\x02]+[ \t"'\x02]+)*([^\s"'\x02;|&<>()-][^\s"'\x02;|&<>()]*))", ShapeCheck::not_a_name, false},
    {"qpdf", "--encrypt", R"(--encrypt[ \t"'\x02]+([^\s"'\x02;|&<>()-][^\s"'\x02;|&<>()]*))", ShapeCheck::not_a_name, false},
    {"qpdf", "--encrypt", R"(--encrypt[ \t"'\x02]+[^\s"'\x02]+[ \t"'\x02]+([^\s"'\x02;|&<>()-][^\s"'\x02;|&<>()]*)["'\x02]*[ \t"'\x02]+(?:40|128|256)\b)", ShapeCheck::not_a_name, false},
    {"samba", "samba-tool", R"(\bsamba-tool[ \t"'\x02]+user[ \t"'\x02]+(?:add|create)[ \t"'\x02]+[^\s"'\x02]+[ \t"'\x02]+([^\s"'\x02;|&<>()-][^\s"'\x02;|&<>()]*))", ShapeCheck::not_a_name, false},
    {"composer", "-basic.", R"(\bhttp-basic\.[^\s"'\x02]+[ \t"'\x02]+[^\s"'\x02]+[ \t"'\x02]+([^\s"'\x02;|&<>()-][^\s"'\x02;|&<>()]*))", ShapeCheck::not_a_name, false},
    {"bundle", "bundle", R"(\bbundle[ \t"'\x02]+config[ \t"'\x02]+(?:set[ \t"'\x02]+)?(?:--[a-z]+[ \t"'\x02]+)*[^\s"'\x02]+[ \t"'\x02]+[^\s"'\x02:/]+:([^\s"'\x02;|&<>()/]+))", ShapeCheck::not_a_name, false},
    {"net-user", "/user:", R"((?i)\bnet(?:\.exe)?[ \t]+use[ \t]+(?:\S+[ \t]+)?\\\\\S+[ \t]+([^\s/*]\S*)[ \t]+/user:)", ShapeCheck::not_a_name, false},
    {"smbclient", "smbclient", R"(\bsmbclient[ \t"'\x02]+//[^\s"'\x02]+[ \t"'\x02]+([^\s"'\x02;|&<>()-][^\s"'\x02;|&<>()]*))", ShapeCheck::not_a_name, false},
    {"userinfo", ".py,impacket-", R"((?:\bimpacket-[a-zA-Z]+|[a-zA-Z]\.py)[ \t"'\x02]+(?:[^\s"'\x02;|&]+[ \t"'\x02]+)*?[A-Za-z0-9_./-]+:([^\s"'\x02:@/;|&<>()]+)@[A-Za-z0-9])", ShapeCheck::not_a_name, false},
    {"dscl", "dscl", R"(\bdscl[ \t"'\x02]+[^\s"'\x02]+[ \t"'\x02]+-passwd[ \t"'\x02]+[^\s"'\x02]+[ \t"'\x02]+([^\s"'\x02;|&<>()-][^\s"'\x02;|&<>()]*))", ShapeCheck::not_a_name, false},
    {"net-user", "net user,net.exe user", R"((?i)\bnet(?:\.exe)?[ \t]+user[ \t]+[^\s/]+[ \t]+([^\s/*]\S*))", ShapeCheck::not_a_name, false},
    {"convertto", "convertto-securestring", R"((?i)convertto-securestring[ \t]+(?:-string[ \t]+)?["']([^"'\n]+)["'])", ShapeCheck::not_a_name, false},
    {"credential", "networkcredential,pscredential", R"((?i)credential[ \t]*\([ \t]*["'][^"'\n]*["'][ \t]*,[ \t]*["']([^"'\n]+)["'])", ShapeCheck::not_a_name, false},
    {"told", "password,passwd,passphrase,secret", R"((?i)\b(?:password|passwd|passphrase|secret)\b[^\n"'\x60]{0,40}(?:["'\x60][^\n"'\x60]{0,40}["'\x60])?[^\n"'\x60]{0,10}\bis:?[ \t]+["'\x60]([^\s"'\x60]+)["'\x60])", ShapeCheck::not_a_name, false},
    {"told", "password,passwd", R"re((?i)\b(?:password|passwd)[ \t]+"([^"\n]+)")re", ShapeCheck::not_a_name, false},
    {"told", "secret,token,key", R"((?i)(?:secret|token|key)[ \t]+([A-Za-z0-9_+/=-]{20,}))", ShapeCheck::mixed, false},
    {"told", "secret,token", R"((?i)(?:secret|token)[ \t]+([A-Za-z0-9_+/=-]{16,}))", ShapeCheck::mixed, false},
    {"sonar", "sonar", R"((?i)sonar.?login[ \t"',:=]{1,6}([a-f0-9]{40}))", ShapeCheck::none, false},
    {"generic", "key,token,secret,password,passwd,credential,auth,api", R"((?i)(?:api|auth|access|secret|private|client|service|bearer|token|passw)[a-z0-9_.-]{0,30}[ \t"'\]]{0,4}[ \t:=>,(]{1,5}["'\x60]([A-Za-z0-9+/_.~=-]{20,200})["'\x60])", ShapeCheck::mixed, false},
});
// clang-format on

}  // namespace

std::span<const Shape> context_shapes() { return shapes; }

}  // namespace countersign::security
