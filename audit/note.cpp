// SPDX-License-Identifier: Apache-2.0
#include "audit/note.hpp"

#include "audit/lines.hpp"
#include "core/limits.hpp"
#include "core/utf8.hpp"
#include "security/encoding.hpp"

#include <algorithm>
#include <charconv>
#include <span>
#include <vector>

namespace countersign::audit {
namespace {

constexpr std::size_t id_bytes = 4;
constexpr std::size_t time_bytes = 8;

Error malformed(std::string why) { return {.code = Errc::malformed, .detail = std::move(why)}; }

// Unicode spaces above U+0020.
bool is_wide_space(char32_t point) {
    return point == 0x85 || point == 0xA0 || point == 0x1680 || (point >= 0x2000 && point <= 0x200A) ||
           point == 0x2028 || point == 0x2029 || point == 0x202F || point == 0x205F || point == 0x3000;
}

bool good_name(std::string_view name) {
    if (name.empty()) return false;
    while (!name.empty()) {
        const auto point = utf8::decode(name);
        if (!point || point->value <= 0x20 || point->value == 0x7F || point->value == '+') return false;
        if (is_wide_space(point->value)) return false;
        name.remove_prefix(point->length);
    }
    return true;
}

bool good_note_text(std::string_view text) {
    return utf8::valid(text) &&
           std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\n'; });
}

// The message that a witness signs.
std::string cosigned_message(std::string_view text, std::uint64_t seconds) {
    return "cosignature/v1\ntime " + std::to_string(seconds) + "\n" + std::string{text};
}

// The time in a witness's signature, after the key id.
std::uint64_t time_in(std::span<const std::uint8_t> signature) {
    std::uint64_t seconds = 0;
    for (const auto byte : signature.subspan(id_bytes, time_bytes)) seconds = seconds << 8U | byte;
    return seconds;
}

}  // namespace

NoteKey::NoteKey(std::string name, security::Ed25519PublicKey key, NoteAlgorithm algorithm)
    : name_{std::move(name)}, key_{key}, algorithm_{algorithm} {
    const std::array<std::uint8_t, 2> between{'\n', static_cast<std::uint8_t>(algorithm_)};
    const auto digest = security::Sha256{}.update(name_).update(between).update(std::span{key_.bytes()}).finish();
    std::copy_n(digest.begin(), id_.size(), id_.begin());
}

Result<NoteKey> NoteKey::make(std::string name, security::Ed25519PublicKey key, NoteAlgorithm algorithm) {
    if (!good_name(name)) return Error{Errc::bad_config, "the name of a key must be without spaces or '+'"};
    return NoteKey{std::move(name), key, algorithm};
}

Result<NoteKey> NoteKey::parse(std::string_view vkey, NoteAlgorithm algorithm) {
    const auto first = vkey.find('+');
    const auto second = first == std::string_view::npos ? first : vkey.find('+', first + 1);
    if (second == std::string_view::npos) return malformed("a verifier key is name+hash+key");
    const auto bytes = security::base64_decode(vkey.substr(second + 1));
    if (!bytes || bytes->size() != 33 || bytes->front() != static_cast<std::uint8_t>(algorithm)) {
        return malformed(algorithm == NoteAlgorithm::log ? "the verifier key is no Ed25519 key of a log"
                                                         : "the verifier key is no Ed25519 key of a witness");
    }
    const auto point = security::Ed25519PublicKey::from_bytes(std::span{*bytes}.subspan(1));
    if (!point) return malformed("the verifier key is no Ed25519 point");
    auto key = make(std::string{vkey.substr(0, first)}, *point, algorithm);
    if (!key) return malformed("the verifier key has no good name");
    if (security::hex(key->id_) != vkey.substr(first + 1, second - first - 1)) {
        return malformed("the hash in the verifier key is not that of its name and key");
    }
    return key;
}

std::string NoteKey::vkey() const {
    security::Bytes bytes{static_cast<std::uint8_t>(algorithm_)};
    bytes.insert(bytes.end(), key_.bytes().begin(), key_.bytes().end());
    return name_ + "+" + security::hex(id_) + "+" + security::base64(bytes);
}

bool NoteKey::verify(std::string_view text, std::string_view signature) const {
    const bool witness = algorithm_ == NoteAlgorithm::witness;
    const auto bytes = security::base64_decode(signature);
    security::Ed25519Signature raw;
    const auto before = id_.size() + (witness ? time_bytes : 0);
    if (!bytes || bytes->size() != before + raw.size()) return false;
    if (!std::equal(id_.begin(), id_.end(), bytes->begin())) return false;
    std::copy_n(bytes->begin() + static_cast<std::ptrdiff_t>(before), raw.size(), raw.begin());
    if (!witness) return key_.verify(raw, text);
    return key_.verify(raw, cosigned_message(text, time_in(*bytes)));
}

Result<NoteSigner> NoteSigner::make(std::string name, security::Ed25519SigningKey key, NoteAlgorithm algorithm) {
    auto public_key = NoteKey::make(std::move(name), key.public_key(), algorithm);
    if (!public_key) return public_key.error();
    return NoteSigner{std::move(*public_key), std::move(key)};
}

std::string NoteSigner::sign(std::string_view text) const {
    security::Bytes bytes{public_.id().begin(), public_.id().end()};
    const auto raw = secret_.sign(text);
    bytes.insert(bytes.end(), raw.begin(), raw.end());
    return security::base64(bytes);
}

std::string NoteSigner::cosign(std::string_view text, std::uint64_t seconds) const {
    security::Bytes bytes{public_.id().begin(), public_.id().end()};
    for (unsigned shift = 64; shift > 0; shift -= 8) bytes.push_back(static_cast<std::uint8_t>(seconds >> (shift - 8)));
    const auto raw = secret_.sign(cosigned_message(text, seconds));
    bytes.insert(bytes.end(), raw.begin(), raw.end());
    return security::base64(bytes);
}

std::string signature_line(std::string_view key_name, std::string_view signature) {
    std::string line{signature_mark};
    return line.append(key_name).append(" ").append(signature).append("\n");
}

std::string note(std::string_view text, std::string_view key_name, std::string_view signature) {
    return std::string{text} + "\n" + signature_line(key_name, signature);
}

namespace {

// The text of a note, and the verified signatures of the given keys.
struct Opened {
    std::string_view text;
    std::vector<std::string_view> signatures;
};

Result<Opened> open_whole(std::string_view note, std::span<const NoteKey> keys) {
    if (!good_note_text(note)) return malformed("a note is UTF-8 without control characters");
    const auto split = note.rfind("\n\n");
    if (split == std::string_view::npos || !note.ends_with('\n')) return malformed("the note has no signatures");
    Opened opened{.text = note.substr(0, split + 1), .signatures = {}};
    std::size_t lines = 0;
    for (auto rest = note.substr(split + 2); !rest.empty(); ++lines) {
        auto line = *take_line(rest);  // succeeds: the note ends with LF
        if (!line.starts_with(signature_mark)) return malformed("a bad signature line");
        if (lines == limits::note_signatures_max) return malformed("too many signatures");
        line.remove_prefix(signature_mark.size());
        const auto space = line.find(' ');
        if (space == std::string_view::npos || !good_name(line.substr(0, space)))
            return malformed("a bad signature line");
        const auto signature = line.substr(space + 1);
        const auto bytes = security::base64_decode(signature);
        if (!bytes || bytes->size() < id_bytes + 1) return malformed("a bad signature line");
        const auto of = std::ranges::find_if(keys, [&](const NoteKey& key) {
            return key.name() == line.substr(0, space) &&
                   std::ranges::equal(key.id(), std::span{*bytes}.first(id_bytes));
        });
        if (of == keys.end()) continue;
        if (!of->verify(opened.text, signature)) return Error{Errc::bad_signature, "the note's signature is wrong"};
        opened.signatures.push_back(signature);
    }
    return opened;
}

Result<Opened> open_signed(std::string_view note, std::span<const NoteKey> keys) {
    auto opened = open_whole(note, keys);
    if (opened && opened->signatures.empty()) {
        return Error{Errc::bad_signature,
                     "the note is not signed by " + (keys.empty() ? "anybody" : keys.back().vkey())};
    }
    return opened;
}

}  // namespace

Result<std::string> open_note(std::string_view note, const NoteKey& key) { return open_note(note, {&key, 1}); }

Result<std::string> open_note(std::string_view note, std::span<const NoteKey> keys) {
    const auto opened = open_signed(note, keys);
    if (!opened) return opened.error();
    return std::string{opened->text};
}

Result<std::string> signed_only_by(std::string_view note, std::span<const NoteKey> keys) {
    const auto opened = open_signed(note, keys);
    if (!opened) return opened.error();
    auto clean = std::string{opened->text} + "\n";
    for (const auto signature : opened->signatures) clean += signature_line(keys.front().name(), signature);
    return clean;
}

Result<std::optional<std::uint64_t>> cosigned_at(std::string_view note, const NoteKey& witness) {
    const auto opened = open_whole(note, {&witness, 1});
    if (!opened) return opened.error();
    std::optional<std::uint64_t> last;
    for (const auto signature : opened->signatures) {
        last = std::max(last.value_or(0), time_in(*security::base64_decode(signature)));
    }
    return last;
}

Result<std::uint64_t> parse_size(std::string_view digits) {
    std::uint64_t number = 0;
    const auto* end = digits.data() + digits.size();
    const auto [stop, failure] = std::from_chars(digits.data(), end, number);
    const bool leading_zero = digits.size() > 1 && digits.front() == '0';
    if (failure != std::errc{} || stop != end || leading_zero) return malformed("the size is no plain decimal");
    if (number > limits::log_records_max) return malformed("the size is larger than any log");
    return number;
}

std::string checkpoint_text(std::string_view origin, const Tree& tree) {
    return std::string{origin} + "\n" + std::to_string(tree.size) + "\n" + security::base64(tree.root) + "\n";
}

Result<Tree> parse_checkpoint(std::string_view text, std::string_view origin) {
    if (std::ranges::count(text, '\n') != 3 || !text.ends_with('\n')) return malformed("a checkpoint has three lines");
    if (take_line(text) != origin) return malformed("the checkpoint is of another origin");
    const auto size = parse_size(*take_line(text));
    if (!size) return size.error();
    const auto root = parse_hash(*take_line(text));
    if (!root) return malformed("the checkpoint's root is no SHA-256");
    return Tree{.size = *size, .root = *root};
}

}  // namespace countersign::audit
