import { judgeErrorShape } from '../../oracle/refusal.ts';
import { type Exchange, excerpt, outcomeOf } from '../../wire/exchange.ts';
import type { RawAnswer } from '../../wire/raw-socket.ts';
import { failure, observation, type Verdict } from '../verdicts/findings.ts';
import { foundBy } from '../verdicts/found-by.ts';
import type { RawSequence } from './raw-sequence.ts';

/** The outcome when a server waits for ever. */
export const silence = 'neither answered nor closed';

export interface RawFacts {
  /** Whether the bytes reach the deployment itself, so that a refusal comes from it. */
  readonly isDirect: boolean;
  readonly withinMs: number;
}

/** Judges the answer to raw bytes: a well-formed refusal or a closed connection, and never more answers than requests. */
export function judgeRaw(
  sequence: RawSequence,
  answer: RawAnswer,
  { isDirect, withinMs }: RawFacts,
): Verdict[] {
  const { answers, closed, exchange } = answer;
  if (answers.length === 0 && !closed)
    return [failure(silence, `an end within ${withinMs} ms`, outcomeOf(exchange))];
  if (answers.length > sequence.most)
    return [
      failure(
        'more answers than requests',
        `at most ${sequence.most} for these bytes`,
        `${answers.length}: ${answers.map(outcomeOf).join(', ')}`,
      ),
    ];
  return answers.flatMap((one) => judgeOne(sequence, one, isDirect));
}

function judgeOne(
  { expects, alsoStatuses = [] }: RawSequence,
  exchange: Exchange,
  isDirect: boolean,
): Verdict[] {
  const status = exchange.response?.status ?? 0;
  if (alsoStatuses.includes(status)) return [];
  if (status >= 500)
    return [
      failure(
        `status ${status}`,
        'a 4xx or a closed connection',
        `${outcomeOf(exchange)}: ${excerpt(exchange, 160)}`,
      ),
    ];
  if (status < 400) {
    if (expects === 'open') return [];
    return [
      failure(
        'accepted',
        'a 4xx or a closed connection',
        `${outcomeOf(exchange)}: ${excerpt(exchange, 160)}`,
      ),
    ];
  }
  const found = foundBy(() => judgeErrorShape(exchange));
  // A proxy in front of a deployment has its own error shapes.
  return isDirect ? found : found.map(({ cause, expected, actual }) => observation(cause, expected, actual));
}
