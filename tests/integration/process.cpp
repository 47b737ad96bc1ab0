// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/process.hpp"

#include <arpa/inet.h>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace countersign::testing_tools {
namespace {

namespace fs = std::filesystem;

constexpr unsigned seconds_max = 60;

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> list;
    for (auto& text : texts) list.push_back(text.data());
    list.push_back(nullptr);
    return list;
}

// A temporary file for each stream: no pipe can fill up and block either side.
struct Streams {
    TemporaryDirectory directory;
    std::string in = directory.file("in", "");
    std::string out = directory.file("out", "");
    std::string err = directory.file("err", "");
};

}  // namespace

Ran run(const Command& command) {
    Streams streams;
    std::ofstream{streams.in, std::ios::binary} << command.input;
    auto argv = command.argv;
    std::vector<std::string> environment{"PATH=" + std::string{std::getenv("PATH")},
                                         "HOME=" + streams.directory.path()};
    environment.insert(environment.end(), command.environment.begin(), command.environment.end());
    const auto arguments = pointers(argv);
    const auto variables = pointers(environment);

    const pid_t pid = ::fork();
    if (pid < 0) throw std::runtime_error{"fork"};
    if (pid == 0) {
        if (std::freopen(streams.in.c_str(), "r", stdin) == nullptr ||
            std::freopen(streams.out.c_str(), "w", stdout) == nullptr ||
            std::freopen(streams.err.c_str(), "w", stderr) == nullptr) {
            ::_exit(126);
        }
        if (!command.directory.empty() && ::chdir(command.directory.c_str()) != 0) ::_exit(126);
        ::alarm(seconds_max);  // survives exec: a program that hangs is ended by SIGALRM
        ::execvpe(arguments[0], arguments.data(), variables.data());
        ::_exit(127);
    }
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    Ran ran{.out = contents(streams.out), .err = contents(streams.err)};
    ran.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return ran;
}

std::string countersign_path() { return COUNTERSIGN_BINARY; }

Ran countersign(std::vector<std::string> arguments, std::string input) {
    arguments.insert(arguments.begin(), countersign_path());
    return run({.argv = std::move(arguments), .input = std::move(input)});
}

Talk::Talk(std::vector<std::string> argv, std::vector<std::string> environment) {
    int in[2];
    int out[2];
    if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) throw std::runtime_error{"pipe2"};
    environment.push_back("PATH=" + std::string{std::getenv("PATH")});
    const auto arguments = pointers(argv);
    const auto variables = pointers(environment);
    pid_ = ::fork();
    if (pid_ < 0) throw std::runtime_error{"fork"};
    if (pid_ == 0) {
        ::dup2(in[0], STDIN_FILENO);
        ::dup2(out[1], STDOUT_FILENO);
        ::dup2(out[1], STDERR_FILENO);
        ::alarm(seconds_max);
        ::execvpe(arguments[0], arguments.data(), variables.data());
        ::_exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    input_ = in[1];
    output_ = out[0];
}

Talk::~Talk() {
    if (pid_ > 0) {
        ::kill(pid_, SIGKILL);
        finish();
    }
}

bool Talk::read_more() {
    char buffer[4096];
    const auto count = ::read(output_, buffer, sizeof buffer);  // the child's alarm bounds the wait
    if (count <= 0) return false;
    said_.append(buffer, static_cast<std::size_t>(count));
    return true;
}

bool Talk::wait_for(const std::string& text) {
    for (;;) {
        const auto at = said_.find(text, looked_);
        if (at != std::string::npos) {
            looked_ = at + text.size();
            return true;
        }
        if (!read_more()) return false;
    }
}

void Talk::type(const std::string& line) {
    const auto bytes = line + "\n";
    if (::write(input_, bytes.data(), bytes.size()) < 0) throw std::runtime_error{"it does not listen"};
}

void Talk::close_input() {
    if (input_ >= 0) ::close(input_);
    input_ = -1;
}

int Talk::finish() {
    while (read_more()) {}
    close_input();
    ::close(output_);
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {}
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TemporaryDirectory::TemporaryDirectory() : path_{(fs::temp_directory_path() / "countersign-test-XXXXXX").string()} {
    if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error{"mkdtemp"};
}

TemporaryDirectory::~TemporaryDirectory() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

std::string TemporaryDirectory::file(const std::string& name, const std::string& text, unsigned mode) const {
    auto path = path_ + "/" + name;
    std::ofstream{path, std::ios::binary} << text;
    if (::chmod(path.c_str(), mode) != 0) throw std::runtime_error{"chmod"};
    return path;
}

std::string free_port() {
    const int probe = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(probe, reinterpret_cast<sockaddr*>(&address), size) != 0) throw std::runtime_error{"bind"};
    if (::getsockname(probe, reinterpret_cast<sockaddr*>(&address), &size) != 0)
        throw std::runtime_error{"getsockname"};
    ::close(probe);
    return std::to_string(ntohs(address.sin_port));
}

std::string contents(const std::string& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace countersign::testing_tools
