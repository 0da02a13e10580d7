import { flag, must } from '../../rules/violation.ts';
import { parseJson } from '../../values/json.ts';
import { type Exchange, excerpt, isSuccess, mediaType, outcomeOf } from '../../wire/exchange.ts';
import { readSse } from '../../wire/sse.ts';
import { isErrorEvent } from '../chunk.ts';
import type { Usage } from '../completion.ts';
import { answerText } from '../error-leaks.ts';
import { errorTextsOf } from '../upstream-error-texts.ts';
import type { Call, CallerOutcome, FaultCell, Verdict } from './fault-facts.ts';
import { rowOfAttempts, rowOfRefusal, rowOfText } from './fault-rows.ts';

/** The upstream's scripted answer, apart from the fault. */
export interface ScriptedAnswer {
  readonly text: string;
  readonly usage: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly cached_tokens?: number;
    readonly cache_write_tokens?: number;
    readonly cache_write_1h_tokens?: number;
  };
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
}

/** Whether the upstream was scripted to send tool arguments that are not JSON. These pass unchanged. */
export function scriptsBrokenArguments({ calls }: ScriptedAnswer): boolean {
  return calls.some((call) => parseJson(call.arguments) === undefined);
}

/** The content of a served answer. */
export interface Served {
  readonly content: string | null;
  readonly finishReason: string;
  readonly usage: Usage;
  readonly toolCalls: readonly { readonly function: { readonly name: string; readonly arguments: string } }[];
}

/**
 * The outcome for the caller, before it is judged. A stream without an end counts as an answer, because it claims to be one.
 */
export function callerOutcomeOf(exchange: Exchange, call: Call): CallerOutcome {
  if (!isSuccess(exchange)) return 'refused';
  if (call === 'plain' || mediaType(exchange) !== 'text/event-stream') return 'served';
  if (!exchange.response.complete) return 'broken';
  const { events } = readSse(exchange.response.body);
  return events.some(({ data }) => isErrorEvent(parseJson(data))) ? 'broken' : 'served';
}

/** Judges whether the caller may see this outcome at all. */
export function judgeCallerOutcome(
  callerOutcome: CallerOutcome,
  verdict: Verdict,
  { call }: FaultCell,
  exchange: Exchange,
): void {
  if (verdict.seen.includes(callerOutcome)) return;
  must(false, {
    ...ruleOfOutcome(callerOutcome, verdict, call),
    expected: verdict.seen.map((one) => callerOutcomeNames[one]).join(' or '),
    actual: `${callerOutcomeNames[callerOutcome]}: ${outcomeOf(exchange)} ${excerpt(exchange, 240)}`,
    exchange,
  });
}

const callerOutcomeNames: Readonly<Record<CallerOutcome, string>> = {
  served: 'a good answer',
  refused: 'a plain HTTP error',
  broken: 'a stream that visibly breaks',
};

function ruleOfOutcome(
  callerOutcome: CallerOutcome,
  verdict: Verdict,
  call: Call,
): { requirement: string; aspect: string } {
  if (callerOutcome === 'served') {
    const requirement = verdict.seen.includes('broken') ? 'SSE-016' : rowOfRefusal(verdict);
    return { requirement, aspect: 'false-success' };
  }
  if (verdict.seen.includes('served'))
    return { requirement: call === 'plain' ? 'RESP-023' : 'SSE-001', aspect: 'fault-survived' };
  return callerOutcome === 'broken'
    ? { requirement: rowOfRefusal(verdict), aspect: 'fault-code' }
    : { requirement: 'SSE-016', aspect: 'stream-began' };
}

