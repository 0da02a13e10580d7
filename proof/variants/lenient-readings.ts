import { chatFields } from '../../suites/oracle/chat-fields.ts';
import type { Variant } from '../edits/mutant.ts';
import { isOneOf, isOtherMedia, mediaIn, messagesOf, takes } from './requests.ts';
import { isObject, type JsonObject } from './rewrite.ts';

/** Models for which support of media other than images is left open. */
const takers = ['beta-small-4-5', 'alpha-5-2', 'alpha-5-pro', 'gamma-3-flash'];

/** Gateways that accept what the reference refuses, each in one point that a reading leaves open. */
export const lenientReadings: readonly Variant[] = [
  {
    id: 'accepts.unknown-fields',
    title: 'fields that the chat table lacks are ignored (B-11)',
    declares: { chat: { unknown_fields: 'ignore' } },
    mutation: takes((body) => drop(body, (name) => !listed.has(name))),
  },
  {
    id: 'accepts.top-p-beyond',
    title: 'top_p outside 0 to 1 counts as the nearer end (B-13)',
    mutation: takes((body) => {
      const { top_p } = body;
      if (typeof top_p !== 'number' || (top_p >= 0 && top_p <= 1)) return false;
      body.top_p = top_p < 0 ? 0.01 : 1;
      return true;
    }),
  },
  {
    id: 'accepts.max-tokens-zero',
    title: 'max_tokens 0 means no limit (B-15)',
    mutation: takes((body) => drop(body, (name) => name === 'max_tokens' && body.max_tokens === 0)),
  },
  {
    id: 'accepts.empty-stops',
    title: 'empty stop texts mean none (B-17)',
    mutation: takes((body) => {
      const stops: unknown[] = Array.isArray(body.stop) ? body.stop : [body.stop];
      if (!stops.includes('') || !stops.every((stop) => typeof stop === 'string')) return false;
      body.stop = stops.filter((stop) => stop !== '');
      return true;
    }),
  },
  {
    id: 'accepts.metadata-values',
    title: 'values of metadata may be long and need not be strings (B-18)',
    declares: { chat: { metadata_value_max: 512 } },
    mutation: takes((body) => {
      if (!isObject(body.metadata)) return false;
      const { metadata } = body;
      const odd = Object.keys(metadata).filter((key) => !isPlainValue(metadata[key]));
      for (const key of odd) metadata[key] = 'kept elsewhere';
      return odd.length > 0;
    }),
  },
  {
    id: 'accepts.schemas-everywhere',
    title: 'response_format json_schema works on every model, at least as far as JSON (B-21)',
    mutation: takes((body) => {
      const { response_format: format, model } = body;
      if (
        !isObject(format) ||
        format.type !== 'json_schema' ||
        (typeof model === 'string' && /^(?:alpha-5|gamma)-/.test(model))
      )
        return false;
      body.response_format = { type: 'json_object' };
      return true;
    }),
  },
  {
    id: 'accepts.empty-messages',
    title: 'an empty list of messages is answered (B-22)',
    advised: ['CHAT-009 empty-list'],
    mutation: takes((body) => {
      if (!Array.isArray(body.messages) || body.messages.length > 0) return false;
      body.messages = [{ role: 'user', content: 'Hello.' }];
      return true;
    }),
  },
  {
    id: 'accepts.other-forms',
    title:
      'developer is a system message, text blocks are text in every role, an assistant may have said nothing (B-23)',
    mutation: takes((body) => messagesOf(body).map(inPlainForm).includes(true)),
  },
  {
    id: 'accepts.system-anywhere',
    title: 'system messages may stand anywhere and be many; they count as one at the start (B-22)',
    advised: ['MSG-004 one-at-the-start', 'MSG-005 one-at-the-start'],
    mutation: takes((body) => {
      const messages = messagesOf(body);
      const systems = messages.filter(
        ({ role, content }) => role === 'system' && typeof content === 'string',
      );
      const place = messages.findIndex((message) => systems.includes(message));
      if (systems.length === 0 || (systems.length === 1 && place === 0)) return false;
      const content = systems.map((message) => message.content).join('\n\n');
      body.messages = [
        { role: 'system', content },
        ...messages.filter((message) => !systems.includes(message)),
      ];
      return true;
    }),
  },
  {
    id: 'accepts.unmatched-results',
    title: 'tool results without a call and calls without a result are part of the talk (B-24)',
    mutation: takes((body) => {
      const messages = messagesOf(body);
      return messages.map((message, index) => withoutLooseEnds(message, index, messages)).includes(true);
    }),
  },
  {
    id: 'accepts.choice-without-its-tool',
    title: 'a tool_choice that cannot be followed is ignored (B-25)',
    mutation: takes((body) => {
      const names = (Array.isArray(body.tools) ? (body.tools as unknown[]) : [])
        .filter(isObject)
        .map((tool) => (isObject(tool.function) ? tool.function.name : undefined));
      const { tool_choice: choice } = body;
      const named = isObject(choice) && isObject(choice.function) ? choice.function.name : undefined;
      const loose =
        choice === 'required' ? names.length === 0 : typeof named === 'string' && !names.includes(named);
      return loose && drop(body, (name) => name === 'tool_choice');
    }),
  },
  {
    id: 'accepts.tools-twice',
    title: 'of tools with one name the first counts (B-26)',
    mutation: takes((body) => {
      const tools = (Array.isArray(body.tools) ? (body.tools as unknown[]) : []).filter(isObject);
      const nameOf = (tool: JsonObject): unknown => (isObject(tool.function) ? tool.function.name : tool);
      const once = tools.filter(
        (tool, index) => tools.findIndex((one) => nameOf(one) === nameOf(tool)) === index,
      );
      if (once.length === tools.length) return false;
      body.tools = once;
      return true;
    }),
  },
  {
    id: 'accepts.any-media',
    title: 'models with Vision and beta-small-4-5 take media of every kind (B-27)',
    declares: { chat: { media_models: [...takers, 'beta-large-4-5', 'beta-mid-4-5', 'gamma-3-pro'] } },
    mutation: takes((body) => {
      // Images stay unchanged: a gateway that accepts them must pass them on, which a proxy in front cannot do.
      const seen = isOneOf(body.model, takers) ? mediaIn(body).filter(({ url }) => isOtherMedia(url)) : [];
      for (const { block } of seen) {
        drop(block, () => true);
        Object.assign(block, { type: 'text', text: '(something to look at)' });
      }
      return seen.length > 0;
    }),
  },
];

