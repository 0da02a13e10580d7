import { parseArguments } from '../../providers/composition/arguments.ts';
import { firstChunk } from './content.ts';
import { mapEvents } from './edit-answer.ts';
import { cutInsideEscapes } from './escapes.ts';
import { isJsonObject, type JsonObject, readPath, withMember } from './json-path.ts';
import type { OpenFrame } from './open-answer.ts';
import { isDelta, placeAfter } from './places.ts';

/** The forms that some providers always send. */
export const providerForms = [
  'two-in-chunk',
  'next-index',
  'name-in-parts',
  'name-in-every',
  'second-id',
  'null-id',
  'no-arguments-first',
  'objects',
  'so-far',
  'encoded-twice',
] as const;

interface Call {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** The stream with its tool calls split into other fragments; the text before them stays. */
export function chatCallDeltas(frames: readonly OpenFrame[], form: string | null): OpenFrame[] {
  const calls = callsIn(frames);
  const spoken = frames.filter((frame) => isDelta(frame) && fragmentsIn(frame).length === 0);
  const from = frames.findIndex((frame) => fragmentsIn(frame).length > 0);
  const hasEscape = calls.some((call) => cutInsideEscapes(call.arguments).length > 1);
  if (from === -1 || !actsOn(form, { calls: calls.length, texts: spoken.length, hasEscape }))
    return [...frames];
  const dueMs = frames[from]?.dueMs ?? 0;
  const envelope = firstChunk(frames);
  const ofCalls = calls.map((call, index) =>
    fragmentsOf(call, form === 'gaps' ? 2 * index + 1 : index, form),
  );
  const fragments = form === 'in-turns' ? roundRobin(ofCalls) : ofCalls.flat();
  const beside = form === 'beside-text' ? spoken.slice(-fragments.length) : [];
  const before = spoken.length - beside.length;
  const called = fragments.map((fragment, at): OpenFrame => {
    const said = beside[at]?.events[0]?.data;
    const text = said === undefined ? {} : { content: readPath(said, ['choices', 0, 'delta', 'content']) };
    const choice = {
      index: 0,
      delta: { ...text, tool_calls: [fragment].flat() },
      logprobs: null,
      finish_reason: null,
    };
    const data = { ...envelope, choices: [choice] };
    return { label: `delta-${before + at}`, dueMs, events: [{ name: null, data }] };
  });
  const ending = placeAfter(frames, Number.MAX_SAFE_INTEGER);
  return [...frames.slice(0, from - beside.length), ...called, ...frames.slice(ending)];
}

/** Whether a form changes anything in such calls. */
function actsOn(
  form: string | null,
  {
    calls,
    texts,
    hasEscape,
  }: { readonly calls: number; readonly texts: number; readonly hasEscape: boolean },
): boolean {
  if (form === 'beside-text') return texts > 0;
  if (form === 'same-index' || form === 'next-index' || form === 'in-turns') return calls > 1;
  return form !== 'in-escape' || hasEscape;
}

/** The fragments of one call; several of one chunk are in a list. */
function fragmentsOf(call: Call, index: number, form: string | null): (JsonObject | JsonObject[])[] {
  const { id, name } = call;
  const pieces = cutInsideEscapes(call.arguments);
  const [first = '', ...rest] = pieces;
  switch (form) {
    case 'late-name':
      return [
        { index, id, type: 'function', function: { arguments: first } },
        { index, function: { name } },
        ...rest.map((piece) => ({ index, function: { arguments: piece } })),
      ];
    case 'late-id':
      return [
        { index, type: 'function', function: { name, arguments: first } },
        { index, id, function: { arguments: '' } },
        ...rest.map((piece) => ({ index, function: { arguments: piece } })),
      ];
    case 'id-in-every':
      return [
        { index, id, type: 'function', function: { name, arguments: '' } },
        ...pieces.map((piece) => ({ index, id, type: 'function', function: { arguments: piece } })),
      ];
    case 'next-index':
      return [
        { index: Math.max(0, index - 1), id, type: 'function', function: { name, arguments: '' } },
        ...pieces.map((piece) => ({ index, function: { arguments: piece } })),
      ];
    case 'name-in-parts':
      return [
        { index, id, type: 'function', function: { name: name.slice(0, 2), arguments: '' } },
        { index, id, type: 'function', function: { name: name.slice(2), arguments: first } },
        ...rest.map((piece) => ({ index, function: { arguments: piece } })),
      ];
    case 'name-in-every':
      return pieces.map((piece) => ({ index, id, type: 'function', function: { name, arguments: piece } }));
    case 'no-index':
      return [
        { id, type: 'function', function: { name, arguments: '' } },
        ...pieces.map((piece) => ({ function: { arguments: piece } })),
      ];
    case 'no-arguments-first':
      return [
        { index, id, type: 'function', function: { name, arguments: '{}' } },
        ...pieces.map((piece) => ({ index, function: { arguments: piece } })),
      ];
    case 'objects':
      return [{ index, id, type: 'function', function: { name, arguments: parseArguments(call.arguments) } }];
    case 'so-far':
      return wholesOf(call.arguments).map((text) => ({
        index,
        id,
        type: 'function',
        function: { name, arguments: text },
      }));
    case 'encoded-twice':
      return [
        { index, id, type: 'function', function: { name, arguments: '' } },
        { index, function: { arguments: JSON.stringify(call.arguments) } },
      ];
    case 'two-in-chunk':
      return [
        [
          { index, id, type: 'function', function: { name } },
          { index, function: { arguments: first } },
        ],
        ...rest.map((piece) => ({ index, function: { arguments: piece } })),
      ];
    case 'same-index':
      return [{ index: 0, id, type: 'function', function: { name, arguments: call.arguments } }];
    case 'second-id':
      return withRest(index, call, pieces, { id: `${id}-rest`, type: 'function', function: {} });
    case 'null-id':
      return withRest(index, call, pieces, { id: 'null', function: { name: '' } });
    case 'empty-members':
      return withRest(index, call, pieces, { id: '', type: 'function', function: { name: '' } });
    default:
      return [
        { index, id, type: 'function', function: { name, arguments: '' } },
        ...pieces.map((piece) => ({ index, function: { arguments: piece } })),
      ];
  }
}

/** The text as far as three pieces have come, each time from its beginning. */
function wholesOf(text: string): string[] {
  return [1, 2, 3].map((piece) => text.slice(0, Math.ceil((text.length * piece) / 3)));
}

/** The calls of a plain answer with their arguments encoded twice. */
export function withEncodedArguments(frames: readonly OpenFrame[]): OpenFrame[] {
  const path = ['choices', 0, 'message', 'tool_calls'];
  return mapEvents([...frames], (data) => {
    const calls = readPath(data, path);
    if (!Array.isArray(calls)) return data;
    const encoded = calls.map((call: JsonObject) =>
      withMember(call, ['function', 'arguments'], JSON.stringify(textAt(call, 'function', 'arguments'))),
    );
    return withMember(data, path, encoded);
  });
}

/** A call whose fragments of arguments have these members. */
function withRest(
  index: number,
  { id, name }: Call,
  pieces: readonly string[],
  { function: named, ...members }: { readonly function: JsonObject; readonly [member: string]: unknown },
): JsonObject[] {
  return [
    { index, id, type: 'function', function: { name, arguments: '' } },
    ...pieces.map((piece) => ({ index, ...members, function: { ...named, arguments: piece } })),
  ];
}

function roundRobin<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

/** The tool calls of a generated stream, assembled from their fragments. */
function callsIn(frames: readonly OpenFrame[]): Call[] {
  const calls: { id: string; name: string; arguments: string }[] = [];
  for (const fragment of frames.flatMap(fragmentsIn)) {
    const more = textAt(fragment, 'function', 'arguments');
    const last = calls.at(-1);
    if (fragment.id === undefined) {
      if (last !== undefined) last.arguments += more;
    } else {
      calls.push({ id: String(fragment.id), name: textAt(fragment, 'function', 'name'), arguments: more });
    }
  }
  return calls;
}

function fragmentsIn({ events }: OpenFrame): JsonObject[] {
  return events.flatMap(({ data }) => {
    const fragments = readPath(data, ['choices', 0, 'delta', 'tool_calls']);
    return Array.isArray(fragments) ? fragments.filter(isJsonObject) : [];
  });
}

function textAt(value: JsonObject, ...path: readonly string[]): string {
  const text = readPath(value, path);
  return typeof text === 'string' ? text : '';
}
