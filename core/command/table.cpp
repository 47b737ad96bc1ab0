// SPDX-License-Identifier: Apache-2.0
#include "core/command/table.hpp"

#include <algorithm>
#include <array>

namespace countersign {

namespace {

using enum Danger;

constexpr auto programs = std::to_array<ProgramRow>({
    // Programs that read and print, apart from these options.
    {.names =
         "cat head tail pwd echo whoami id uname which df cmp cut basename dirname realpath readlink true false nl tac "
         "column stat tr rev fold expand paste join comm seq sleep nproc groups tty od hexdump"},
    {.names = "arch", .operands = Operands::run},  // on macOS it runs a program: arch -arm64 ./x
    {.names = "grep egrep fgrep",
     .valued = "efmABCdD",
     .strays = "-R --dereference-recursive -S",  // -S is a BSD option
     .selects = "--include"},
    {.names = "ls", .strays = "-L --dereference"},
    {.names = "du", .valued = "BdtX", .strays = "-L --dereference --files0-from"},
    {.names = "wc", .strays = "--files0-from"},
    {.names = "md5sum sha1sum sha256sum sha512sum cksum", .strays = "-c --check"},
    {.names = "strings", .strays = "@"},
    // A shell evaluates the subscript of a variable, and of a number.
    {.names = "printf", .runs = "-v", .operands = Operands::evaluated},
    {.names = "diff", .runs = "-l --paginate", .writes = "--to-file", .strays = "-r --recursive"},
    {.names = "sort",
     .runs = "--compress-program",
     .writes = "-o --output -T --temporary-directory --files0-from",
     .valued = "ktS"},
    {.names = "uniq", .valued = "fsw", .operands = Operands::second_writes},
    {.names = "xxd", .writes = "-r -revert", .valued = "cglosn", .operands = Operands::second_writes},
    {.names = "tree", .writes = "-o -R", .strays = "-l", .selects = "-P"},
    {.names = "file",
     .runs = "-z -Z --uncompress --uncompress-noreport",
     .writes = "-C --compile",
     .valued = "fmeFP",
     .strays = "-f --files-from"},
    {.names = "date", .writes = "-s --set", .valued = "dfrI", .operands = Operands::sets_clock, .strays = "-f --file"},
    {.names = "ps", .runs = "-E", .valued = "CGgopstuU", .operands = Operands::bsd_options},
    {.names = "find",
     .runs = "-exec -ok",
     .writes = "-fprint -fls -files0-from",
     .deletes = "-delete",
     .strays = "-L -follow",
     .selects = "-name -iname -path -ipath -wholename -iwholename"},
    {.names = "fd fdfind", .runs = "-x -X --exec --exec-batch", .valued = "detEcSjoC", .strays = "-L --follow"},
    {.names = "rg",
     .runs = "--pre --hostname-bin -z --search-zip",
     .valued = "egtTABCmjMrdEf",
     .strays = "-L --follow",
     .selects = "-g --glob --iglob"},
    {.names = "ag ack",
     .runs = "--pager -z --search-zip --output --ackrc --env",
     .strays = "-f --follow -x --files-from"},
    {.names = "bat batcat",
     .runs = "--pager -P --paging --lessopen",
     .writes = "--build --clear --source --target",
     .valued = "lHrm"},
    // A file of tests contains filters, which may print the environment. --rawfile and --slurpfile read a file that a
    // word names.
    {.names = "jq gojq", .runs = "-f --from-file -L --library-path --run-tests", .operands = Operands::jq_filter},
    {.names = "yq",
     .runs = "-f --from-file -L --library-path --run-tests",
     .writes = "-i --inplace -s --split-exp --in-place",
     .operands = Operands::jq_filter},
    {.names = "sed", .runs = "-f --file", .writes = "-i --in-place", .valued = "el", .operands = Operands::sed_script},
    {.names = "awk gawk mawk nawk",
     .runs = "-f --file -i --include -l --load -E --exec -D --debug -W",
     .writes = "-o --pretty-print -p --profile -d --dump-variables",
     .valued = "Fv",
     .operands = Operands::awk_program},
    {.names = "ip", .nature = writes, .runs = "-b -batch", .operands = Operands::ip_object},

    // Programs that show text, and run a shell or a helper on request.
    {.names = "less more most lesspipe zless",
     .nature = runs,
     .runs = "+ -k --lesskey --lesskey-src --lesskey-file --lesskey-content --pattern -p",
     .writes = "-o -O --log-file --LOG-FILE"},
    {.names = "man apropos whatis info", .nature = runs, .runs = "-P --pager -H --html -C --config-file -M -X -T -t"},
    {.names = "delta diff-so-fancy", .nature = runs, .runs = "--pager"},
    {.names = "vi vim nvim view ex vimdiff emacs nano pico joe mcedit ed helix hx micro kak",
     .nature = runs,
     .runs = "+ -c --cmd -S -s -u -e -E --eval -l --load -f --funcall"},

    // Programs that write or delete.
    {.names = "rm rmdir unlink shred truncate wipefs srm", .nature = deletes},
    {.names = "mkdir touch cp mv ln install mktemp mkfifo patch", .nature = writes, .runs = "--merge"},
    {.names = "tee sponge split csplit dd shar", .nature = writes, .runs = "--filter", .writes = "of="},
    {.names = "tar bsdtar gtar",
     .nature = writes,
     .runs = "-I --use-compress-program --to-command --checkpoint-action --info-script --new-volume-script -F "
             "--rsh-command "
             "--rmt-command",
     .writes = "--index-file --volno-file -g --listed-incremental",
     .deletes = "--remove-files --delete",
     .operands = Operands::old_options},
    {.names = "zip", .nature = writes, .runs = "-T -TT --unzip-command", .deletes = "-m --move -d"},
    {.names = "unzip gzip gunzip bzip2 xz zstd 7z 7za cpio ar rar unrar", .nature = writes, .runs = "--rsh-command"},
    {.names = "gcc g++ cc c++ clang clang++ ld ld.lld ld.gold as",
     .nature = runs,
     .runs = "-B -wrapper -fplugin -specs --specs -Xclang -load -fuse-ld --plugin -plugin "
             "-fpass-plugin --config -Xlinker -Xassembler -Wl,-plugin -Wl,--plugin @"},
    {.names = "openssl",
     .nature = writes,
     .runs = "-engine -provider -provider-path -config",
     .writes = "-out -keyout -writerand -CAserial -CAcreateserial -sess_out -keylogfile -msgfile -certsout -respout "
               "-reqout -tokenout -chainout -cacertsout -extracertsout"},
    {.names = "gpg gpg2",
     .nature = writes,
     .runs = "--photo-viewer --agent-program --dirmngr-program --exec-path --options --homedir",
     .writes = "-o --output --log-file --logger-file --status-file --attribute-file"},
    {.names = "ffmpeg convert magick", .nature = writes},
    {.names = "hostname domainname", .nature = writes, .writes = "-F --file -b"},
    {.names =
         "chmod chown chgrp kill killall pkill mount umount service reboot shutdown crontab useradd usermod passwd "
         "iptables sysctl mkfs fdisk setfacl visudo modprobe insmod rmmod swapoff",
     .nature = writes},
    {.names = "dpkg",
     .nature = writes,
     .runs = "--pre-invoke --post-invoke --status-logger --admindir --root --instdir",
     .writes = "--log"},
    {.names = "rpm",
     .nature = writes,
     .runs = "--pipe --eval -E --define -D --load --rcfile --macros --predefine --root --dbpath"},

    // Programs that use the network and have options that run or write.
    {.names = "curl",
     .nature = writes,
     .runs = "-K --config --engine --variable",
     .writes =
         "-o -O --output --remote-name --remote-name-all --output-dir --create-dirs -J --remote-header-name -c "
         "--cookie-jar -D --dump-header --trace --trace-ascii --stderr --hsts --alt-svc --etag-save -T --upload-file "
         "--libcurl --ssl-sessions",
     .valued = "HdXubeAmxFrwyYzCEt",
     .operands = Operands::formats},
    {.names = "wget",
     .nature = writes,
     .runs = "--use-askpass --config -e --execute",
     .writes = "-O --output-document -o --output-file -a --append-output -P --directory-prefix --save-cookies "
               "--warc-file --hsts-file --rejected-log --post-file --body-file -i --input-file"},
    {.names = "ssh sftp slogin",
     .nature = runs,
     .runs = "-o -F -S -D -R -L -w -I -D -s -b",
     .writes = "-E",
     .operands = Operands::remote_shell},
    {.names = "rsh remsh adb sshpass autossh mosh", .nature = runs, .operands = Operands::remote_shell},
    {.names = "scp", .nature = runs, .runs = "-S -o -F -D", .operands = Operands::remote_shell},
    {.names = "rsync",
     .nature = writes,
     .runs = "-e --rsh --rsync-path --config --daemon -M --remote-option",
     .writes = "--log-file --write-batch --only-write-batch --backup-dir --temp-dir -T",
     .deletes = "--delete --del --remove-source-files --delete-before --delete-after --delete-excluded",
     .operands = Operands::remote_shell,
     .spelled = "--no-n --no-dry-run"},
    {.names = "nc ncat netcat socat telnet ftp", .nature = runs, .runs = "-e -c --exec --sh-exec --lua-exec"},
    {.names = "tcpdump", .nature = runs, .runs = "-z --postrotate-command", .writes = "-w"},
    {.names = "nmap", .nature = runs, .runs = "--script --interactive --datadir --servicedb --resume", .writes = "-o"},

    // Programs whose purpose is to run programs, scripts or recipes.
    {.names = "python python2 python3 pypy pypy3",
     .nature = runs,
     .runs = "-c -i -X",
     .operands = Operands::python_module},
    {.names = "perl", .nature = runs, .runs = "-e -E -M -m -I -d -x -i -n -p"},
    {.names = "ruby irb", .nature = runs, .runs = "-e -r -I -i -n -p -x -C --require"},
    {.names = "node nodejs bun deno",
     .nature = runs,
     .runs = "-e --eval -p --print -r --require --import --loader --experimental-loader -i --interactive --inspect "
             "--inspect-brk --env-file --allow-all -A --allow-run --prof"},
    {.names = "php lua luajit tclsh wish Rscript R octave ghci scala groovy jshell osascript swipl guile racket sbcl "
              "java javac julia elixir erl",
     .nature = runs,
     .runs = "-r -B -R -F -E -z -d -e -l -i -f -a -agentpath -agentlib -javaagent -XX --eval"},
    {.names =
         "make gmake ninja cmake ctest meson bazel gradle gradlew mvn mvnw ant just rake invoke tox nox task scons waf",
     .nature = runs,
     .runs = "-f --file --makefile -C --directory -I --include-dir --eval -E -e --environment-overrides -P -D --build "
             "-B -S "
             "SHELL= MAKEFLAGS= MAKEFILES= .SHELLFLAGS= --rcfile --config --script --shell --justfile -d "
             "--override_repository",
     .spelled = "="},  // a make variable is also passed on in the environment: LD_PRELOAD=x
    {.names = "eslint",
     .nature = runs,
     .runs = "-c --config --rulesdir --plugin --resolve-plugins-relative-to --parser -f --format",
     .writes = "--fix --fix-type -o --output-file --cache-file --cache-location --init"},
    // A format of pylint may be the path of a class that it loads.
    {.names = "pylint",
     .nature = runs,
     .runs = "--init-hook --load-plugins --rcfile --output-format -f",
     .writes = "--output --import-graph --ext-import-graph --int-import-graph"},
    // TeX accepts every beginning of an option.
    {.names = "tex latex pdftex pdflatex xetex xelatex luatex lualatex etex",
     .nature = runs,
     .runs = "-sh -en -cnf -lua -prog",
     .writes = "-output-d -aux-d -job -rec"},
    {.names = "pytest jest vitest mocha prettier tsc ruff mypy black isort flake8 rubocop phpunit",
     .nature = runs,
     .runs = "-c --config --config-file -p --rootdir --plugin --rulesdir --resolve-plugins-relative-to -r --require "
             "--import "
             "--globalSetup --setupFiles --setupFilesAfterEnv --testRunner --transform -o --override-ini "
             "--python-executable "
             "--parser --bootstrap --init-file --confcutdir --reporter --reporters --runner --resolver "
             "--testEnvironment --watchPlugins --enable-extensions --printer --extension --prepend",
     .writes = "--fix --write -w --outputFile --coverageDirectory --junitxml --junit-xml --basetemp --log-file "
               "--output-file --out --outDir --outFile --cache-dir --cache-location --autocorrect -A"},
    {.names = "npm npx pnpm pnpx yarn bunx corepack",
     .nature = runs,
     .runs = "-c --call --script-shell --node-options --prefix -C --cwd --dir --userconfig --globalconfig --git "
             "--init-module "
             "--editor --shell --viewer --node-gyp --prefer-online --scripts-prepend-node-path -p --package"},
    {.names = "pip pip3 pipx uv uvx poetry conda mamba gem bundle composer apt apt-get aptitude dnf yum brew pacman "
              "apk snap "
              "flatpak",
     .nature = runs,
     .runs = "-o --option --config-settings --global-option --build-option --install-option --python -c --config-file "
             "--root "
             "--target -t --index-url -i --extra-index-url -f --find-links -e --editable --src --prefix --trusted-host",
     .writes = "--log --log-file --report --json-report-file"},
    {.names = "cargo rustc rustup",
     .nature = runs,
     .runs = "--config -C -Z --manifest-path --target-dir --codegen",
     .writes = "--out-dir --artifact-dir"},
    {.names = "go gofmt",
     .nature = runs,
     .runs = "-exec -toolexec -vettool -overlay -modfile -C -ldflags -gcflags -asmflags -cpuprofile",
     .writes = "-w -o -coverprofile -memprofile -blockprofile -mutexprofile -trace -outputdir"},
    {.names = "dotnet swift mix rebar3 stack cabal ghc zig nim flutter dart kotlinc",
     .nature = runs,
     .runs = "--fsmonitor --logger --settings --packages"},
    {.names = "docker podman nerdctl",
     .nature = runs,
     .runs = "--privileged -v --volume --mount --entrypoint --device --cap-add --pid --network --net --security-opt -H "
             "--host "
             "-c --context --config --env-file -f --file"},
    {.names = "kubectl oc helm",
     .nature = runs,
     .runs = "--kubeconfig --context --cluster --server -s --as --as-group --token --raw --post-renderer "
             "--plugins-directory "
             "--editor -f --filename -k --kustomize",
     .writes = "--profile --profile-output --log-file --log-dir --cache-dir --output-dir"},
    {.names = "gdb lldb", .nature = runs, .runs = "-ex -x -iex -ix --command --eval-command -c -o -s -S -O"},
    {.names = "systemctl", .nature = writes, .runs = "-H --host -M --machine --root --image"},
    {.names = "journalctl",
     .nature = runs,
     .runs = "-D --directory --file --root --image -M",
     .writes = "--cursor-file --setup-keys --update-catalog",
     .deletes = "--vacuum-size --vacuum-time --vacuum-files --rotate --flush"},
    {.names = "terraform tofu pulumi ansible ansible-playbook ansible-galaxy vagrant packer",
     .nature = runs,
     .runs = "-chdir -c --cwd -e --extra-vars -i --inventory -m --module-name -M --module-path --vault-password-file "
             "-plugin-dir --policy-pack --playbook-dir --ssh-common-args --ssh-extra-args --scp-extra-args "
             "--sftp-extra-args",
     .writes = "-out -state-out -backup -generate-config-out --tree --profiling"},
    {.names = "sqlite3", .nature = runs, .runs = "-cmd -init -A", .operands = Operands::sql_shell},
    {.names = "mysql mariadb psql redis-cli mongo mongosh",
     .nature = runs,
     .runs = "-c --command -f --file -e --execute --eval -o --output -L --log-file -v --set -H --defaults-file "
             "--defaults-extra-file --init-command --plugin-dir --pager --tee",
     .writes = "--rdb --functions-rdb"},
    {.names = "hg svn bzr fossil cvs",
     .nature = runs,
     .runs = "--config --config-option --config-dir -R --cwd --repository --diff-cmd --diff3-cmd --editor-cmd --ssh "
             "--remotecmd --tool --extcmd"},
    {.names = "gh glab aws az gcloud",
     .nature = runs,
     .runs = "--endpoint-url --profile --impersonate-service-account --flags-file"},
    {.names = "tmux", .nature = runs, .operands = Operands::tmux_commands},
    {.names = "screen", .nature = runs, .runs = "-X"},
    {.names = "expect logrotate xdg-open open at", .nature = runs},
    // A shell evaluates the subscript of the words that it compares.
    {.names = "test [", .operands = Operands::evaluated},

    // Its options before the subcommand are checked individually in core/command/git.cpp.
    {.names = "git",
     .nature = repository,
     .runs =
         "--open-files-in-pager --ext-diff --textconv --upload-pack --receive-pack --exec --exec-path --config "
         "--config-env --filters --template --show-signature --gpg-sign --extcmd --tool --run --git-dir --work-tree "
         "--paginate --strategy --interactive --edit --attr-source --namespace --super-prefix --separate-git-dir",
     .writes = "--output --output-directory",
     .spelled = "--delete --mirror --prune --force --no-dry-run"},
});

constexpr auto subcommands = std::to_array<SubcommandRow>({
    {.program = "git", .names = "grep", .nature = repository, .runs = "-O"},
    {.program = "git", .names = "reflog", .nature = repository, .spelled = "expire delete drop"},
    {.program = "git", .names = "clone init", .nature = runs, .runs = "-c -u"},
    {.program = "git",
     .names = "submodule",
     .nature = runs,
     .runs = "-c -u",
     .spelled = "* foreach update add init",
     .reads = "status summary"},
    {.program = "git",
     .names = "push",
     .nature = runs,
     .runs = "-o",
     .spelled = "-f -d --force-with-lease --force-if-includes : +"},
    {.program = "git", .names = "fetch pull", .nature = runs, .runs = "-o", .spelled = "-f -p -P -u +"},
    {.program = "git", .names = "ls-remote remote-http remote-ext send-pack", .nature = runs, .runs = "-o"},
    {.program = "git", .names = "rebase difftool mergetool", .nature = runs, .runs = "-x -i -t -s -X"},
    {.program = "git", .names = "format-patch archive bundle", .nature = writes, .runs = "--remote", .writes = "-o"},
    {.program = "git", .names = "bisect", .nature = runs, .spelled = "run visualize view replay"},
    {.program = "git",
     .names = "filter-branch daemon instaweb web--browse send-email credential hook fsmonitor--daemon maintenance "
              "imap-send gui gitk citool p4 svn cvsimport upload-pack receive-pack shell for-each-repo fast-import",
     .nature = runs,
     .spelled = "*"},
    {.program = "git", .names = "am", .nature = runs, .runs = "-S -e -s -X", .spelled = "*"},
    {.program = "git", .names = "commit merge cherry-pick revert", .nature = runs, .runs = "-S -e -s -X"},
    {.program = "git", .names = "tag", .nature = runs, .runs = "-S -e -s -X", .spelled = "-d -f"},
    // A setting can name a program: an alias, a pager, a helper, a filter, another address.
    {.program = "git",
     .names = "config",
     .nature = writes,
     .spelled = "* --unset --unset-all --add --replace-all --remove-section --rename-section -e set unset edit",
     .reads = "--get --get-all --get-regexp --get-urlmatch --list -l get list"},
    {.program = "git",
     .names = "remote",
     .nature = writes,
     .spelled = "* add remove rm rename set-head set-branches set-url prune update",
     .reads = "-v --verbose show get-url"},
    // A file with the name of a branch loses its changes; with -b there is no file.
    {.program = "git", .names = "checkout", .nature = writes, .spelled = "* -f -B --", .reads = "-b"},
    {.program = "git", .names = "switch", .nature = writes, .spelled = "-f -C --force-create --discard-changes"},
    {.program = "git", .names = "reset", .nature = writes, .spelled = "--hard --merge --keep"},
    {.program = "git", .names = "stash", .nature = writes, .spelled = "drop clear"},
    {.program = "git", .names = "branch", .nature = writes, .runs = "--edit-description", .spelled = "-D -d -M -C -f"},
    {.program = "git", .names = "worktree", .nature = writes, .spelled = "-f remove move prune"},
    {.program = "git", .names = "notes", .nature = writes, .spelled = "-f remove prune"},
    // The changes of a patch or a list of names aren't visible on the command line.
    {.program = "git",
     .names = "apply update-ref symbolic-ref replace read-tree checkout-index update-index prune",
     .nature = writes,
     .spelled = "*"},
    {.program = "git", .names = "add", .nature = writes, .runs = "-e", .spelled = "-f"},
    {.program = "git",
     .names = "mv gc repack sparse-checkout write-tree hash-object",
     .nature = writes,
     .spelled = "-f"},
    {.program = "git", .names = "restore", .nature = writes, .spelled = "-f -W --worktree --no-staged"},
    {.program = "git", .names = "clean rm", .nature = deletes, .spelled = "-f -d -x -X -i -r"},
    {.program = "npm pnpm yarn pip pip3 poetry bundle composer gh helm",
     .names = "config set c",
     .nature = runs,
     .spelled = "* set",
     .reads = "get list ls view"},
    {.program = "ip", .names = "netns vrf", .nature = runs},
    {.program = "npm pnpm yarn bun", .names = "audit", .nature = runs, .spelled = "fix --fix --force -f"},
    {.program = "cargo", .names = "audit clippy", .nature = runs, .spelled = "fix --fix"},
    // ip accepts every beginning of a word: `ip a f` deletes addresses. Only `ip addr s` shows them; `ip link s` sets.
    {.program = "ip",
     .names = "a ad add addr addre addres address addrl addrlabel l li lin link l2tp r ro rou rout route ru rul rule "
              "n ne nei neig neigh neighb neighbo neighbor neighbour nt ntable ntbl nex nexthop t tu tun tunn tunne "
              "tunnel tunt tunta tuntap tap to tok toke token tc tcp tcp_metrics tcpmetrics m ma mad maddr maddress "
              "mr mro mroute x xf xfrm f fo fou i il ila io ioam mac macs macsec mp mptcp s sr st stats",
     .nature = writes,
     .spelled = "*",
     .reads = "show sh sho list lst ls l li lis get g ge"},
});

constexpr auto aliases = std::to_array<AliasRow>({
    {"git", "push", "-f", "--force"},
    {"git", "push", "-d", "--delete"},
    {"git", "clean", "-f", "--force"},
    {"git", "checkout", "-f", "--force"},
    {"git", "commit", "-n", "--no-verify"},
    {"git", "commit", "-a", "--all"},
    {"git", "reset", "-q", "--quiet"},
    {"git", "branch", "-D", "--delete"},
    {"git", "branch", "-d", "--delete"},
    {"rm", "", "-r", "--recursive"},
    {"rm", "", "-R", "--recursive"},
    {"rm", "", "-r", "-R"},
    {"rm", "", "-f", "--force"},
    {"cp", "", "-r", "--recursive"},
    {"cp", "", "-R", "--recursive"},
    {"chmod", "", "-R", "--recursive"},
    {"chown", "", "-R", "--recursive"},
    {"curl", "", "-k", "--insecure"},
    {"curl", "", "-X", "--request"},
    {"curl", "", "-d", "--data"},
    {"curl", "", "-T", "--upload-file"},
    {"docker", "run", "-v", "--volume"},
    {"kubectl", "delete", "-A", "--all-namespaces"},
    {"npm", "install", "-g", "--global"},
});

constexpr std::string_view wrappers =
    ". aa-exec alias ash at bash batch builtin busybox bwrap caffeinate capsh catchsegv chpst choom chroot chrt "
    "command "
    "cmd coproc cpulimit cscript csh dash dbus-run-session doas dumb-init eatmydata elvish entr env envdir eval exec "
    "faketime "
    "fakechroot "
    "fakeroot firejail fish flock gdb git-shell gosu hyperfine i386 ionice ksh ld.so linux32 linux64 ltrace mksh nice "
    "nocache "
    "nohup nsenter nu numactl parallel perf pkexec prlimit proxychains proxychains4 powershell pwsh pwsh-preview rbash "
    "rlwrap run-parts runcon "
    "runuser script setarch setpriv setsid setuidgid sg sh softlimit source ssh-agent start-stop-daemon stdbuf strace "
    "su "
    "su-exec sudo sudoedit systemd-nspawn systemd-run taskset tcsh time timeout tini torsocks toybox trap uclampset "
    "unbuffer "
    "unshare valgrind watch wscript wsl x86_64 xargs xonsh xvfb-run yash zsh";

constexpr std::string_view shell_builtins = "cd pushd popd dirs export set unset shopt declare typeset local readonly "
                                            "read mapfile readarray enable hash umask ulimit "
                                            "let getopts bind complete compgen history fc jobs fg bg wait disown "
                                            "return exit logout break continue shift times type "
                                            "suspend caller";

std::string lower_case(std::string_view text) {
    std::string lower{text};
    for (auto& c : lower) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return lower;
}

// gcc-12, python3.12, vim.basic
std::string_view without_version(std::string_view program) {
    for (const std::string_view variant : {".basic", ".tiny", ".nox", ".exe"}) {
        if (program.ends_with(variant)) return program.substr(0, program.size() - variant.size());
    }
    return program.substr(0, program.find_last_not_of("0123456789.-") + 1);
}

}  // namespace

bool lists_word(std::string_view list, std::string_view word) {
    if (word.empty() || word.find(' ') != word.npos) return false;
    for (auto at = list.find(word); at != list.npos; at = list.find(word, at + 1)) {
        const auto end = at + word.size();
        if ((at == 0 || list[at - 1] == ' ') && (end == list.size() || list[end] == ' ')) return true;
    }
    return false;
}

const ProgramRow* program_row(std::string_view program) {
    const auto* row =
        std::ranges::find_if(programs, [program](const ProgramRow& one) { return lists_word(one.names, program); });
    return row == programs.end() ? nullptr : row;
}

const SubcommandRow* subcommand_row(std::string_view program, std::string_view subcommand) {
    const auto* row = std::ranges::find_if(subcommands, [&](const SubcommandRow& one) {
        return lists_word(one.program, program) && lists_word(one.names, subcommand);
    });
    return row == subcommands.end() ? nullptr : row;
}

bool has_subcommands(std::string_view program) {
    constexpr std::string_view all = "git docker podman nerdctl kubectl oc helm npm pnpm yarn cargo go ip systemctl gh "
                                     "glab pip pip3 uv poetry dotnet bun "
                                     "terraform tofu aws az gcloud apt apt-get brew gem bundle composer rustup";
    return lists_word(all, program);
}

bool is_alias(std::string_view program, std::string_view subcommand, std::string_view wanted, std::string_view given) {
    const auto is_given = [given](std::string_view option) {
        return option == given || (given.size() > 2 && given.starts_with("--") && option.starts_with(given));
    };
    return std::ranges::any_of(aliases, [&](const AliasRow& row) {
        const bool pair = (row.one == wanted && is_given(row.other)) || (row.other == wanted && is_given(row.one));
        return row.program == program && (row.subcommand.empty() || row.subcommand == subcommand) && pair;
    });
}

bool is_wrapper(std::string_view program) {
    const auto lower = lower_case(program);
    return lists_word(wrappers, lower) || lists_word(wrappers, without_version(lower)) ||
           lower.starts_with("ld-linux") || lower.starts_with("ld-musl");
}

std::string known_name(std::string_view program) {
    if (program_row(program) != nullptr) return std::string{program};
    const auto lower = lower_case(program);
    for (const auto name : {std::string_view{lower}, without_version(lower)}) {
        if (program_row(name) != nullptr) return std::string{name};
    }
    return std::string{program};
}

bool changes_the_shell(std::string_view program) { return lists_word(shell_builtins, program); }

const ProgramRow* program_rows_begin() { return programs.data(); }
const ProgramRow* program_rows_end() { return programs.data() + programs.size(); }
const SubcommandRow* subcommand_rows_begin() { return subcommands.data(); }
const SubcommandRow* subcommand_rows_end() { return subcommands.data() + subcommands.size(); }

}  // namespace countersign
