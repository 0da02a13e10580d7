import { isDeepStrictEqual } from 'node:util';
import type { Dialect } from '../../profile/dialects.ts';
import { type Finding, flag } from '../../rules/violation.ts';
import { isJsonObject } from '../../values/json.ts';
import { type Exchange, excerpt, outcomeOf } from '../../wire/exchange.ts';
import { dialectOfPath } from '../native/dialects.ts';
import { readCaller, readNative } from '../native/read.ts';
import { toolNames } from '../native/tool-names.ts';
import type { UsageCounts } from '../price.ts';
import type { Attempt } from './attempt.ts';
import { type Call, dialectOf } from './call.ts';
import { isFailureWord, meaningOf } from './finish-words.ts';
import { hasFailed, type Judged, judgedBy } from './judge-exchange.ts';
import { isGivenJson, isHaltedText, ownPart } from './own-part.ts';
import type { UpstreamRow } from './rows.ts';
import { readAnswer, readPlain, readStream, type Said } from './said.ts';
import { saidCounts } from './said-counts.ts';

/** A served call of chat with the attempt that answered it. */
export interface Answered {
  readonly exchange: Exchange;
  readonly call: Call;
  readonly attempt: Attempt;
}

/**
 * Judges an answer against its upstream's answer: text, tool calls, end and counts ("Chat response", "Streaming", "Billing":
 * the upstream's own count). A failed answer must not look complete. Unusual forms are not judged.
 */
export function judgeAgainstUpstream(answered: Answered): Judged<UpstreamRow>[] {
  const { call, exchange, attempt } = answered;
  const [ours, theirs] = [dialectOf(call.protocol), dialectOfPath(attempt.path)];
  if (ours === null || theirs === null || !attempt.isWhole || attempt.status !== 200) return [];
  const source = readAttempt(theirs, attempt);
  if (source === null) return [];
  const { said } = source;
  if (said.ending === 'unmarked') return [];
  if (said.ending !== 'whole' || isFailureWord(theirs, said.finish))
    return isOver(attempt) ? [judgedBy('failures', true, () => judgeFailed(answered, said))] : [];
  const { response } = exchange;
  const isServed = response?.complete === true && response.status < 300;
  if (!isServed || (call.stream && hasFailed(exchange)) || attempt.ended !== 'complete') return [];
  const got = readAnswer(exchange, call);
  if (got === null) return [];
  const both = { ...answered, said, got, ours, theirs };
  return [judgedBy('said', true, () => judgeSaid(both)), ...countsRow(both)];
}

/** Whether the upstream has sent all that it will. */
function isOver({ ended }: Attempt): boolean {
  return ended === 'complete' || ended === 'cut';
}

/** The content of an attempt's answer, streamed or not; null for an unusual form. */
export function readAttempt(
  dialect: Dialect,
  { answer, path, body, ended }: Pick<Attempt, 'answer' | 'path' | 'body' | 'ended'>,
): { readonly said: Said; readonly isStream: boolean } | null {
  const isStream =
    dialect === 'generate-content'
      ? path.includes(':streamGenerateContent')
      : /"stream"\s*:\s*true/.test(body.toString('utf8'));
  const said = isStream ? readStream(dialect, answer, ended !== 'complete') : readPlain(dialect, answer);
  return said === null ? null : { said, isStream };
}

interface Both extends Answered {
  readonly said: Said;
  readonly got: Said;
  readonly ours: Dialect;
  readonly theirs: Dialect;
}

