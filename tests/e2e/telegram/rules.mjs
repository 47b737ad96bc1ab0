// SPDX-License-Identifier: Apache-2.0
// What Telegram refuses before it looks at any chat: pure checks of one body, each with Telegram's own words.
import { badRequest } from './api_error.mjs';
import { checkEntities, messageText } from './text.mjs';

const callbackBytesMax = 64;
const buttonsMax = 100;
const alertUnitsMax = 200;
const captionUnitsMax = 1024;
const styles = ['', 'default', 'primary', 'success', 'danger'];
const kindsOfButton = [
    'url',
    'callback_data',
    'callback_game',
    'pay',
    'switch_inline_query',
    'login_url',
    'web_app',
    'switch_inline_query_current_chat',
    'switch_inline_query_chosen_chat',
    'copy_text',
];

export function checkKeyboard(markup) {
    const buttons = (markup?.inline_keyboard ?? []).flat();
    for (const button of buttons) {
        const unreadable = (why) => badRequest(`can't parse inline keyboard button: ${why}`);
        if (typeof button?.text !== 'string') throw unreadable('Field "text" must be of type String');
        if (!styles.includes(String(button.style ?? '').toLowerCase()))
            throw unreadable('invalid button style specified');
        // An empty string is the same as no field, and a button without any is a text button.
        if (!kindsOfButton.some((kind) => button[kind] !== undefined && button[kind] !== '')) {
            throw unreadable('Text buttons are unallowed in the inline keyboard');
        }
        if (button.text.trim() === '') throw badRequest('inline keyboard button text must be non-empty');
        if (Buffer.byteLength(String(button.callback_data ?? '')) > callbackBytesMax)
            throw badRequest('BUTTON_DATA_INVALID');
    }
    if (buttons.length > buttonsMax) throw badRequest('reply markup is too long');
}

const checkAlert = ({ text }) => {
    if (typeof text === 'string' && text.length > alertUnitsMax) throw badRequest('MESSAGE_TOO_LONG');
};

const checkSecret = ({ secret_token: secret }) => {
    if (secret === undefined || secret === '') return;
    if (String(secret).length > 256) throw badRequest('secret token is too long');
    if (!/^[A-Za-z0-9_-]+$/.test(secret)) throw badRequest('secret token contains unallowed characters');
};

const checkCaption = ({ caption = '', caption_entities: entities = [] }) => {
    checkEntities(caption, entities);
    if (caption.length > captionUnitsMax) throw badRequest('message caption is too long');
};

// Only strings are looked at here: a text that is no string is the schema's to refuse.
const checkText = ({ text, entities, parse_mode: mode }) => {
    if (text === undefined || typeof text === 'string') messageText(text, entities, mode);
};

const byMethod = {
    sendMessage: [checkText, (body) => checkKeyboard(body.reply_markup)],
    editMessageText: [checkText, (body) => checkKeyboard(body.reply_markup)],
    editMessageReplyMarkup: [(body) => checkKeyboard(body.reply_markup)],
    sendDocument: [checkCaption, (body) => checkKeyboard(body.reply_markup)],
    answerCallbackQuery: [checkAlert],
    setWebhook: [checkSecret],
};

export const checkBody = (method, body) => byMethod[method]?.forEach((check) => check(body));
