import { type Finding, flag } from '../../rules/violation.ts';
import { isJsonObject, parseJson } from '../../values/json.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { chatModel } from '../chat-catalogue.ts';
import { memberDifference, memberOf } from '../compat/same-json.ts';
import { messagesDifferences } from '../compat/same-messages.ts';
import { fieldsOf } from '../media/fields.ts';
import { stepFaults } from '../media/later-step.ts';
import { mediaModel } from '../media/models.ts';
import { mediaFault, readMedia } from '../media/upstream-view.ts';
import { dialectOfPath } from '../native/dialects.ts';
import { type Json, objectOf, readJson } from '../native/json.ts';
import { readCaller, readNative } from '../native/read.ts';
import { fieldFault } from '../native/same-fields.ts';
import { turnFault, withCallNumbers } from '../native/same-turns.ts';
import { type Turn, textOf } from '../native/view.ts';
import { wholeFaults } from '../native/whole-request.ts';
import type { Attempt } from './attempt.ts';
import type { Call } from './call.ts';

/** A part of a request that did not arrive as sent, and the rule about it. */
type Fault = Pick<Finding, 'requirement' | 'aspect' | 'expected' | 'actual' | 'member'>;

/** Members of a compat path B body with a separate rule about their arrival. */
const compatBRules: Readonly<Record<string, readonly [requirement: string, aspect: string]>> = {
  contents: ['COMPB-018', 'turn-content'],
  generationConfig: ['COMPB-004', 'config-unchanged'],
  tools: ['COMPB-005', 'tools-unchanged'],
  toolConfig: ['COMPB-005', 'tool-config-unchanged'],
};

/**
 * Judges the upstream request of a call: everything that the caller sent, and nothing else ("Chat request", "Endpoints").
 * @param parentJob the upstream's id of the task that a later step continues; null when unknown
 */
export function judgeRequest(
  exchange: Exchange,
  call: Call,
  attempt: Attempt,
  parentJob: string | null = null,
): void {
  const text = attempt.body.toString('utf8');
  for (const fault of requestFaults(exchange, call, { path: attempt.path, text, parentJob }))
    flag(false, { ...fault, exchange, upstream: text.slice(0, 1_500) });
}

const turnContent = { requirement: 'CHAT-010', aspect: 'turn-content' };

interface Seen {
  readonly path: string;
  readonly text: string;
  readonly parentJob?: string | null;
}

/** How an upstream's request differs from its caller's, each with the rule that it breaks. */
export function requestFaults(exchange: Exchange, call: Call, seen: Seen): Fault[] {
  const sent = exchange.request.body.toString('utf8');
  switch (call.protocol) {
    case 'chat':
      return [
        ...wholeFaults(sent, seen)
          .filter(({ what }) => isSettled(what, sent))
          .map(({ what, ...texts }) =>
            what === 'turns'
              ? { ...turnContent, ...texts }
              : { requirement: 'CHAT-050', aspect: `forwards-${what.replaceAll('_', '-')}`, ...texts },
          ),
        ...(isReadable(sent) && !isSettled('turns', sent) ? lostTexts(sent, seen) : []),
      ];
    case 'compatA':
      return dialectOfPath(seen.path) !== 'messages'
        ? retold(exchange, 'compatA', seen)
        : messagesDifferences(sent, seen.text).map(({ path, expected, ...rest }) => ({
            ...{ ...rest, member: memberOf(path), expected: `${path} as sent: ${expected}` },
          }));
    case 'compatB':
      return dialectOfPath(seen.path) === 'generate-content'
        ? membersChanged(call, sent, seen.text)
        : retold(exchange, 'compatB', seen);
    case 'images':
    case 'submit':
      return mediaFaults(call, objectOf(readJson(sent)), seen);
    default:
      return [];
  }
}

/** Fields of a compat request that an upstream of another dialect must be told, as far as its words can say them. */
const shared = [
  ...(['max_tokens', 'temperature', 'top_p', 'stop', 'tools', 'tool_choice'] as const),
  ...(['seed', 'response_format'] as const),
];

/** The rules about them, where an upstream is asked in other words. */
const retoldRules = {
  compatA: {
    turns: ['COMPA-021', 'content-arrives'],
    tools: ['COMPA-001', 'tools-retold'],
    fields: ['COMPA-001', 'field-retold'],
  },
  compatB: {
    turns: ['COMPB-018', 'turn-content'],
    tools: ['COMPB-005', 'tools-retold'],
    fields: ['COMPB-004', 'config-retold'],
  },
} as const;

