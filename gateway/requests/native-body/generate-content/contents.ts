import { mediaOf } from '../../media-url.ts';
import type { Message } from '../../message-schema.ts';
import { argumentsObject } from '../arguments-object.ts';
import type { FunctionNames } from './function-names.ts';

/** One turn. Tool results belong to a user turn. */
interface Content {
  readonly role: 'user' | 'model';
  readonly parts: object[];
}

type Assistant = Extract<Message, { role: 'assistant' }>;
type ToolResult = Extract<Message, { role: 'tool' }>;
type Calls = NonNullable<Assistant['tool_calls']>;

/** A placeholder where the dialect requires user text and the caller gave none. */
const standIn = { text: '.' };

/** Replaces a signature when another upstream made the call. */
const noSignature = 'skip_thought_signature_validator';

/** The conversation in the generate-content dialect: user and model turns, with the system prompt apart. */
export function conversation(messages: readonly Message[], names: FunctionNames): object {
  const [first] = messages;
  const instruction = first?.role === 'system' ? systemParts(first.content) : [];
  const contents = turns(messages, names);
  if (contents.every(({ role }) => role === 'model')) contents.unshift({ role: 'user', parts: [standIn] });
  return { ...(instruction.length > 0 && { systemInstruction: { parts: instruction } }), contents };
}

function systemParts(content: Extract<Message, { role: 'system' }>['content']): object[] {
  return typeof content === 'string' ? textParts(content) : content.flatMap(({ text }) => textParts(text));
}

/** The dialect rejects empty texts. */
function textParts(text: string): object[] {
  return text === '' ? [] : [{ text }];
}

function turns(messages: readonly Message[], names: FunctionNames): Content[] {
  const contents: Content[] = [];
  let calls: Calls = [];
  for (let i = 0; i < messages.length; i += 1) {
    const message = messages[i];
    switch (message?.role) {
      case 'user':
        contents.push({ role: 'user', parts: orStandIn(userParts(message.content)) });
        break;
      case 'assistant':
        calls = message.tool_calls ?? [];
        addModelTurn(
          contents,
          [...textParts(message.content ?? ''), ...callParts(calls, names, message.extra_content)],
          calls.length > 0,
        );
        break;
      case 'tool': {
        const results = resultsFrom(messages, i);
        contents.push({ role: 'user', parts: resultParts(calls, results, names) });
        i += results.length - 1;
        break;
      }
    }
  }
  return contents;
}

/** A turn with calls must follow a user turn; if a model turn precedes it, the two are merged. */
function addModelTurn(contents: Content[], parts: object[], hasCalls: boolean): void {
  if (parts.length === 0) return;
  const before = contents.at(-1);
  if (hasCalls && before?.role === 'model') {
    before.parts.push(...parts);
    return;
  }
  if (hasCalls && before === undefined) contents.push({ role: 'user', parts: [standIn] });
  contents.push({ role: 'model', parts });
}

function userParts(content: Extract<Message, { role: 'user' }>['content']): object[] {
  if (typeof content === 'string') return textParts(content);
  return content.flatMap((block) => {
    if (block.type === 'text') return textParts(block.text);
    const { mime, data, url } = mediaOf(block.image_url.url);
    if (data !== null) return { inlineData: { mimeType: mime, data } };
    // Never fetched by the gateway: the upstream reads the URL (B-28).
    return { fileData: { ...(mime !== null && { mimeType: mime }), fileUri: url } };
  });
}

function orStandIn(parts: object[]): object[] {
  return parts.length > 0 ? parts : [standIn];
}

/** The upstream checks the signature of a turn's first call; without one the placeholder is sent. */
function callParts(calls: Calls, names: FunctionNames, ofTurn: Calls[number]['extra_content']): object[] {
  return calls.map(({ id, function: { name, arguments: text }, extra_content: extra }, i) => {
    const own = extra?.thought_signature || null;
    const signature = own ?? (i === 0 ? ofTurn?.thought_signature || noSignature : null);
    return {
      functionCall: { id, name: names.native(name), args: argumentsObject(text) },
      ...(signature !== null && { thoughtSignature: signature }),
    };
  });
}

/** The consecutive tool results from this position on. */
function resultsFrom(messages: readonly Message[], start: number): ToolResult[] {
  const results: ToolResult[] = [];
  for (let i = start; i < messages.length; i += 1) {
    const message = messages[i];
    if (message?.role !== 'tool') break;
    results.push(message);
  }
  return results;
}

/** One response per call, in the order of the calls. Repeated results of one call are joined. */
function resultParts(calls: Calls, results: readonly ToolResult[], names: FunctionNames): object[] {
  const texts = Map.groupBy(results, (result) => result.tool_call_id);
  const last = new Map(calls.map(({ id }, i) => [id, i]));
  return calls.map(({ id, function: { name } }, i) => {
    const own = texts.get(id)?.splice(0, last.get(id) === i ? results.length : 1) ?? [];
    const output = own.map((result) => result.content).join('\n');
    return { functionResponse: { id, name: names.native(name), response: { output } } };
  });
}
