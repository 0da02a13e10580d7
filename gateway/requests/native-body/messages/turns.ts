import type { Message } from '../../message-schema.ts';
import { argumentsObject } from '../arguments-object.ts';
import { contentBlocks, isBlank, type NativeBlock, type NativeText } from './blocks.ts';
import { legalToolName, ToolIds } from './legal-names.ts';

type AssistantMessage = Extract<Message, { role: 'assistant' }>;
type ResultTexts = Map<string, string[]>;

interface NativeToolUse {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: object;
}
interface NativeToolResult {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content?: string | readonly NativeText[];
}
export interface NativeTurn {
  readonly role: 'user' | 'assistant';
  readonly content: (NativeBlock | NativeToolUse | NativeToolResult)[];
}

/** A placeholder where the dialect requires user text and the caller gave none: the shortest legal text. */
const standIn: NativeText = { type: 'text', text: '.' };

/** The turns of a conversation in the messages dialect: user and assistant only, starting with a user turn. */
export function nativeTurns(messages: readonly Message[]): NativeTurn[] {
  const turns: NativeTurn[] = [];
  const ids = new ToolIds();
  for (const [i, message] of messages.entries()) {
    if (message.role === 'user') {
      const blocks = userBlocks(message.content);
      const results = turns.at(-1);
      // User text after tool results belongs to the same turn, after them.
      if (messages[i - 1]?.role === 'tool' && results !== undefined) results.content.push(...blocks);
      else turns.push({ role: 'user', content: blocks.length > 0 ? blocks : [standIn] });
    }
    if (message.role === 'assistant') turns.push(...assistantTurns(message, resultsAfter(messages, i), ids));
  }
  if (turns[0]?.role !== 'user') turns.unshift({ role: 'user', content: [standIn] });
  return withoutTrailingSpace(turns);
}

function userBlocks(content: Extract<Message, { role: 'user' }>['content']): NativeBlock[] {
  return contentBlocks(typeof content === 'string' ? [{ type: 'text', text: content }] : content);
}

/** An earlier model turn and, when it called tools, the user turn with their results in the order of the calls. */
function assistantTurns(
  { content, tool_calls: calls }: AssistantMessage,
  results: ResultTexts,
  ids: ToolIds,
): NativeTurn[] {
  const uses: NativeToolUse[] = [];
  const answers: NativeToolResult[] = [];
  for (const { id, function: called } of calls ?? []) {
    const native = ids.next(id);
    const input = argumentsObject(called.arguments);
    uses.push({ type: 'tool_use', id: native, name: legalToolName(called.name), input });
    answers.push(resultOf(native, results.get(id) ?? []));
    // If two calls of a turn share an id, the second has no result of its own.
    results.delete(id);
  }
  const said: NativeText[] = content == null || isBlank(content) ? [] : [{ type: 'text', text: content }];
  const turns: NativeTurn[] = [
    { role: 'assistant', content: [...said, ...uses] },
    { role: 'user', content: answers },
  ];
  return turns.filter((turn) => turn.content.length > 0);
}

/** The result of one call: usually one text, possibly empty; several when the call was answered repeatedly. */
function resultOf(id: string, texts: readonly string[]): NativeToolResult {
  const result = { type: 'tool_result' as const, tool_use_id: id };
  const [first = '', ...more] = texts;
  if (more.length === 0) return first === '' ? result : { ...result, content: first };
  return {
    ...result,
    content: texts.filter((text) => !isBlank(text)).map((text) => ({ type: 'text', text })),
  };
}

/** Texts of the tool messages that follow a turn, by call id. */
function resultsAfter(messages: readonly Message[], at: number): ResultTexts {
  const results: ResultTexts = new Map();
  for (let i = at + 1; i < messages.length; i += 1) {
    const message = messages[i];
    if (message?.role !== 'tool') break;
    const known = results.get(message.tool_call_id);
    if (known === undefined) results.set(message.tool_call_id, [message.content]);
    else known.push(message.content);
  }
  return results;
}

/** The model continues a final turn of its own; the dialect rejects white space at its end. */
function withoutTrailingSpace(turns: readonly NativeTurn[]): NativeTurn[] {
  const last = turns.at(-1);
  const block = last?.content.at(-1);
  if (last?.role !== 'assistant' || block?.type !== 'text') return [...turns];
  const trimmed = { ...block, text: block.text.trimEnd() };
  return [...turns.slice(0, -1), { ...last, content: [...last.content.slice(0, -1), trimmed] }];
}