/** More stop texts than this are not legal, and on compat paths a gateway may enforce them by itself. */
const mostStops = 4;

/**
 * The request of a compat path whose upstream is asked in other words: a conversation of texts, media, calls and results,
 * and fields that every dialect has, mean the same there.
 */
function retold({ request }: Exchange, protocol: keyof typeof retoldRules, { path, text }: Seen): Fault[] {
  const [sent, seen] = [readNative(request.url, request.body.toString('utf8')), readNative(path, text)];
  if (sent === null || seen === null || !isOrdinary(sent.turns)) return [];
  const isPlain = ({ parts, result }: Turn): boolean =>
    parts.every(({ kind }) => kind === 'text' || kind === 'media') && !Array.isArray(result?.value);
  if (!sent.turns.every(isPlain)) return [];
  const rules = retoldRules[protocol];
  const faultOf = (
    [requirement, aspect]: readonly [string, string],
    fault: { readonly expected: string; readonly actual: string } | null,
  ): Fault[] =>
    fault === null ? [] : [{ requirement, aspect, expected: fault.expected, actual: fault.actual }];
  const [said = sent, told = seen] = [sent, seen].map((view) => ({ ...view, turns: view.turns.map(bare) }));
  const stops = Array.isArray(sent.fields.stop) ? sent.fields.stop.length : 0;
  return [
    ...faultOf(rules.turns, turnFault(said, told)),
    ...shared
      .filter((name) => name !== 'stop' || stops <= mostStops)
      .flatMap((name) =>
        faultOf(name.startsWith('tool') ? rules.tools : rules.fields, fieldFault(name, sent, seen)),
      ),
    ...faultOf(rules.tools, singleCallFault(request.body.toString('utf8'), { path, text })),
  ];
}

/** A caller that takes one call at a time, and an upstream that is not told so, although its dialect has a field for it. */
function singleCallFault(sent: string, { path, text }: Seen): { expected: string; actual: string } | null {
  const { tools, tool_choice: choice } = objectOf(readJson(sent));
  const { parallel_tool_calls: told } = objectOf(readJson(text));
  const isAsked = objectOf(choice).disable_parallel_tool_use === true && Array.isArray(tools);
  if (!isAsked || dialectOfPath(path) !== 'chat-completions' || told === false) return null;
  return { expected: 'parallel_tool_calls false, as disable_parallel_tool_use says', actual: String(told) };
}

/** A result by what it holds: some dialects have a text for it, and others an object around its only value. */
function bare(turn: Turn): Turn {
  const { result } = turn;
  if (result === null) return turn;
  const read = typeof result.value === 'string' ? parseJson(result.value) : result.value;
  const [only, ...more] = isJsonObject(read) ? Object.values(read) : [read ?? result.value];
  return { ...turn, result: { ...result, value: more.length > 0 ? read : (only ?? '') } };
}

/** Whether the specification defines what must arrive of this part. A gateway may repair odd parts (readings B-22, B-24). */
function isSettled(what: string, sent: string): boolean {
  if (!isReadable(sent)) return false;
  const { turns, tools, model, fields, system } = readCaller(sent);
  const isKnown = chatModel(String(model)) !== undefined;
  const made = turns.flatMap(({ calls }) => calls);
  const value = Object.hasOwn(fields, what) ? fields[what as keyof typeof fields] : null;
  if (Object.hasOwn(legalNumbers, what) && !isLegal(value, legalNumbers[what])) return false;
  switch (what) {
    case 'turns':
      return isOrdinary(turns) && (system.length === 0 || /\S/.test(textOf({ parts: system })));
    case 'tools':
      return tools.length > 0 || made.length === 0;
    case 'tool_choice':
      // Without tools a choice is refused or means nothing (reading B-25), and none is added.
      return tools.length > 0 || fields.tool_choice === null;
    case 'stop':
      return !Array.isArray(fields.stop) || fields.stop.length <= mostStops;
    case 'max_tokens':
      return isKnown || fields.max_tokens !== null;
    case 'temperature':
    case 'top_p':
      // A number that no double can represent may be rounded.
      return typeof fields[what] !== 'object';
    case 'seed':
      // The same holds for a fraction; an integer of any size keeps its digits.
      return !/e-/.test(JSON.stringify(fields.seed));
    default:
      return true;
  }
}

