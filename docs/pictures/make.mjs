// SPDX-License-Identifier: Apache-2.0
// Pictures of the documentation: a card as each platform's app shows it, from what `countersign check render` prints,
// and a session in a terminal.
//   node docs/pictures/make.mjs [--binary build/countersign] [KIND…]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { discord } from './discord.mjs';
import { slack } from './slack.mjs';
import { telegram } from './telegram.mjs';
import { terminal } from './terminal.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const painters = { discord, slack, telegram };
const phone = { width: 420, height: 600 };

function call(binary, kind) {
    const args = ['check', 'render', kind, '--agent', 'builder', '--cwd', '/srv/app', join(here, 'event.json')];
    return JSON.parse(execFileSync(binary, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
}

const page = ({ style, header, body }) => `<!doctype html><meta charset="utf-8"><style>
* { box-sizing: border-box; margin: 0 }
body { width: ${phone.width}px; padding: 10px; font: 15px/1.38 "Noto Sans", "DejaVu Sans", sans-serif }
.phone { border: 9px solid #16181d; border-radius: 38px; overflow: hidden; min-height: ${phone.height - 20}px }
.top { padding: 14px 18px 12px; font-weight: 600 } .top small { display: block; font-weight: 400; opacity: .65 }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: 13px/1.4 "DejaVu Sans Mono", monospace }
code { font: 13px "DejaVu Sans Mono", monospace; overflow-wrap: anywhere }
${style}</style><div class="phone"><div class="top">${header}</div>${body}</div>`;

function photograph(html, file) {
    const directory = mkdtempSync(join(tmpdir(), 'countersign-picture-'));
    try {
        const source = join(directory, 'page.html');
        writeFileSync(source, html);
        const size = `--window-size=${phone.width},${phone.height}`;
        const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', size];
        const options = { stdio: 'ignore', timeout: 60_000, env: { ...process.env, HOME: directory } };
        execFileSync('chromium', [...flags, `--screenshot=${file}`, pathToFileURL(source).href], options);
    } finally {
        rmSync(directory, { recursive: true, force: true });
    }
}

const args = process.argv.slice(2);
const at = args.indexOf('--binary');
const [, given] = at < 0 ? [] : args.splice(at, 2);
const binary = resolve(given ?? join(here, '../../build/countersign'));
for (const kind of args.length ? args : [...Object.keys(painters), 'terminal']) {
    const file = join(here, kind === 'terminal' ? 'terminal.svg' : `${kind}.png`);
    if (kind === 'terminal') {
        writeFileSync(file, await terminal(binary));
    } else {
        photograph(page(painters[kind](call(binary, kind))), file);
    }
    console.log(file);
}
