import { isObject, valueAt } from '../json/json-body.ts';

/** One turn of a conversation, whatever the dialect. */
export interface Turn {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  /** Its texts, decoded and joined by line ends. */
  readonly text: string;
  /** The tools whose results it brings, by name if known, otherwise by the id of the call. */
  readonly results: readonly string[];
}

/** The content of a request in any dialect. It is read leniently, because invalid requests have content, too. */
export interface Said {
  readonly turns: readonly Turn[];
  /** Names of the tools that it offers. */
  readonly tools: readonly string[];
}

/** Reads the JSON of a request of any dialect. */
export function decodeRequest(json: unknown): Said {
  const calls = new Map<string, string>();
  const turns = [...systemTurns(json), ...messagesOf(json).flatMap((message) => turnsOf(message, calls))];
  return { turns, tools: toolsOf(json) };
}

/** The text of the last turn of the user. */
export function userText({ turns }: Said): string {
  return turns.findLast(({ role }) => role === 'user')?.text ?? '';
}

/** The number of the answer's turn, from 1. Every earlier answer of the model counts. */
export function turnNumber({ turns }: Said): number {
  return (
    turns.filter(({ role }, at) => role === 'assistant' && turns[at - 1]?.role !== 'assistant').length + 1
  );
}

function systemTurns(json: unknown): Turn[] {
  const given =
    valueAt(json, ['system']) ??
    valueAt(json, ['systemInstruction', 'parts']) ??
    valueAt(json, ['instructions']);
  const text = textOf(given);
  return text === '' ? [] : [{ role: 'system', text, results: [] }];
}

/** The messages of any dialect. A bare prompt counts as a user message. */
function messagesOf(json: unknown): unknown[] {
  for (const name of ['messages', 'contents', 'input']) {
    const list = valueAt(json, [name]);
    if (Array.isArray(list))
      return list.every((one) => typeof one === 'string') ? [{ role: 'user', content: list }] : list;
  }
  const prompt =
    valueAt(json, ['input', 'prompt_text']) ??
    valueAt(json, ['params', 'prompt']) ??
    valueAt(json, ['content', 'parts']) ??
    ['input', 'prompt'].map((name) => valueAt(json, [name])).find((one) => typeof one === 'string');
  return prompt === undefined ? [] : [{ role: 'user', content: prompt }];
}

function turnsOf(message: unknown, calls: Map<string, string>): Turn[] {
  const type = valueAt(message, ['type']);
  if (type === 'function_call') {
    noteCall(message, calls);
    return [{ role: 'assistant', text: '', results: [] }];
  }
  if (type === 'function_call_output') {
    const name = nameOf(valueAt(message, ['call_id']), calls);
    return [{ role: 'tool', text: textOf(valueAt(message, ['output'])), results: [name] }];
  }
  if (type === 'reasoning') return [];
  const blocks = valueAt(message, ['content']) ?? valueAt(message, ['parts']);
  const list: unknown[] = Array.isArray(blocks) ? blocks : [];
  const named = valueAt(message, ['tool_calls']);
  for (const call of [...(Array.isArray(named) ? named : []), ...list]) noteCall(call, calls);
  const results = list.flatMap((block) => resultIn(block, calls));
  const role = roleOf(valueAt(message, ['role']));
  if (role === 'tool') {
    const id = valueAt(message, ['tool_call_id']) ?? valueAt(message, ['name']);
    return [{ role, text: textOf(blocks), results: [nameOf(id, calls)] }];
  }
  const said: Turn = { role, text: textOf(blocks), results: [] };
  if (results.length === 0) return [said];
  // User text in a message with results comes after the results.
  return [
    { role: 'tool', text: textOf(list.filter((block) => resultIn(block, calls).length > 0)), results },
    ...(said.text === '' ? [] : [said]),
  ];
}

function roleOf(role: unknown): Turn['role'] {
  if (role === 'assistant' || role === 'model') return 'assistant';
  if (role === 'system' || role === 'developer') return 'system';
  return role === 'tool' || role === 'function' ? 'tool' : 'user';
}

function noteCall(call: unknown, calls: Map<string, string>): void {
  const id = valueAt(call, ['call_id']) ?? valueAt(call, ['id']);
  const name =
    valueAt(call, ['function', 'name']) ?? valueAt(call, ['custom', 'name']) ?? valueAt(call, ['name']);
  if (typeof id === 'string' && typeof name === 'string') calls.set(id, name);
}

function nameOf(id: unknown, calls: Map<string, string>): string {
  return calls.get(String(id)) ?? String(id ?? '');
}

/** The name of the tool that a result block belongs to; empty for any other block. */
function resultIn(block: unknown, calls: Map<string, string>): string[] {
  if (valueAt(block, ['type']) === 'tool_result') return [nameOf(valueAt(block, ['tool_use_id']), calls)];
  const name = valueAt(block, ['functionResponse', 'name']);
  return typeof name === 'string' ? [name] : [];
}

/** All texts in a value, decoded and joined by line ends. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value))
    return value
      .map(textOf)
      .filter((text) => text !== '')
      .join('\n');
  if (!isObject(value)) return '';
  const { text, content, functionResponse } = value as Readonly<Record<string, unknown>>;
  if (typeof text === 'string') return text;
  if (isObject(functionResponse)) return JSON.stringify(valueAt(functionResponse, ['response']) ?? null);
  return content === undefined ? '' : textOf(content);
}

function toolsOf(json: unknown): string[] {
  const tools = valueAt(json, ['tools']);
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool) => {
    const declared = valueAt(tool, ['functionDeclarations']);
    const all: unknown[] = Array.isArray(declared) ? declared : [tool];
    return all.flatMap((one) => {
      const name =
        valueAt(one, ['function', 'name']) ??
        valueAt(one, ['custom', 'name']) ??
        valueAt(one, ['name']) ??
        valueAt(one, ['type']);
      return typeof name === 'string' ? [name] : [];
    });
  });
}