/** Judges text, finish reason, tool calls and counts of a successful answer. */
export function judgeServed(
  served: Served,
  scripted: ScriptedAnswer,
  verdict: Verdict,
  cell: FaultCell,
  exchange: Exchange,
): void {
  judgeText(served.content ?? '', scripted.text, verdict.text, cell, exchange);
  flag(verdict.finish.includes(served.finishReason), {
    requirement: rowOfText(cell),
    aspect: 'fault-finish',
    expected: `finish_reason ${verdict.finish.join(' or ')}`,
    actual: served.finishReason,
    exchange,
  });
  const calls = served.toolCalls.map((one) => `${one.function.name}(${one.function.arguments})`);
  const wanted = scripted.calls.map((one) => `${one.name}(${one.arguments})`);
  flag(verdict.text === 'any' || sameCalls(calls, wanted), {
    requirement: rowOfText(cell),
    aspect: 'fault-calls',
    expected: wanted.length === 0 ? 'no tool calls' : `the calls ${wanted.join(', ')}`,
    actual: calls.join(', ') || 'none',
    exchange,
  });
  judgeCounts(served.usage, scripted, verdict, exchange);
}

/** Judges the text of an answer, or of a stream up to the point where it broke. */
export function judgeText(
  content: string,
  text: string,
  rule: Verdict['text'],
  cell: Pick<FaultCell, 'call'>,
  exchange: Exchange,
): void {
  const holds = {
    whole: content === text,
    prefix: text.startsWith(content),
    none: content === '',
    any: true,
  }[rule];
  flag(holds, {
    requirement: rowOfText(cell),
    aspect: 'fault-text',
    expected:
      rule === 'none' ? 'no text' : `${rule === 'whole' ? '' : 'a beginning of '}${JSON.stringify(text)}`,
    actual: JSON.stringify(content),
    exchange,
  });
}

/** Calls may use another spelling of the same JSON. */
function sameCalls(calls: readonly string[], wanted: readonly string[]): boolean {
  const plain = (one: string): string => one.replaceAll(/\s/g, '');
  return calls.length === wanted.length && calls.every((one, at) => plain(one) === plain(wanted[at] ?? ''));
}

function judgeCounts(
  usage: Usage,
  { usage: scripted }: ScriptedAnswer,
  verdict: Verdict,
  exchange: Exchange,
): void {
  if (verdict.usage === 'any') return;
  const zero = { prompt_tokens: 0, completion_tokens: 0 };
  const wanted = verdict.usage === 'zero' ? zero : scripted;
  const cached = usage.prompt_tokens_details?.cached_tokens ?? 0;
  const same =
    usage.prompt_tokens === wanted.prompt_tokens &&
    usage.completion_tokens === wanted.completion_tokens &&
    cached === (verdict.usage === 'zero' ? 0 : (scripted.cached_tokens ?? 0));
  flag(same, {
    requirement: 'RESP-022',
    aspect: 'fault-usage',
    expected: `the counts of the upstream: ${JSON.stringify(wanted)}`,
    actual: JSON.stringify(usage),
    exchange,
  });
}

/** Judges the number of upstream requests of one call. */
export function judgeAttempts(count: number, verdict: Verdict, cell: FaultCell, exchange: Exchange): void {
  const [min, max] = verdict.attempts;
  flag(count >= min && count <= max, {
    requirement: rowOfAttempts(verdict, cell) ?? fallbackRow(verdict, cell),
    aspect: 'fault-attempts',
    expected: min === max ? `${min} upstream requests` : `${min} to ${max} upstream requests`,
    actual: String(count),
    exchange,
  });
}

/** Where no rule fixes the number, a wrong number is reported under the rule of the fault. */
function fallbackRow(verdict: Verdict, cell: FaultCell): string {
  return verdict.seen.includes('served') ? rowOfText(cell) : rowOfRefusal(verdict);
}

/** Judges that nothing from the upstream reached the caller except the requested text. */
export function judgeNothingRaw(
  bodies: readonly Buffer[],
  scripted: ScriptedAnswer,
  exchange: Exchange,
): void {
  const seen = answerText(exchange);
  const own = [scripted.text, ...scripted.calls.map((one) => one.arguments)].join('\n');
  const raw = bodies.flatMap((body) => errorTextsOf(body, own)).find((errorText) => seen.includes(errorText));
  flag(raw === undefined, {
    requirement: 'ERR-009',
    aspect: 'fault-raw',
    expected: 'no error text of the upstream',
    actual: JSON.stringify(raw),
    exchange,
  });
}
