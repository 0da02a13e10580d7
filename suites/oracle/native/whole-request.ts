import type { Dialect } from '../../profile/dialects.ts';
import { type Json, objectOf, readJson } from './json.ts';
import { readCaller, readNative } from './read.ts';
import { fieldFault, forwardedFields } from './same-fields.ts';
import { turnFault } from './same-turns.ts';

/** A part of a request that did not arrive as sent. */
export interface WholeFault {
  /** `turns`, a forwarded field, or a member that the caller never sent. */
  readonly what: string;
  readonly expected: string;
  readonly actual: string;
}

/** Native members that change sampling and have no counterpart in a chat request, each with its neutral value. */
const unsaidWords: Readonly<Record<Dialect, Readonly<Record<string, number | null>>>> = {
  'chat-completions': { frequency_penalty: 0, presence_penalty: 0, logit_bias: null, n: 1, top_k: null },
  messages: { top_k: null },
  'generate-content': { frequencyPenalty: 0, presencePenalty: 0, candidateCount: 1, topK: null },
};

/**
 * Compares the caller's request with the upstream's: every turn and part in order and in full, and every forwarded field. No
 * other member may steer the model. Returns the differences. An unknown path yields none, because it is no fault of the
 * caller.
 */
export function wholeFaults(
  body: object | string,
  upstream: { readonly path: string; readonly text: string },
): readonly WholeFault[] {
  const seen = readNative(upstream.path, upstream.text);
  if (seen === null) return [];
  const sent = readCaller(body);
  const turns = turnFault(sent, seen);
  const added = unsaid(seen.dialect, upstream.text);
  return [
    ...(turns === null ? [] : [{ what: 'turns', ...difference(turns) }]),
    ...forwardedFields.flatMap((name) => {
      const fault = fieldFault(name, sent, seen);
      return fault === null ? [] : [{ what: name, ...difference(fault) }];
    }),
    ...(added === null ? [] : [added]),
  ];
}

function unsaid(dialect: Dialect, text: string): WholeFault | null {
  const body = objectOf(readJson(text));
  const members: Json = dialect === 'generate-content' ? objectOf(body.generationConfig) : body;
  const words = Object.entries(unsaidWords[dialect]);
  const [what] = words.find(([name, neutral]) => ![neutral, null].includes(numberIn(members[name]))) ?? [];
  if (what === undefined) return null;
  return {
    what,
    expected: `no ${what}, which the caller did not send`,
    actual: JSON.stringify(members[what]),
  };
}

/** An absent value is null. A value that is not a number becomes NaN, which is never neutral. */
function numberIn(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'number' ? value : Number.NaN;
}

/** How much of a long difference is shown, characters. */
const shownLength = 600;

/** The parts of two long texts from shortly before their first difference. */
function difference({ expected, actual }: { expected: string; actual: string }): {
  expected: string;
  actual: string;
} {
  const [, place = '', wanted = expected] = /^(turn \d+ as sent: )(.*)$/s.exec(expected) ?? [];
  let shared = 0;
  while (shared < wanted.length && wanted[shared] === actual[shared]) shared += 1;
  const from = wanted.length <= shownLength ? 0 : Math.max(0, shared - 80);
  const lead = from === 0 ? '' : `(after ${from} characters alike) …`;
  const piece = (text: string): string => `${lead}${text.slice(from, from + shownLength)}`;
  return { expected: `${place}${piece(wanted)}`, actual: piece(actual) };
}
