// SPDX-License-Identifier: Apache-2.0
#include "security/redact/command_prefixes.hpp"

#include <algorithm>
#include <array>

namespace countersign::security {
namespace {

struct Prefix {
    std::string_view name;
    std::string_view letters = {};  // short options whose value is the next word
    std::string_view options = {};  // long options, each between two commas
    std::size_t operands = 0;
};

constexpr std::string_view shell_options = ",rcfile,init-file,";
constexpr std::string_view ssh_letters = "BbcDEeFIiJLlmOopQRSWw";

constexpr std::array prefixes = std::to_array<Prefix>({
    {""},
    // Keywords of bash, zsh and fish.
    {"!"},
    {"{"},
    {"and"},
    {"begin"},
    {"builtin"},
    {"command"},
    {"coproc"},
    {"do"},
    {"elif"},
    {"else"},
    {"eval"},
    {"exec", "a"},
    {"function", "", "", 1},
    {"if"},
    {"nocorrect"},
    {"noglob"},
    {"not"},
    {"or"},
    {"source"},
    {"."},
    {"then"},
    {"trap"},
    {"time", "of", ",output,format,"},
    {"until"},
    {"while"},
    // Instructions of a Dockerfile.
    {"CMD"},
    {"ENTRYPOINT"},
    {"RUN"},
    // Programs that run their operand.
    {"arch", "dh"},
    {"busybox"},
    {"chroot", "", ",userspec,groups,", 1},
    {"doas", "uC"},
    {"env", "uC", ",unset,chdir,"},
    {"flock", "wE", ",wait,timeout,conflict-exit-code,", 1},
    {"ionice", "cnpPu", ",class,classdata,pid,pgid,uid,"},
    {"ltrace", "aeoEpsu"},
    {"nice", "n", ",adjustment,"},
    {"nohup"},
    {"runuser", "ugGcs", ",user,group,supp-group,shell,"},
    {"setsid"},
    {"ssh", ssh_letters, "", 1},
    {"stdbuf", "ioe", ",input,output,error,"},
    {"strace", "aeoEpsuPbIO"},
    {"sudo", "ugpChrtTUDR", ",user,group,prompt,close-from,host,role,type,command-timeout,other-user,chdir,chroot,"},
    {"taskset", "", "", 1},
    {"timeout", "sk", ",signal,kill-after,", 1},
    {"watch", "n", ",interval,"},
    {"xargs", "IaEdLnPs", ",arg-file,delimiter,max-args,max-procs,max-chars,process-slot-var,"},
    // Interpreters: their operand is a script.
    {"ash", "oO"},
    {"bash", "oO", shell_options},
    {"dash", "oO"},
    {"fish", "CdDfo", ",init-command,features,profile,profile-startup,debug,debug-output,"},
    {"ksh", "oO"},
    {"node", "rC", ",require,import,loader,conditions,env-file,"},
    {"perl", "I"},
    {"python", "WX"},
    {"python3", "WX"},
    {"ruby", "rIC"},
    {"sh", "oO", shell_options},
    {"zsh", "oO", shell_options},
});

}  // namespace

std::size_t command_prefix(std::string_view word) {
    word.remove_prefix(word.rfind('/') + 1);
    if (word.empty()) return 0;
    const auto found = std::ranges::find(prefixes, word, &Prefix::name);
    return found == prefixes.end() ? 0 : static_cast<std::size_t>(found - prefixes.begin());
}

std::size_t operands_of(std::size_t prefix) { return prefixes[prefix].operands; }

// Programs accept abbreviated long options, so we do too.
bool option_takes_value(std::size_t prefix, std::string_view option) {
    const auto& known = prefixes[prefix];
    if (option.find('=') != std::string_view::npos) return false;
    if (!option.starts_with("--")) {
        const auto first = option.find_first_of(known.letters, 1);
        return first != std::string_view::npos && first + 1 == option.size();
    }
    if (option.size() == 2) return false;
    auto rest = known.options;
    for (auto at = rest.find(','); at != std::string_view::npos; at = rest.find(',', at + 1)) {
        if (rest.substr(at + 1).starts_with(option.substr(2))) return true;
    }
    return false;
}

}  // namespace countersign::security
