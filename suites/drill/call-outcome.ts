import { isErrorEvent } from '../oracle/chunk.ts';
import { throwing, Violation } from '../rules/violation.ts';
import { parseJson } from '../values/json.ts';
import { type Exchange, errorCodeOf, outcomeOf } from '../wire/exchange.ts';
import { readSse } from '../wire/sse.ts';
import { textOfAnswer } from './call-protocol.ts';
import type { PlannedCall } from './planned-calls.ts';

/**
 * The result of a call: a success, a refusal, a stream with an error, an answer that violates a rule or lacks its end, or no
 * answer.
 */
export interface CallOutcome {
  readonly kind: 'ok' | 'refused' | 'broken' | 'wrong' | 'truncated' | 'none';
  /** The code of the error, or one word for the kind. */
  readonly code: string;
  /** The text of a successful answer. */
  readonly text: string | null;
  readonly detail: string;
}

const aboutItsEnd: readonly string[] = [
  ...['SSE-008', 'SSE-009', 'SSE-012'],
  ...['COMPA-010 event-order', 'COMPB-010 stream-ends', 'COMPB-010 finish-reason'],
];

/** Judges an answer by the rules of a chat answer. */
export function outcomeOfCall(exchange: Exchange, call: PlannedCall, clockAheadMs: number): CallOutcome {
  const { response } = exchange;
  const outcome = (kind: CallOutcome['kind'], code: string, detail = ''): CallOutcome => ({
    ...{ kind, code, detail, text: null },
  });
  if (response === null) return outcome('none', 'no answer', exchange.error ?? '');
  if (response.status !== 200) {
    const code = errorCodeOf(exchange);
    return outcome('refused', typeof code === 'string' ? code : outcomeOf(exchange));
  }
  const reported = call.isStream ? reportedError(response.body) : null;
  if (reported !== null) return outcome('broken', reported);
  try {
    const text = throwing(() => textOfAnswer(call, exchange, clockAheadMs));
    return { kind: 'ok', code: 'ok', text, detail: '' };
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    const { requirement, aspect } = error.finding;
    const isTruncated =
      !response.complete ||
      [requirement, `${requirement} ${aspect}`].some((one) => aboutItsEnd.includes(one));
    const kind = isTruncated ? 'truncated' : 'wrong';
    return outcome(kind, kind, error.message);
  }
}

function reportedError(body: Buffer): string | null {
  const error = readSse(body)
    .events.map(({ data }) => parseJson(data))
    .find(isErrorEvent)?.error as { code?: unknown } | undefined;
  return error === undefined ? null : typeof error.code === 'string' ? error.code : 'error in the stream';
}

/** The same, and compares the answer with the upstream's text. */
export function againstUpstream(outcome: CallOutcome, said: readonly string[]): CallOutcome {
  const { kind, text } = outcome;
  if (kind !== 'ok' || text === null || said.length === 0 || said.includes(text)) return outcome;
  const isTruncated = said.some((whole) => whole.startsWith(text));
  const name = isTruncated ? 'truncated' : 'wrong';
  const detail = `the upstream said ${JSON.stringify(said.at(-1)?.slice(0, 120))}, the caller got ${JSON.stringify(text.slice(0, 120))}`;
  return { kind: name, code: name, text, detail };
}
