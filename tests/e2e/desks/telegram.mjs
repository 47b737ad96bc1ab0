// SPDX-License-Identifier: Apache-2.0
// Telegram as a desk: a group in which the bot shows cards and people answer.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../until.mjs';

const ids = { alice: 77, bob: 78, mallory: 666 };
const groups = [-100200, -100300];

export class TelegramDesk {
    kind = 'telegram';
    places = groups.map((id) => `chat = ${id}`);
    hears = 0;

    static async open(bench) {
        const desk = new TelegramDesk();
        desk.simulator = bench.simulator;
        for (const [name, id] of Object.entries(ids)) desk.simulator.addUser({ id, first_name: name });
        for (const id of groups) desk.simulator.addChat({ id, title: `Ops ${id}`, seesAll: true });
        const token = join(bench.directory, 'telegram-token');
        writeFileSync(token, desk.simulator.token, { mode: 0o600 });
        desk.settings = `token_file = "${token}"\nbase_url = "${desk.simulator.url}"`;
        return desk;
    }

    identity(person) {
        return `telegram = ${ids[person]}`;
    }
    async connected() {}
    close() {}

    // What the bot sent to a group, oldest first, as people see it now.
    shown(place = 0) {
        return this.simulator.messages({ chat: groups[place] }).map((message) => ({
            id: message.message_id,
            place,
            text: message.text,
            labels: message.keyboard.flat().map(({ text }) => text),
            file: message.document?.content,
        }));
    }

    // Resolves with the words that the person saw.
    async press(person, card, label) {
        const { callback_query_id: id } = this.simulator.tap({
            user: ids[person],
            chat: groups[card.place],
            message: card.id,
            button: label,
        });
        const isAnswered = (tap) => tap.id === id && tap.answer;
        const { answer } = await until('an answer to the tap', () => this.simulator.taps().find(isAnswered));
        return answer.text ?? '';
    }
    async type(person, text, { replyTo, place = 0 } = {}) {
        const { message_id: id } = this.simulator.say({ user: ids[person], chat: groups[place], text, replyTo });
        const isAnswer = ({ reply_to: to }) => to === id;
        return until('an answer to the text', () => this.simulator.messages().find(isAnswer)).then(({ text }) => text);
    }
    command(person, words) {
        return this.type(person, `/${words}`);
    }
    async denyWith(person, card, words) {
        await this.press(person, card, 'Deny…');
        const prompt = await until('the question for a reason', () =>
            this.shown(card.place).find(({ text }) => /with your reason/.test(text)),
        );
        this.simulator.say({ user: ids[person], chat: groups[card.place], text: words, replyTo: prompt.id });
    }
    // The numbers of the choices of each question, from 1.
    async fill(person, card, answers) {
        for (const [question, choices] of answers.entries()) {
            for (const choice of choices) {
                const wanted = `${question + 1}.${choice}. `;
                await this.press(person, card, card.labels.find((label) => label.startsWith(wanted)));
            }
        }
        await this.press(person, card, 'Submit');
    }
}
