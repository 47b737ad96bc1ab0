// SPDX-License-Identifier: Apache-2.0
// A picture of a real session: commands are typed into a terminal that tmux provides, cards are answered with keys, and
// the screen is drawn as an SVG. Ids, times and hashes differ in each run; they are replaced by fixed ones of the same
// length, so the picture only changes when the program does.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { svg } from './screen.mjs';

const size = { columns: 100, rows: 60 };
const wait_max = 20_000;
// Each answer takes between one second and ten, so that its time always has the same width.
const reading = 1_500;

// One shell in a tmux server of its own.
class Terminal {
    constructor(directory, binary) {
        this.socket = join(directory, 'tmux');
        const bin = join(directory, 'bin');
        mkdirSync(bin);
        symlinkSync(binary, join(bin, 'countersign'));
        const rc = join(directory, 'rc');
        writeFileSync(rc, `PS1='\\[\\e[1;32m\\]$\\[\\e[0m\\] '; unset HISTFILE\n`);
        const PATH = `${bin}:/usr/bin:/bin`;
        const env = { PATH, HOME: directory, LANG: 'C.UTF-8', TZ: 'UTC', TERM: 'xterm-256color' };
        const { columns, rows } = size;
        const shell = ['bash', '--noprofile', '--rcfile', rc];
        const session = ['new-session', '-d', '-x', columns, '-y', rows, ...shell].map(String);
        execFileSync('tmux', ['-S', this.socket, '-f', '/dev/null', ...session], { env });
    }
    tmux(...args) {
        return execFileSync('tmux', ['-S', this.socket, ...args], { encoding: 'utf8' });
    }
    text() {
        return this.tmux('capture-pane', '-p');
    }
    // With escape codes and without the empty rest of the screen; of the cards only the last ones, as after scrolling.
    lines(cards = Infinity) {
        const lines = this.tmux('capture-pane', '-e', '-p').replace(/\s+$/, '').split('\n');
        const plain = this.text().split('\n');
        const heads = [...plain.keys()].filter((n) => plain[n].startsWith('── '));
        return lines.slice(cards < heads.length ? heads.at(-cards) : 0);
    }
    type(text) {
        this.tmux('send-keys', '-l', '--', text);
    }
    // A key as tmux names it: Enter, Down, 1.
    press(key) {
        this.tmux('send-keys', key);
    }
    async shows(wanted, meanwhile = () => {}, every = 50) {
        for (const end = Date.now() + wait_max; Date.now() < end; await sleep(every)) {
            if (wanted.test(this.text())) return;
            meanwhile();
        }
        throw new Error(`the terminal doesn't show ${wanted}:\n${this.text()}`);
    }
    // A card ignores the keys of its first moment, so the key is pressed until something happens.
    presses(key, wanted) {
        return this.shows(wanted, () => this.press(key), 400);
    }
    async runs(command, wanted) {
        this.type(command);
        this.press('Enter');
        await this.shows(wanted);
    }
    close() {
        this.tmux('kill-server');
    }
}

async function session(shell) {
    await shell.shows(/^\$/m);
    await shell.runs('countersign demo --once', /Enter choose/);
    await sleep(reading);
    await shell.presses('1', /▶ Allow/);
    await shell.presses('Enter', /^agent │ ran ls/m);
    await shell.shows(/rm -rf build[^]*Enter choose/);
    await sleep(reading);
    await shell.presses('Enter', /reason \(optional\)/);
    shell.type('in use');
    await shell.presses('Enter', /^agent │ did not run rm/m);
    await shell.shows(/price\.py[^]*Enter choose/);
    await sleep(reading);
    const card = shell.lines(2);
    await shell.presses('1', /▶ Allow/);
    await shell.presses('Enter', /^agent │ ran the edit/m);
    await shell.shows(/curl[^]*Enter choose/);
    await sleep(reading);
    await shell.presses('Enter', /reason \(optional\)/);
    await shell.presses('Enter', /^agent │ did not run curl/m);
    await shell.shows(/Enter select/);
    await sleep(reading);
    await shell.presses('Enter', /all intact/);
    const [, workspace] = /rm -r (\S+)/.exec(shell.text());
    try {
        await shell.runs(`cd ${workspace}; clear`, /^\$\s*$/);
        await shell.runs('countersign audit list --state state', /Which database[^]*\n\$\s*$/);
        await shell.runs('countersign audit verify --state state', /proved[^]*\n\$\s*$/);
        return [
            { title: 'countersign demo', lines: card },
            { title: 'countersign audit', lines: shell.lines() },
        ];
    } finally {
        rmSync(workspace, { recursive: true, force: true });
    }
}

const digest = (what) => createHash('sha256').update(`picture ${what}`).digest();
const hex = (what, length) => digest(what).toString('hex').slice(0, length);
const letters = (what, length) => {
    const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
    return [...digest(what).subarray(0, length)].map((byte) => alphabet[byte % 32]).join('');
};

// The five requests of the demo: when they were asked, and how long the answers took.
const asked = ['09:41:02', '09:41:06', '09:41:12', '09:41:17', '09:41:24'];
const took = ['3.2 s', '5.8 s', '4.1 s', '6.4 s', '2.9 s'];
const id = (request) => `01KJPZ4Q${letters(`request ${request}`, 18)}`;

// Replaces the nth match by what `fixed` returns for n.
function replaced(text, pattern, fixed) {
    let n = 0;
    return text.replace(pattern, () => fixed(n++));
}

function same_each_time([demo, audit]) {
    const all = (lines, change) => change(lines.join('\n')).split('\n');
    const common = (text) => text.replace(/demo-\w{6}/g, 'demo-K3xQ9a').replace(/20\d\d-\d\d-\d\d/g, '2026-03-02');
    demo.lines = all(demo.lines, (text) => {
        // The second request, which was denied, and the third, which is open.
        const ids = [...new Set(text.match(/\b01[0-9A-Z]{24}\b/g))];
        let out = common(text).replace(/\b01[0-9A-Z]{24}\b/g, (one) => id(ids.indexOf(one) + 1));
        out = replaced(out, /T\d\d:\d\d:\d\dZ/g, (n) => `T${[asked[1], asked[2]][n] ?? asked[2]}Z`);
        out = out.replace(/after \d+ s\b/, 'after 6 s').replace(/\b\d\.\d s\b/, took[1]);
        return replaced(out, /\b[0-9a-f]{16}\b/g, (n) => hex(`anchor ${n}`, 16));
    });
    audit.lines = all(audit.lines, (text) => {
        let out = replaced(common(text), /(?<!\d)\d\d:\d\d:\d\d\b/g, (n) => asked[n]);
        out = replaced(out, /\b\d\.\d s\b/g, (n) => took[n]);
        out = replaced(out, /(?<=[ m])[0-9A-Z]{6}(?=(?:\x1b\[[\d;]*m)*$)/gm, (n) => id(n).slice(-6));
        out = out.replace(/\d+ signatures/, '24 signatures');
        out = out.replace(/root: \S{44}/, `root: ${digest('root').toString('base64')}`);
        return out.replace(/[\d,]+ records\/s, \d+ ms/, '14,644 records/s, 2 ms');
    });
    return [demo, audit];
}

export async function terminal(binary) {
    const directory = mkdtempSync(join(tmpdir(), 'countersign-picture-'));
    const shell = new Terminal(directory, binary);
    try {
        const screens = same_each_time(await session(shell));
        return svg({ title: 'A session in a terminal', columns: size.columns, screens });
    } finally {
        shell.close();
        rmSync(directory, { recursive: true, force: true });
    }
}
