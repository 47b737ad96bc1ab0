// SPDX-License-Identifier: Apache-2.0
#include "security/redact/public_text.hpp"

#include "security/redact/base64.hpp"

#include <algorithm>
#include <string>

namespace countersign::security {
namespace {

constexpr std::size_t full_line_bytes = 60;  // of wrapped base64: a shorter line is the last one
constexpr std::string_view line_gap = "= \t\r\n\\\"'+,";

// The first bytes of public file types, in base64.
bool starts_public_file(std::string_view text, std::size_t begin, std::string_view run) {
    for (const std::string_view head : {"iVBORw0KGgo", "/9j/4", "/9j/2", "R0lGOD", "UklGR", "d09GR", "AAABAAE"}) {
        if (run.starts_with(head)) return true;
    }
    const auto before = text.substr(begin > 40 ? begin - 40 : 0, std::min<std::size_t>(begin, 40));
    if (!before.ends_with(";base64,")) return false;
    const auto type = before.rfind("data:");
    if (type == std::string_view::npos) return false;
    const auto media = before.substr(type + 5);
    return media.starts_with("image/") || media.starts_with("font/") || media.starts_with("audio/") ||
           media.starts_with("video/");
}

// ssh-ed25519 AAAAC3Nz…: a length of four bytes, then the name of the key type. A private key starts differently.
bool starts_ssh_public_key(std::string_view run) {
    if (!run.starts_with("AAAA") || run.size() < 32) return false;
    const auto head = decode_base64(run.substr(0, 32)).value_or("");
    for (const std::string_view type : {"ssh-rsa", "ssh-dss", "ssh-ed25519", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-"}) {
        if (head.size() > 4 && std::string_view{head}.substr(4).starts_with(type)) return true;
    }
    return false;
}

// A certificate or a public key, with its armour before the run or encoded in it.
bool starts_public_block(std::string_view text, std::size_t begin, std::string_view run) {
    const auto before = text.substr(begin > 64 ? begin - 64 : 0, std::min<std::size_t>(begin, 64));
    const auto armour = before.rfind("-----BEGIN ");
    if (armour != std::string_view::npos) {
        const auto label = before.substr(armour + 11);
        const auto close = label.find("-----");
        if (close == std::string_view::npos || label.substr(0, close).find("PRIVATE") != std::string_view::npos)
            return false;
        return label.find_first_not_of(" \t\r\n\\nr\"'+,", close + 5) == std::string_view::npos;
    }
    if (!run.starts_with("LS0tLS1CRUdJTi")) return false;
    const auto head = decode_base64(run.substr(0, std::min<std::size_t>(run.size() / 4 * 4, 64))).value_or("");
    return head.find("PRIVATE") == std::string::npos;
}

}  // namespace

bool PublicText::has(std::size_t begin, std::size_t end) {
    const auto run = text_.substr(begin, end - begin);
    const auto gap = text_.substr(until_, begin - until_);
    const bool goes_on = until_ != 0 && run.find("-----") == std::string_view::npos &&
                         gap.find_first_not_of(line_gap) == std::string_view::npos;
    const bool wrapped = goes_on || starts_public_file(text_, begin, run) || starts_public_block(text_, begin, run);
    until_ = wrapped && run.size() >= full_line_bytes ? end : 0;
    return wrapped || starts_ssh_public_key(run);
}

bool public_address(std::string_view text, std::size_t begin, std::size_t end) {
    const auto part = text.substr(begin, end - begin);
    for (const std::string_view head : {"age1", "bc1", "npub1", "baf"}) {
        if (part.starts_with(head)) return true;
    }
    return text.substr(0, begin).ends_with("/nix/store/") || text.substr(end).starts_with(".onion");
}

}  // namespace countersign::security
