import fc from 'fast-check';
import { expect, it } from 'vitest';
import { legalRequest } from '../../testing/legal-request.ts';
import { chatRequest } from '../../testing/native-body.ts';
import {
  type Item,
  type ReadBack,
  readCaller,
  readGenerateContent,
  readMessages,
} from '../../testing/native-readers.ts';
import { generateContentBody } from './generate-content.ts';
import { messagesBody } from './messages.ts';

type Body = Readonly<Record<string, unknown>>;

/** The request as it must arrive: lone surrogates become the replacement character. */
function wellFormed<Value>(value: Value): Value {
  return JSON.parse(
    JSON.stringify(value, (_key, member: unknown) =>
      typeof member === 'string' ? member.toWellFormed() : member,
    ),
  );
}

const objectSchema = (schema: unknown): object =>
  schema === null ? { type: 'object', properties: {} } : { type: 'object', ...Object(schema) };

/** The first turn must be a user turn. If the caller has none, a placeholder text is sent. */
function withFirstTurn(items: readonly Item[], isNeeded: boolean): readonly Item[] {
  return isNeeded ? [{ role: 'user', text: '.' }, ...items] : items;
}

const isUsers = (item: Item | undefined): boolean =>
  item !== undefined && 'role' in item && item.role === 'user';

/** A final text of the model is continued, and the dialect rejects white space at its end. */
function trimmedAtEnd(items: readonly Item[]): readonly Item[] {
  const last = items.at(-1);
  if (last === undefined || !('role' in last) || !('text' in last) || last.role !== 'assistant') return items;
  return [...items.slice(0, -1), { ...last, text: last.text.trimEnd() }];
}

const isForced = (choice: unknown): boolean =>
  choice === 'required' || (typeof choice === 'object' && choice !== null);

function samplingOf({ temperature, top_p }: Body): object {
  const clamped = temperature === undefined ? undefined : Math.min(Number(temperature), 1);
  if (clamped === undefined) return { top_p };
  return top_p !== undefined && top_p !== 1 && clamped === 1 ? { top_p } : { temperature: clamped };
}

const stopsOf = ({ stop }: Body): unknown[] => (stop === undefined ? [] : [stop].flat());

it('every legal request arrives in the messages dialect without loss', () => {
  fc.assert(
    fc.property(legalRequest, (given) => {
      const { body: text, textTool, ownStops = [] } = messagesBody(chatRequest(given, 'beta-large-4-5'), 'n');
      const sent = JSON.parse(text);
      const body: Body = wellFormed(given);
      const wanted = readCaller(body);
      const hasTools = wanted.tools.length > 0;
      const wantsJson = JSON.stringify(body.response_format)?.includes('json') ?? false;
      const isJson = wantsJson && !(hasTools && isForced(wanted.choice));
      // With a JSON document, only the choice whether to call at all remains, and it is always stated.
      const choice = isJson ? (hasTools && wanted.choice !== 'none' ? 'auto' : 'none') : wanted.choice;
      const seen = readMessages(sent, textTool);
      const single = body.parallel_tool_calls === false && hasTools;
      const expected: ReadBack = {
        ...wanted,
        items: trimmedAtEnd(withFirstTurn(wanted.items, !isUsers(wanted.items[0]))),
        tools: wanted.tools.map((tool) => ({ ...tool, schema: objectSchema(tool.schema) })),
        choice: single && choice === null ? 'auto' : choice,
      };
      if (hasTools || isJson) expect(seen).toEqual(expected);
      // Tools of earlier turns must be defined but cannot be called.
      else expect({ ...seen, tools: [], choice: null }).toEqual(expected);
      expect(textTool !== undefined).toBe(isJson);
      if (single && choice !== 'none') expect(sent.tool_choice.disable_parallel_tool_use).toBe(true);
      const { temperature, top_p, stop_sequences: stops = [], metadata, max_tokens, stream } = sent;
      expect({ temperature, top_p }).toEqual({
        temperature: undefined,
        top_p: undefined,
        ...samplingOf(body),
      });
      expect([...stops, ...ownStops].toSorted()).toEqual(stopsOf(body).toSorted());
      expect(stops.every((stop: string) => stop.trim() !== '')).toBe(true);
      expect(metadata?.user_id).toBe(body.user);
      expect(max_tokens).toBe(body.max_tokens ?? 200_000);
      expect(stream ?? false).toBe(body.stream ?? false);
    }),
    { numRuns: 200 },
  );
});

it('every legal request arrives in the generate-content dialect without loss', () => {
  fc.assert(
    fc.property(legalRequest, (given) => {
      const native = generateContentBody(chatRequest(given, 'gamma-3-pro'));
      const sent = JSON.parse(native.body);
      const body: Body = wellFormed(given);
      const wanted = readCaller(body);
      const begins = wanted.items[0];
      const isLonely = wanted.items.every((item) => 'role' in item && item.role === 'assistant');
      expect(readGenerateContent(sent, native.givenNames ?? new Map())).toEqual({
        ...wanted,
        items: withFirstTurn(wanted.items, isLonely || callsFirst(given)),
        tools: wanted.tools.map((tool) => ({
          ...tool,
          schema: tool.schema === null ? null : objectSchema(tool.schema),
        })),
        hints: [],
      });
      expect(begins).toBeDefined();
      expect(native.body).not.toContain('cache_control');
      const { generationConfig: config = {} } = sent;
      expect(config).toEqual({
        temperature: body.temperature,
        topP: body.top_p,
        maxOutputTokens: body.max_tokens,
        stopSequences: stopsOf(body).length > 0 ? stopsOf(body) : undefined,
        seed: body.seed,
        responseMimeType: JSON.stringify(body.response_format)?.includes('json')
          ? 'application/json'
          : undefined,
      });
    }),
    { numRuns: 200 },
  );
});

/** Whether the conversation starts with calls of the model. */
function callsFirst({ messages }: Body): boolean {
  const turns = Array.isArray(messages) ? messages.filter(({ role }) => role !== 'system') : [];
  return Array.isArray(turns[0]?.tool_calls);
}
