// SPDX-License-Identifier: Apache-2.0
// Every word of ours on a card, in each language. This is the one file that a translator edits.
//
// To add a language: add its tag to `language_list`, and a text at the end of every row. To change a word: change it.
//   - {name} is filled in by the program. Each text of a row has the same places, in any order.
//   - People read this on a phone at night: short words, no jokes, nothing that needs a second look.
//   - No links, no mark-up, none of < > @ # / \ ` * _ [ ] ~ |. What can be typed (/deny …) is not translated.
//   - A space at the beginning or a comma is part of the text: it follows other words on its line.
// A row, a text or a place that is missing does not compile.
#pragma once

#include "channels/catalogue_check.hpp"

#include <utility>

namespace countersign::channels {

inline constexpr std::array<std::string_view, 3> language_list{"en", "de", "zh"};

inline constexpr auto rows = std::to_array<Row<language_list.size()>>({
    // The card.
    {Key::approval_wanted, {"Approval wanted", "Freigabe erbeten", "请求批准"}},
    {Key::question, {"Question", "Frage", "智能体提问"}},
    {Key::agent, {"agent: {value}", "Agent: {value}", "智能体：{value}"}},
    {Key::session, {"session: {value}", "Sitzung: {value}", "会话：{value}"}},
    {Key::requester, {"for: {value}", "im Auftrag von: {value}", "委托人：{value}"}},
    {Key::tool, {"tool: {value}", "Werkzeug: {value}", "工具：{value}"}},
    {Key::directory, {"directory: {value}", "Verzeichnis: {value}", "目录：{value}"}},
    {Key::host, {"machine: {value}", "Rechner: {value}", "机器：{value}"}},
    {Key::repository, {"repository: {value}", "Repository: {value}", "仓库：{value}"}},
    {Key::repository_and_branch,
     {"repository: {value}, branch {branch}", "Repository: {value}, Branch {branch}", "仓库：{value}，分支 {branch}"}},
    {Key::branch, {"branch: {value}", "Branch: {value}", "分支：{value}"}},
    {Key::risk,
     {"risk: {level}, by rule {rule}", "Risiko: {level}, nach Regel {rule}", "风险：{level}，依据规则 {rule}"}},
    {Key::risk_low, {"low", "gering", "低"}},
    {Key::risk_medium, {"medium", "mittel", "中"}},
    {Key::risk_high, {"high", "hoch", "高"}},
    {Key::host_looks_alike,
     {"⚠ host {host} only looks like {looks}", "⚠ Host {host} sieht nur aus wie {looks}",
      "⚠ 主机 {host} 只是看起来像 {looks}"}},
    {Key::host_mixes_scripts,
     {"⚠ host {host} mixes letters of different scripts", "⚠ Host {host} mischt Buchstaben verschiedener Schriften",
      "⚠ 主机 {host} 混用了不同文字的字母"}},
    {Key::host_unreadable,
     {"⚠ host {host} is not a valid name", "⚠ Host {host} ist kein gültiger Name", "⚠ 主机 {host} 不是有效的名称"}},
    {Key::host_stands_for,
     {"host {ascii} stands for {host}", "Host {ascii} steht für {host}", "主机 {ascii} 即 {host}"}},
    {Key::host_ascii, {", really {ascii}", ", in Wahrheit {ascii}", "，实际是 {ascii}"}},
    {Key::arguments_missing,
     {"note: the agent did not tell all of its arguments", "Hinweis: Der Agent hat nicht alle Argumente genannt",
      "注意：智能体没有给出全部参数"}},
    {Key::beginning, {"it begins:", "Anfang:", "开头部分："}},
    {Key::change, {"change:", "Änderung:", "改动："}},
    {Key::own_words,
     {"the agent's own words, not verified:", "Worte des Agenten, ungeprüft:", "智能体自己的说法，未经核实："}},
    {Key::read_the_file,
     {"The call is too long for a message. Read the file above before you allow it: this is only its beginning.",
      "Der Aufruf ist zu lang für eine Nachricht. Vor dem Erlauben die Datei oben lesen: Hier steht nur der Anfang.",
      "调用内容太长，一条消息放不下。允许之前请先读上面的文件：这里只有开头。"}},
    {Key::only_refuse,
     {"The call is too long for a message, and the file with all of it could not be delivered here: it can only be "
      "refused.",
      "Der Aufruf ist zu lang für eine Nachricht, und die Datei mit dem ganzen Text kam hier nicht an: Er kann nur "
      "abgelehnt werden.",
      "调用内容太长，一条消息放不下，而完整内容的文件没能送到这里：只能拒绝。"}},
    {Key::was_too_long,
     {"The call was too long for a message.", "Der Aufruf war zu lang für eine Nachricht.",
      "调用内容太长，一条消息放不下。"}},
    {Key::whole_text_digest,
     {"SHA-256 of the whole text: {value}", "SHA-256 des ganzen Textes: {value}", "全文的 SHA-256：{value}"}},
    {Key::needs_people,
     {"needs {count} different people", "braucht {count} verschiedene Personen", "需要 {count} 个不同的人同意"}},
    {Key::votes, {"{have} of {need}", "{have} von {need}", "已有 {have} 人，共需 {need} 人"}},
    {Key::votes_by, {": {person}", ": {person}", "：{person}"}},
    {Key::and_another, {", {person}", ", {person}", "、{person}"}},
    {Key::until, {"until {moment}", "bis {moment}", "截止 {moment}"}},
    {Key::time_left, {", in {time}", ", noch {time}", "，还剩 {time}"}},
    {Key::time_over, {", which is over", ", schon vorbei", "，已过期"}},
    {Key::no_time_limit, {"no time limit", "ohne Frist", "没有时限"}},
    {Key::calling, {"asking: {person}", "gefragt: {person}", "请决定：{person}"}},
    {Key::asked_times,
     {"asked {count} times: one answer counts for all of them", "{count} Mal gefragt: Eine Antwort gilt für alle",
      "已请求 {count} 次：一次答复对全部有效"}},
    {Key::still_asking,
     {"still asking: {count} more wait behind this", "fragt weiter: {count} weitere warten dahinter",
      "仍在请求：后面还有 {count} 个在等"}},
    {Key::write_approve_or_deny,
     {"or write: {approve} or {deny}", "oder schreiben: {approve} oder {deny}", "或发送：{approve} 或 {deny}"}},
    {Key::write_deny, {"or write: {deny}", "oder schreiben: {deny}", "或发送：{deny}"}},
    {Key::write_answer,
     {"to write your answer, reply to this, or: {answer}", "Eigene Antwort: hierauf antworten oder {answer}",
      "自己写答案：回复本消息，或发送 {answer}"}},
    {Key::id, {"id: {value}", "ID: {value}", "编号：{value}"}},
    // Below a card, while nobody answers; and below the first one of a session, when it is over.
    {Key::still_waiting, {"still waiting for {time}", "wartet seit {time}", "已等待 {time}"}},
    {Key::session_ended, {"session ended", "Sitzung beendet", "会话已结束"}},
    {Key::agent_failed, {"agent failed: {why}", "Agent gescheitert: {why}", "智能体出错：{why}"}},
    // Questions. The parts after the number follow each other on one line.
    {Key::question_number, {"question {number}", "Frage {number}", "问题 {number}"}},
    {Key::question_optional, {", optional", ", freiwillig", "，选答"}},
    {Key::question_multiple, {", choose any number", ", mehrere möglich", "，可多选"}},
    {Key::question_free_text, {", or write your own answer", ", auch eigene Antwort", "，也可自己写答案"}},
    {Key::question_secret,
     {", secret: answer in a private chat only", ", geheim: nur im privaten Chat antworten",
      "，保密：只能在私聊中回答"}},
    {Key::submit, {"Submit", "Absenden", "提交"}},
    {Key::cancel, {"Cancel", "Abbrechen", "取消"}},
    // What an option does, in brackets after the agent's label.
    {Key::means_unknown,
     {"an unknown word: counts as allow, always", "unbekanntes Wort: gilt als Erlaubnis, dauerhaft",
      "含义不明：按始终允许处理"}},
    {Key::means_deny, {"denies", "lehnt ab", "拒绝"}},
    {Key::means_cancel, {"cancels", "bricht ab", "取消"}},
    {Key::means_once, {"allows, once", "erlaubt, einmal", "允许，仅此一次"}},
    {Key::means_session, {"allows, this session", "erlaubt, in dieser Sitzung", "允许，本次会话内"}},
    {Key::means_always, {"allows, always", "erlaubt, dauerhaft", "始终允许"}},
    {Key::label_allow, {"Allow: {label}", "Erlauben: {label}", "允许：{label}"}},
    {Key::label_deny, {"Deny: {label}", "Ablehnen: {label}", "拒绝：{label}"}},
    {Key::label_cancel, {"Cancel: {label}", "Abbrechen: {label}", "取消：{label}"}},
    {Key::deny_all, {"Deny all {count}", "Alle {count} ablehnen", "全部拒绝，共 {count} 个"}},
    // How it ended: a word, then who, where, after how long, and what it means.
    {Key::allowed, {"Allowed", "Erlaubt", "已允许"}},
    {Key::denied, {"Denied", "Abgelehnt", "已拒绝"}},
    {Key::answered, {"Answered", "Beantwortet", "已回答"}},
    {Key::cancelled, {"Cancelled", "Abgebrochen", "已取消"}},
    {Key::expired, {"Expired", "Abgelaufen", "已超时"}},
    {Key::expired_meaning,
     {"nobody decided in time, the agent gets its refusal",
      "niemand hat rechtzeitig entschieden, der Agent erhält eine Ablehnung", "无人在期限内决定，智能体会收到拒绝"}},
    {Key::withdrawn, {"Withdrawn", "Zurückgezogen", "已撤回"}},
    {Key::withdrawn_meaning, {"the agent no longer waits", "der Agent wartet nicht mehr", "智能体已不再等待"}},
    {Key::undeliverable, {"Undeliverable", "Nicht zustellbar", "无法送达"}},
    {Key::undeliverable_meaning,
     {"nobody could be shown it, the agent gets its refusal",
      "konnte niemandem gezeigt werden, der Agent erhält eine Ablehnung", "无法展示给任何人，智能体会收到拒绝"}},
    {Key::lost, {"Lost", "Verloren", "已丢失"}},
    {Key::lost_meaning, {"not run, please retry", "nicht ausgeführt, bitte erneut versuchen", "没有执行，请重试"}},
    {Key::unlogged, {"Not logged", "Nicht protokolliert", "未能记录"}},
    {Key::unlogged_meaning,
     {"the audit log is unavailable, nothing was allowed", "das Audit-Log ist nicht verfügbar, nichts wurde erlaubt",
      "审计日志不可用，未放行任何操作"}},
    {Key::indeterminate, {"Indeterminate", "Ungewiss", "结果不明"}},
    {Key::indeterminate_meaning,
     {"nobody can say whether the agent got the answer", "niemand weiß, ob der Agent die Antwort bekam",
      "无法确定智能体是否收到了答复"}},
    {Key::ended, {"Ended", "Beendet", "已结束"}},
    {Key::ended_by, {" by {person}", " von {person}", "，决定人 {person}"}},
    {Key::ended_on, {" on {channel}", " über {channel}", "，渠道 {channel}"}},
    {Key::ended_after, {" after {time}", " nach {time}", "，用时 {time}"}},
    {Key::ended_meaning, {": {meaning}", ": {meaning}", "：{meaning}"}},
    {Key::ended_at, {"at {moment}", "am {moment}", "时间：{moment}"}},
    {Key::answer, {"answer: {value}", "Antwort: {value}", "回答：{value}"}},
    {Key::reason, {"reason: {value}", "Grund: {value}", "理由：{value}"}},
    {Key::record, {"record {number}", "Eintrag {number}", "记录 {number}"}},
    {Key::anchor, {", anchor {anchor}", ", Anker {anchor}", "，锚点 {anchor}"}},
    {Key::not_forwarded,
     {"The agent does not have the answer.", "Der Agent hat die Antwort nicht bekommen.", "智能体没有收到答复。"}},
    // The file with a text that is too long for a message.
    {Key::whole_text_of, {"The whole text of request {id}", "Der ganze Text der Anfrage {id}", "请求 {id} 的全文"}},
    {Key::file_digest, {"SHA-256: {value}", "SHA-256: {value}", "SHA-256：{value}"}},
    // Spans of time.
    {Key::milliseconds, {"{number} ms", "{number} ms", "{number} 毫秒"}},
    {Key::seconds, {"{number} s", "{number} s", "{number} 秒"}},
    {Key::minutes, {"{number} min", "{number} min", "{number} 分"}},
    {Key::hours, {"{number} h", "{number} h", "{number} 小时"}},
    {Key::days, {"{number} d", "{number} d", "{number} 天"}},
    {Key::two_spans, {"{big} {small}", "{big} {small}", "{big} {small}"}},
});

static_assert(rows.size() == static_cast<std::size_t>(Key::end_of_keys), "a key has no row");

// Each row by itself, so that the compiler names the one that does not hold.
template <std::size_t At> struct HoldsInEveryLanguage {
    static_assert(fault_of(rows[At], At) == CatalogueFault::none, "see CatalogueFault for what is wrong with this row");
    static constexpr bool value = true;
};
template <std::size_t... At> constexpr bool all_hold(std::index_sequence<At...> /*rows*/) {
    return (HoldsInEveryLanguage<At>::value && ...);
}
static_assert(all_hold(std::make_index_sequence<rows.size()>{}));

}  // namespace countersign::channels
