import { chatFields } from '../oracle/chat-fields.ts';
import { absent } from '../oracle/json-text.ts';
import { callOf, oneTool, toolNamed } from '../oracle/sample-tools.ts';

type Body = Readonly<Record<string, unknown>>;

/** The position of the faulty member in a list or map. */
export const faultPlaces = ['first', 'middle', 'last'] as const;
export type FaultPlace = (typeof faultPlaces)[number];

/** One way to make a legal chat request illegal. */
export interface ChatFault {
  readonly title: string;
  /** The field that the refusal names. */
  readonly field: string;
  /** Whether the fault has a position in a list or map; otherwise it affects a whole field. */
  readonly isPlaced: boolean;
  readonly apply: (body: Body, place: FaultPlace) => Body;
}

const strangers = {
  role: { role: 'wizard', content: 'Abracadabra.' },
  content: { role: 'user', content: 5 },
  block: { role: 'user', content: [{ type: 'text' }, { type: 'text', text: 'Here.' }] },
  result: { role: 'tool', content: 'A result of nothing.' },
};

/** Faults in one member of a list or map, which a gateway misses if it validates only the first member. */
const placed: readonly ChatFault[] = [
  inList('stop', 5, (at) => `stop-${at}`, 4),
  inList('tools', { ...oneTool, type: 'module' }, (at) => toolNamed(`other_${at}`), 3),
  inList(
    'tools',
    { type: 'function', function: { description: 'No name.' } },
    (at) => toolNamed(`one_${at}`),
    3,
  ),
  ...Object.entries(strangers).map(
    ([title, turn]): ChatFault => ({
      title: `a turn with a wrong ${title}`,
      field: 'messages',
      isPlaced: true,
      apply: (body, place) => ({ ...body, messages: inserted(body.messages as unknown[], turn, place) }),
    }),
  ),
  {
    title: 'a metadata key of 65 characters',
    field: 'metadata',
    isPlaced: true,
    apply: (body, place) => {
      const pairs = Array.from({ length: 15 }, (_, at) => [`tag${at}`, 'v']);
      return { ...body, metadata: Object.fromEntries(inserted(pairs, ['k'.repeat(65), 'v'], place)) };
    },
  },
  {
    title: 'a tool call without a name',
    field: 'messages',
    isPlaced: true,
    apply: (body, place) => {
      const calls = ['a', 'b'].map((id) => callOf(`call_${id}`));
      const nameless = { id: 'call_c', type: 'function', function: { arguments: '{}' } };
      const all = inserted<{ id: string }>(calls, nameless, place);
      const results = all.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'Water.' }));
      const turns = [
        { role: 'user', content: 'What is it?' },
        { role: 'assistant', content: null, tool_calls: all },
      ];
      const { messages } = body as { messages: unknown[] };
      return { ...body, messages: [...turns, ...results, ...messages.filter(isNoSystem)] };
    },
  },
];

/** Values of each field that must be refused, one for each kind of fault. */
export const chatFaults: readonly ChatFault[] = [
  ...placed,
  ...chatFields
    .filter(({ name }) => name !== 'model')
    .flatMap(({ name, cells }) => {
      const refused = cells.filter(({ verdict, value }) => verdict === 'refuse' && value !== absent);
      return refused.map(
        ({ value, beside }): ChatFault => ({
          title: `${name} = ${JSON.stringify(value)?.slice(0, 40)}`,
          field: name,
          isPlaced: false,
          apply: (body) => ({ ...body, ...beside, [name]: value }),
        }),
      );
    }),
];

function inList(field: string, wrong: unknown, right: (at: number) => unknown, count: number): ChatFault {
  return {
    title: `${field} with ${JSON.stringify(wrong).slice(0, 40)} among others`,
    field,
    isPlaced: true,
    apply: (body, place) => ({
      ...body,
      [field]: inserted(
        Array.from({ length: count - 1 }, (_, at) => right(at)),
        wrong,
        place,
      ),
    }),
  };
}

function inserted<T>(items: readonly T[], item: T, place: FaultPlace): T[] {
  const at = { first: 0, middle: Math.ceil(items.length / 2), last: items.length }[place];
  return items.toSpliced(at, 0, item);
}

function isNoSystem(turn: unknown): boolean {
  return (turn as { role?: unknown }).role !== 'system';
}
