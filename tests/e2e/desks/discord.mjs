// SPDX-License-Identifier: Apache-2.0
// Discord as a desk: channels of a server in which the bot shows cards and people answer, over the Gateway.
//
// The bot doesn't ask to read what people write in servers, so typed replies reach it only in direct messages: that is
// the third place.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DiscordSimulator } from '../discord_simulator.mjs';
import { until } from '../until.mjs';

const ids = { alice: '539082325061836801', bob: '539082325061836802', mallory: '539082325061836666' };
const channels = ['345626669114982001', '345626669114982002'];
const reader = 'alice'; // whose direct messages are the third place
const optionsOf = { approve: ['code', 'option'], deny: ['code', 'reason'], pending: [], halt: ['name'] };

// A slash command as it would be typed: everything that has no command of its own goes through /countersign.
function commandFor(words) {
    const [, name, rest] = /^(\S+)\s*([^]*)$/.exec(words);
    const names = optionsOf[name];
    if (!names) return { command: 'countersign', options: { words } };
    const [, first, second] = /^(\S*)\s*([^]*)$/.exec(rest);
    const values = names.length > 1 ? [first, second] : [rest];
    const given = names.map((option, i) => [option, values[i]]).filter(([, value]) => value);
    return { command: name, options: Object.fromEntries(given) };
}

export class DiscordDesk {
    kind = 'discord';
    places = [...channels.map((id) => `chat = "${id}"`), `people = ["${reader}"]`];
    hears = 2;
    #session = null;

    static async open(bench) {
        const desk = new DiscordDesk();
        desk.simulator = await DiscordSimulator.start({ channels, identifyEvery: 0 });
        for (const [username, id] of Object.entries(ids)) desk.simulator.addUser({ id, username });
        const token = join(bench.directory, 'discord-token');
        writeFileSync(token, desk.simulator.botToken, { mode: 0o600 });
        desk.settings = `token_file = "${token}"\nbase_url = "${desk.simulator.url}"`;
        return desk;
    }

    identity(person) {
        return `discord = "${ids[person]}"`;
    }
    // A session of this hub, not the one of a hub that was killed, and the commands that people type.
    async connected(hub) {
        const { gateway, world } = this.simulator;
        const status = () => hub.story();
        const isNew = ({ session }) => session.id !== this.#session;
        const link = await until('a session of the Gateway', () => gateway.connected.find(isNew), { status });
        this.#session = link.session.id;
        await until('the slash commands', () => world.commands.get('everywhere')?.length === 5, { status });
    }
    close() {
        return this.simulator.close();
    }

    #isAt(place, id) {
        const { parent, recipient } = this.simulator.world.channel(id);
        return place === 2 ? recipient === ids[reader] : [id, parent].includes(channels[place]);
    }
    shown(place = 0) {
        const { simulator } = this;
        const here = simulator.messages({ ephemeral: false }).filter(({ channel }) => this.#isAt(place, channel));
        return here.map((message) => ({
            id: message.id,
            place,
            text: simulator.readable(message),
            labels: simulator.labels(message),
            file: message.files[0]?.content,
        }));
    }

    #messageOf(card) {
        return this.simulator.messages().find(({ id }) => id === card.id);
    }
    #told(person) {
        return this.simulator.messages({ ephemeral: true }).filter(({ ephemeral }) => ephemeral === ids[person]);
    }
    // A press that decides changes the card; words for the person alone come where it doesn't.
    async #acted(person, message, act) {
        const before = this.#told(person).length;
        const changes = message.history.length;
        await act({ user: ids[person], message });
        return until('an answer to the click', () => {
            const told = this.#told(person).slice(before);
            if (told.length > 0) return told.map((one) => this.simulator.readable(one)).join('\n');
            return message.history.length > changes ? this.simulator.readable(message) : null;
        });
    }
    press(person, card, label) {
        return this.#acted(person, this.#messageOf(card), (on) => this.simulator.press({ ...on, label }));
    }
    async type(person, text, { replyTo: reply, place = 2 } = {}) {
        const { simulator } = this;
        const channel = place === 2 ? simulator.world.directChannel(ids[person]).id : channels[place];
        const { message } = await simulator.say({ user: ids[person], channel, text, reply });
        const isAnswer = ({ reply_to: to }) => to === message.id;
        return until('an answer to the text', () => simulator.messages({ channel }).find(isAnswer)).then((answer) =>
            simulator.readable(answer),
        );
    }
    async command(person, words) {
        const before = this.#told(person).length;
        await this.simulator.slash({ user: ids[person], channel: channels[0], ...commandFor(words) });
        const answer = () => this.#told(person).slice(before).find((one) => this.simulator.text(one));
        return until('an answer to the command', answer).then((one) => this.simulator.readable(one));
    }
    async #modal(person, card, label) {
        const { simulator } = this;
        const before = simulator.modals.length;
        await simulator.press({ user: ids[person], message: this.#messageOf(card), label });
        return until('a modal', () => simulator.modals[before]);
    }
    async denyWith(person, card, words) {
        const modal = await this.#modal(person, card, 'Deny…');
        await this.simulator.submit({ modal, values: { reason: words } });
    }
    async fill(person, card, answers) {
        const user = ids[person];
        const message = this.#messageOf(card);
        for (const [question, chosen] of answers.entries()) {
            const { options } = this.simulator.lists(message)[question];
            const labels = chosen.map((choice) => options[choice - 1].label);
            await this.simulator.choose({ user, message, labels });
        }
        await this.press(person, card, 'Submit');
    }
}
