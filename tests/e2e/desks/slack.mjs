// SPDX-License-Identifier: Apache-2.0
// Slack as a desk: a channel in which the app shows cards and people answer, over Socket Mode.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SlackSimulator } from '../slack_simulator.mjs';
import { until } from '../until.mjs';

const ids = { alice: 'U77', bob: 'U78', mallory: 'U666' };
const channels = ['C0OPS', 'C0NIGHT'];

const textIn = (value) => {
    if (Array.isArray(value)) return value.map(textIn).join('');
    if (typeof value !== 'object' || value === null) return '';
    const own = typeof value.text === 'string' ? value.text : textIn(value.text);
    return own + textIn(value.elements);
};

export class SlackDesk {
    kind = 'slack';
    places = channels.map((id) => `chat = "${id}"`);
    hears = 0;

    static async open(bench) {
        const desk = new SlackDesk();
        desk.simulator = await SlackSimulator.start({ channels });
        const file = (name, secret) => {
            const path = join(bench.directory, name);
            writeFileSync(path, secret, { mode: 0o600 });
            return path;
        };
        const { botToken, appToken, url } = desk.simulator;
        desk.settings = `token_file = "${file('slack-token', botToken)}"
app_token_file = "${file('slack-app-token', appToken)}"
base_url = "${url}"`;
        return desk;
    }

    identity(person) {
        return `slack = "T0/${ids[person]}"`;
    }
    connected(hub) {
        const { sockets } = this.simulator;
        return until('two connections to Slack', () => sockets.length === 2, { status: () => hub.story() });
    }
    close() {
        return this.simulator.close();
    }

    shown(place = 0) {
        return this.simulator.messages({ channel: channels[place], ephemeral: false }).map((message) => ({
            id: message.ts,
            place,
            text: message.blocks.map((block) => `${textIn(block)}\n`).join('') || message.text,
            labels: this.simulator.labels(message),
            file: message.file?.content,
        }));
    }

    #messageOf(card) {
        return this.simulator.messages({ channel: channels[card.place] }).find(({ ts }) => ts === card.id);
    }
    #told(person) {
        return this.simulator.messages({ ephemeral: true }).filter(({ ephemeral }) => ephemeral === ids[person]);
    }
    // A press that decides changes the card; words for the person alone come where it doesn't.
    async press(person, card, label) {
        const message = this.#messageOf(card);
        const before = this.#told(person).length;
        const changes = message.history.length;
        await this.simulator.press({ user: ids[person], message, label });
        return until('an answer to the click', () => {
            const told = this.#told(person).slice(before);
            if (told.length > 0) return told.map(({ text }) => text).join('\n');
            return message.history.length > changes ? message.text || ' ' : null;
        });
    }
    async type(person, text, { replyTo, place = 0 } = {}) {
        const said = this.simulator.posted.length;
        await this.simulator.say({ user: ids[person], channel: channels[place], text, thread: replyTo });
        const isAnswer = ({ ephemeral }) => !ephemeral || ephemeral === ids[person];
        const find = () => this.simulator.posted.slice(said).find(isAnswer);
        return until('an answer to the text', find).then((message) => message.text);
    }
    async command(person, words) {
        const act = { user: ids[person], channel: channels[0], command: '/countersign', text: words };
        const { body } = await this.simulator.slash(act);
        return body.text;
    }
    async #window(person, card, label) {
        const before = this.simulator.views.length;
        await this.simulator.press({ user: ids[person], message: this.#messageOf(card), label });
        return until('a window', () => this.simulator.views[before]);
    }
    async denyWith(person, card, words) {
        const view = await this.#window(person, card, 'Deny…');
        const values = { reason: { field: { type: 'plain_text_input', value: words } } };
        await this.simulator.submit({ user: ids[person], view, values });
    }
    async fill(person, card, answers) {
        const view = await this.#window(person, card, 'Answer…');
        const picked = (choice) => ({ text: { type: 'plain_text', text: 'x' }, value: String(choice) });
        const state = (block, choices) =>
            block.element.type === 'radio_buttons'
                ? { type: 'radio_buttons', selected_option: picked(choices[0]) }
                : { type: block.element.type, selected_options: choices.map(picked) };
        const values = {};
        for (const [question, choices] of answers.entries()) {
            const id = `q${question}`;
            const block = view.blocks.find(({ block_id: name }) => name === id);
            values[id] = { field: state(block, choices) };
        }
        await this.simulator.submit({ user: ids[person], view, values });
    }
}