function judgeSaid(both: Both): void {
  const { exchange, call, said, got, theirs } = both;
  const named = inOurNames(both);
  const own = ownPart(call, theirs, { ...said, calls: named ?? said.calls });
  const end = own?.kind === 'json' ? own.end : meaningOf(theirs, said);
  const rules = rulesOf(call, end);
  const found = ([requirement, aspect]: Rule, isRight: boolean, [expected, actual]: [string, string]): void =>
    flag(isRight, {
      ...{ requirement, aspect, expected, actual, exchange },
      upstream: both.attempt.answer.toString('utf8').slice(0, 1_500),
    });
  if (own?.kind === 'unknown') return;
  if (own?.kind === 'halted') {
    found(rules.text, isHaltedText(got.text, said.text, own.firstStop), difference(said.text, got.text));
    return;
  }
  if (own?.kind === 'json') {
    const given = JSON.stringify(own.given);
    found(rules.text, isGivenJson(got.text, own.given), [given, JSON.stringify(got.text)]);
    found(rules.calls, got.calls.length === 0, [
      'no call of a tool that the caller does not know',
      callsOf(got),
    ]);
  } else {
    const made = isReadable(said) ? named : null;
    found(rules.text, got.text === said.text, difference(said.text, got.text));
    const isMade = made === null || isDeepStrictEqual(made, got.calls);
    found(rules.calls, isMade, difference(JSON.stringify(made), callsOf(got)));
  }
  const calls = own === null ? said.calls : [];
  const isEnd = end === null || meaningOf(both.ours, { calls, finish: got.finish }) === end;
  const meant = `an end that means ${end}, as ${said.finish} of the upstream does`;
  found(rules.finish, isEnd, [meant, `${got.finish}`]);
}

function callsOf({ calls }: Said): string {
  return JSON.stringify(calls);
}

/**
 * Whether all calls have a name and arguments. Arguments that are not objects may pass in any form; where the upstream gives
 * its fragments wrong numbers (fault S24), nobody knows whose name is whose.
 */
function isReadable({ calls }: Said): boolean {
  return calls.every(
    ({ name, arguments: values }) => name !== '' && isJsonObject(values) && !('unreadable' in values),
  );
}

/** The calls under the caller's names; null where the upstream's request cannot be read. */
function inOurNames({ said, call, attempt, exchange }: Both): Said['calls'] | null {
  if (call.protocol !== 'chat') return said.calls;
  const seen = readNative(attempt.path, attempt.body.toString('utf8'));
  if (seen === null) return null;
  const renamed = [...toolNames(readCaller(exchange.request.body.toString('utf8')), seen)];
  const ours = new Map(renamed.map(([name, native]) => [native, name]));
  return said.calls.map((one) => ({ ...one, name: ours.get(one.name) ?? one.name }));
}

/** The first difference of two texts, with the characters before it. */
function difference(expected: string, actual: string): [expected: string, actual: string] {
  let shared = 0;
  while (shared < expected.length && expected[shared] === actual[shared]) shared += 1;
  const from = Math.max(0, shared - 40);
  const piece = (text: string): string =>
    `${from > 0 ? `(after ${from} characters) ` : ''}${JSON.stringify(text.slice(from, from + 160))}`;
  return [piece(expected), piece(actual)];
}

function countsRow({ exchange, call, said, got, ours, theirs, attempt }: Both): Judged<UpstreamRow>[] {
  const [wanted, shown] = [saidCounts(theirs, said.counts), saidCounts(ours, got.counts)];
  if (wanted === null || got.counts.length === 0) return [];
  return [
    judgedBy('usage', true, () => {
      flag(shown !== null && hasCounts(shown, wanted, call), {
        ...ruleIn(rulesOf(call).counts),
        expected: JSON.stringify(wanted),
        actual: JSON.stringify(shown ?? got.counts),
        exchange,
        upstream: attempt.answer.toString('utf8').slice(0, 1_500),
      });
      if (call.stream && ours === 'messages' && theirs === 'messages') judgeStart(said, got, exchange);
    }),
  ];
}

/** Clients read the input from the start of a stream: what an upstream counts there must not be 0 for them. */
function judgeStart(said: Said, got: Said, exchange: Exchange): void {
  const [wanted = 0, first] = [said, got].map(({ counts }) => counts[0]?.input_tokens);
  flag(first !== 0 || wanted === 0, {
    ...{ requirement: 'COMPA-010', aspect: 'counts-at-start', exchange },
    expected: `input_tokens ${wanted} at message_start, as the upstream counted there`,
    actual: '0',
  });
}

