import { type Finding, flag, must } from '../../rules/violation.ts';
import { type Exchange, excerpt, jsonOf, mediaType } from '../../wire/exchange.ts';
import { type Shape, shapeFault } from '../../wire/shapes.ts';
import { judgeIsServed } from '../served.ts';

/** The requirements on a successful answer, and the rule that a failure violates. */
export interface ExpectedAnswer {
  readonly requirement: string;
  readonly aspect: string;
  readonly statuses: readonly number[];
  /** The rule that another success status violates. */
  readonly status: Pick<Finding, 'requirement' | 'aspect'>;
  /** A noun for messages: `a task`. */
  readonly what: string;
  readonly shape: Shape;
  /** The rule about the member with a schema fault. */
  readonly ruleOf: (path: string) => string;
  readonly twin?: Exchange | undefined;
}

/** Judges status, completeness, media type and shape. After this, the members have their documented types. */
export function readAnswer(exchange: Exchange, expected: ExpectedAnswer): unknown {
  const { requirement, aspect, statuses, what, twin } = expected;
  const own = { requirement, aspect, exchange, twin };
  judgeIsServed(exchange, { own, what, statuses, status: expected.status });
  must(exchange.response.complete, {
    ...own,
    expected: 'a whole body',
    actual: exchange.error ?? 'a body cut short',
  });
  flag(mediaType(exchange) === 'application/json', {
    requirement: 'EP-003',
    aspect: 'json-answer',
    expected: 'content type application/json',
    actual: mediaType(exchange) || '(none)',
    exchange,
  });
  const body = jsonOf(exchange);
  const fault = shapeFault(expected.shape, body);
  must(fault === null, {
    requirement: expected.ruleOf(fault?.path ?? ''),
    aspect: 'shape',
    expected: `the members of ${what} with their types`,
    actual: `${fault?.path || 'the body'} ${fault?.reason}: ${excerpt(exchange, 200)}`,
    exchange,
  });
  return body;
}

/** How many seconds a server's clock may differ from ours. */
export const clockSkewS = 300;

/** The time span in which a timestamp of this exchange must lie, ms since the epoch by the deployment's clock. */
export function timeOf(exchange: Exchange, clockAheadMs: number): readonly [from: number, to: number] {
  return [
    exchange.sentAt + clockAheadMs - clockSkewS * 1000,
    exchange.endedAt + clockAheadMs + clockSkewS * 1000,
  ];
}
