import type { Reply } from '../control/protocol.ts';
import { Course } from './course.ts';
import type { Exchange } from './exchange.ts';

/** An answer that is not a stream. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * Sends an answer with a content length. To gates, hangs and cuts its body is one delta, due at `first_ms`;
 * when something is scripted to happen later, the first half of the body is that delta and the rest the ending.
 */
export async function sendWhole(exchange: Exchange, answer: WholeAnswer, reply: Reply): Promise<void> {
  const { status, body } = answer;
  const headers = withHeaders({ ...answer.headers, 'content-length': String(body.length) }, reply.headers);
  const course = new Course(exchange, reply);
  await course.beforeHead();
  await exchange.sleepUntil(course.deadline(0));
  const stopsInside = actsInside(reply);
  exchange.head(status, headers, course.deadline(0), stopsInside);
  course.afterHead();
  await course.beforeDelta(0);
  if (!stopsInside) return exchange.finish('body', body, course.deadline(0));
  const half = Math.floor(body.length / 2);
  await exchange.send('body', body.subarray(0, half), course.deadline(0));
  await course.beforeEnd(1);
  course.afterFinish();
  await exchange.finish('body-rest', body.subarray(half), course.deadline(1));
}

/** The given headers, with those of the reply added or put in place of the same name. */
export function withHeaders(
  headers: Readonly<Record<string, string>>,
  scripted: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const replaced = new Set(Object.keys(scripted).map((name) => name.toLowerCase()));
  const kept = Object.entries(headers).filter(([name]) => !replaced.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...scripted };
}

/** The body of a raw reply: a string as it is, anything else as JSON. */
export function rawAnswer(status: number, body: unknown): WholeAnswer {
  const isText = typeof body === 'string';
  return {
    status,
    headers: { 'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json' },
    body: Buffer.from(isText ? body : body === undefined ? '' : JSON.stringify(body)),
  };
}

/** Whether something may happen between the head and the last byte. */
function actsInside({ gates = [], hang, cut }: Reply): boolean {
  return cut !== undefined || typeof hang === 'number' || gates.some((gate) => gate !== 'head');
}