const listed: ReadonlySet<string> = new Set(chatFields.map((field) => field.name));

/** Removes members. Returns whether there were any. */
function drop(object: JsonObject, which: (name: string) => boolean): boolean {
  const names = Object.keys(object).filter(which);
  for (const name of names) delete object[name];
  return names.length > 0;
}

function isPlainValue(value: unknown): boolean {
  return typeof value === 'string' && [...value].length <= 64;
}

/** Rewrites one message in the form of the table. Returns whether it had another form. */
function inPlainForm(message: JsonObject): boolean {
  const { role, content, tool_calls: calls } = message;
  const isList =
    Array.isArray(content) && role !== 'user' && content.every((block) => textOf(block) !== null);
  if (role === 'developer') message.role = 'system';
  if (isList) message.content = content.map(textOf).join('');
  const silent = role === 'assistant' && (content ?? null) === null && !Array.isArray(calls);
  if (silent) message.content = '';
  return role === 'developer' || isList || silent;
}

function textOf(block: unknown): string | null {
  return isObject(block) && block.type === 'text' && typeof block.text === 'string' ? block.text : null;
}

/** Replaces a result without a call by a question, and a call without a result by a statement. */
function withoutLooseEnds(message: JsonObject, index: number, messages: readonly JsonObject[]): boolean {
  if (message.role === 'tool') {
    const before = messages.slice(0, index).flatMap(callIds);
    if (typeof message.tool_call_id !== 'string' || typeof message.content !== 'string') return false;
    if (before.includes(message.tool_call_id)) return false;
    drop(message, (name) => name !== 'content');
    message.role = 'user';
    return true;
  }
  const answered = messages.slice(index + 1).map((later) => later.tool_call_id);
  const open = callIds(message).some((id) => !answered.includes(id));
  if (!open) return false;
  // Its other results lose their call with this. The loop reaches them later in the list.
  drop(message, (name) => name === 'tool_calls');
  message.content ??= 'Let me see.';
  return true;
}

function callIds(message: JsonObject): unknown[] {
  const calls: unknown[] = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  return calls.filter(isObject).map((call) => call.id);
}