/** Only one protocol reports cache writes. */
function hasCounts(shown: UsageCounts, wanted: UsageCounts, { protocol }: Call): boolean {
  const names: readonly (keyof UsageCounts)[] =
    protocol === 'compatA'
      ? [
          'prompt_tokens',
          'completion_tokens',
          'cached_tokens',
          'cache_write_5m_tokens',
          'cache_write_1h_tokens',
        ]
      : ['prompt_tokens', 'completion_tokens', 'cached_tokens'];
  return names.every((name) => shown[name] === wanted[name]);
}

/** An answer whose upstream failed, or stopped without its end, must show that. */
function judgeFailed({ exchange, call, attempt }: Answered, said: Said): void {
  const { response } = exchange;
  const isServed = response !== null && response.status < 300;
  const looksWhole = isServed && response.complete && !(call.stream && hasFailed(exchange));
  flag(!looksWhole, {
    ...ruleIn(rulesOf(call).failure),
    expected:
      said.ending === 'whole'
        ? `a visible failure: the upstream ended with ${said.finish}`
        : 'a visible failure: the upstream never came to its end',
    actual: `no failure: ${outcomeOf(exchange)} ${excerpt(exchange, 160) || 'without a body'}`,
    exchange,
    upstream: attempt.answer.toString('utf8').slice(-1_500),
  });
}

function ruleIn([requirement, aspect]: Rule): Pick<Finding, 'requirement' | 'aspect'> {
  return { requirement, aspect };
}

/** The rule that each part of an answer falls under, with the aspect that its checks name. */
interface Rules {
  readonly text: Rule;
  readonly calls: Rule;
  readonly finish: Rule;
  readonly counts: Rule;
  readonly failure: Rule;
}
type Rule = readonly [requirement: string, aspect: string];

const compatARules: Rules = {
  text: ['COMPA-010', 'text-unchanged'],
  calls: ['COMPA-005', 'tool-use-comes-back'],
  finish: ['COMPA-010', 'stop-reason-verbatim'],
  counts: ['COMPA-016', 'usage-verbatim'],
  failure: ['COMPA-011', 'visible'],
};

const compatBRules: Rules = {
  text: ['COMPB-010', 'text-as-said'],
  calls: ['COMPB-005', 'call-unchanged'],
  finish: ['COMPB-010', 'finish-as-said'],
  counts: ['COMPB-010', 'usage-verbatim'],
  failure: ['COMPB-011', 'failure-visible'],
};

/** The rules about each end of a chat. */
const endRules: Readonly<Record<string, Rule>> = {
  stop: ['RESP-010', 'natural-end'],
  length: ['RESP-011', 'cut-by-max-tokens'],
  tool_calls: ['RESP-012', 'finish-is-tool-calls'],
  content_filter: ['RESP-013', 'filtered-output'],
};

function rulesOf({ protocol, stream }: Call, end: string | null = null): Rules {
  if (protocol !== 'chat') return protocol === 'compatA' ? compatARules : compatBRules;
  const finish = endRules[end ?? ''] ?? ['RESP-009', 'end-as-upstream'];
  return stream
    ? {
        ...{ text: ['SSE-007', 'fragments-join'], calls: ['TOOL-018', 'all-calls-in-order'], finish },
        ...{ counts: ['SSE-011', 'verbatim'], failure: ['SSE-016', 'visible'] },
      }
    : {
        ...{ text: ['RESP-024', 'text-unchanged'], calls: ['TOOL-006', 'all-calls-in-order'], finish },
        ...{ counts: ['RESP-022', 'verbatim'], failure: ['RESP-009', 'failure-never-whole'] },
      };
}
