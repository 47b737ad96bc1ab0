// SPDX-License-Identifier: Apache-2.0
// The desks at which people answer, one for each chat platform, all with the same functions, and a world that has any
// number of them. A scenario that is written for one desk runs at all of them.
//
// A desk has: kind, settings (of its table), places (how a step names its groups), hears (the place where the
// platform lets the bot read what people type), identity(person), connected(hub),
// shown(place): [{id, place, text, labels, file}], and for people: press(person, card, label),
// type(person, text, {replyTo, place}) and command(person, words), which resolve with what the person is told;
// denyWith(person, card, words) and fill(person, card, answers).
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countersignBinary, openBench, until } from './bench.mjs';
import { DiscordDesk } from './desks/discord.mjs';
import { SlackDesk } from './desks/slack.mjs';
import { TelegramDesk } from './desks/telegram.mjs';
import { serve } from './serving.mjs';
import { eachEndsOnce } from './terminal_records.mjs';

export const everyDesk = [TelegramDesk, SlackDesk, DiscordDesk];

const people = { alice: ['approve', 'approve-always'], bob: ['approve'] };

// route: the lines of the only route; without `ask` each desk's first group is asked at once.
export async function openDesks(t, kinds, { route = '', people: names = ['alice', 'bob'], ask } = {}) {
    const bench = await openBench(t);
    const desks = [];
    for (const kind of kinds) {
        const desk = await kind.open(bench);
        t.after(() => desk.close());
        desks.push(desk);
    }
    const world = new DeskWorld(bench, desks);
    const steps = ask ? ask(desks) : desks.map((desk) => `{ channel = "${desk.kind}", ${desk.places[0]} }`);
    const table = ({ kind, settings }) => `[channels.${kind}]\nkind = "${kind}"\n${settings}\n`;
    const person = (name) => {
        const roles = people[name].map((role) => `"${role}"`).join(', ');
        return `[people.${name}]\n${desks.map((desk) => desk.identity(name)).join('\n')}\nroles = [${roles}]\n`;
    };
    const text = `${names.map(person).join('\n')}
${desks.map(table).join('\n')}
[[routes]]
ask = [ ${steps.join(', ')} ]
deciders = [${names.map((name) => `"${name}"`).join(', ')}]
${route}
`;
    writeFileSync(world.config, text, { mode: 0o600 });
    await world.start();
    return world;
}

class DeskWorld {
    constructor(bench, desks) {
        Object.assign(this, { bench, desks, desk: desks[0] });
        this.config = join(bench.directory, 'countersign.toml');
    }

    async start() {
        this.hub = await serve(this);
        for (const desk of this.desks) await desk.connected(this.hub);
    }
    async restart(signal = 'SIGKILL') {
        this.hub.signal(signal);
        await this.hub.ended();
        await this.start();
    }

    #until(what, look) {
        return until(what, look, { within: 30_000, status: () => this.hub.story() });
    }
    // The card of the n-th request with these words that can still be answered.
    card({ desk = this.desk, place = 0, having = '', not = [] } = {}) {
        const isOpen = ({ id, labels, text }) => labels.length > 0 && text.includes(having) && !not.includes(id);
        return this.#until(`a card on ${desk.kind}`, () => desk.shown(place).find(isOpen));
    }
    cards({ desk = this.desk, place = 0 } = {}) {
        return desk.shown(place).filter(({ labels }) => labels.length > 0);
    }
    now(card, desk = this.desk) {
        return desk.shown(card.place).find(({ id }) => id === card.id);
    }
    // What the card says when it has no buttons any more.
    ended(card, desk = this.desk) {
        return this.#until(`the end of a card on ${desk.kind}`, () => {
            const { labels, text } = this.now(card, desk);
            return labels.length === 0 && text;
        });
    }
    says(card, words, desk = this.desk) {
        return this.#until(`${words} on the card`, () => words.test(this.now(card, desk).text));
    }
    answered(agent, words) {
        return this.#until(`the agent to hear ${words}`, () => agent.answer().includes(words));
    }
    records() {
        const args = ['audit', 'tail', '--json', '-n', '10000', '--state', this.bench.state];
        const lines = execFileSync(countersignBinary(), args, { encoding: 'utf8' });
        return lines.trim().split('\n').map((line) => JSON.parse(line));
    }
    record(kind) {
        return this.records().findLast((record) => record.kind === kind);
    }
    recorded(what, fits) {
        return this.#until(what, () => this.records().find(fits));
    }
    verifies() {
        execFileSync(countersignBinary(), ['audit', 'verify', '--state', this.bench.state], { stdio: 'pipe' });
        eachEndsOnce(this.records());
    }
}