/** The ranges of numbers that must arrive: CHAT-050 speaks of legal values. Others are refused, or taken by a gateway's own rule. */
const legalNumbers: Readonly<Record<string, readonly [least: number, most: number]>> = {
  temperature: [0, 2],
  top_p: [0, 1],
  max_tokens: [1, Number.POSITIVE_INFINITY],
  seed: [-(2 ** 63), 2 ** 63],
};

/** Whether a number, exact ones included, is within a range. An absent one is legal. */
function isLegal(value: unknown, range: readonly [number, number] | undefined): boolean {
  if (value === null || value === undefined || range === undefined) return true;
  const exact = objectOf(value).exactNumber;
  const number = typeof exact === 'string' ? Number(exact) : value;
  return typeof number === 'number' && number >= range[0] && number <= range[1];
}

/** Whether its texts are unambiguous: a gateway may also repair an unpaired surrogate. */
function isReadable(sent: string): boolean {
  return sent.isWellFormed() && !/\\u[dD][89a-fA-F]/.test(sent);
}

/**
 * Finds a text of an odd conversation that did not reach its upstream. A gateway may repair such a conversation, but not drop
 * its text.
 */
function lostTexts(sent: string, { path, text }: Seen): Fault[] {
  if (dialectOfPath(path) === null) return [];
  const arrived = textsIn(readJson(text)).join('\n');
  const said: string[] = [];
  const results = new Map<string, string[]>();
  for (const { calls, result, parts } of readCaller(sent).turns) {
    for (const { id } of calls) if (id !== null) results.set(id, []);
    if (result === null) said.push(...parts.flatMap((one) => (one.kind === 'text' ? [one.text] : [])));
    else if (result.callId !== null) results.get(result.callId)?.push(String(result.value));
  }
  const hasArrived = (one: string): boolean => arrived.includes(one.trim());
  // A gateway may choose one of several results of a call. It may pass on a JSON result as JSON.
  const unanswered = [...results.values()].find(
    (given) => given.length > 0 && !given.some((one) => hasArrived(one) || parseJson(one) !== undefined),
  );
  const lost = said.find((one) => !hasArrived(one)) ?? unanswered?.[0];
  if (lost === undefined) return [];
  const expected = `this text at its upstream: ${lost.slice(0, 160)}`;
  return [{ ...turnContent, expected, actual: 'it is lost' }];
}

/** Every text of a JSON value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value === null || typeof value !== 'object' ? [] : Object.values(value).flatMap(textsIn);
}

/** Whether a conversation starts with the user, has content in each turn, and answers each call once. */
function isOrdinary(turns: readonly Turn[]): boolean {
  const answered = withCallNumbers(turns).flatMap(({ turn, call }) => (turn.result === null ? [] : [call]));
  const isAnswered = !answered.includes(null);
  const isSaid = turns.every((turn) => {
    const isText = turn.parts.every(({ kind }) => kind === 'text');
    return turn.calls.length > 0 || turn.result !== null || !isText || /\S/.test(textOf(turn));
  });
  return turns[0]?.role === 'user' && isSaid && isAnswered && new Set(answered).size === answered.length;
}

function membersChanged({ request }: Call, sent: string, seen: string): Fault[] {
  const names = Object.keys(request ?? {}).filter((name) => name !== 'model');
  return names.flatMap((name) => {
    const found = memberDifference(sent, seen, name);
    if (found === null) return [];
    const { path, expected, actual } = found;
    const [requirement, aspect] = compatBRules[name] ?? ['COMPB-001', 'field-kept'];
    return [
      { requirement, aspect, member: memberOf(path), expected: `${path} as sent: ${expected}`, actual },
    ];
  });
}

/** First steps of models with steps, and the only one of others. */
const firsts: readonly unknown[] = [undefined, null, 'generate', 'imagine'];

function mediaFaults({ model }: Call, request: Json, seen: Seen): Fault[] {
  const known = mediaModel(model);
  const view = known === undefined ? null : readMedia(seen, model);
  if (view === null) return [];
  // A later step takes inputs from another task, so only some of its own must arrive.
  if (!firsts.includes(request.action)) return stepFaults(request, view, seen.parentJob ?? null);
  const fault = mediaFault(request, view);
  if (fault === null) return [];
  const { field, expected, actual } = fault;
  const row = fieldsOf(model).find(({ name }) => name === field)?.row ?? known?.row ?? '';
  return [{ requirement: row, aspect: 'field-arrives', expected: `${field} ${expected}`, actual }];
}
