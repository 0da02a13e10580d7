import type { Mutation, ProxyAnswer } from '../../suites/rewrite/mutation.ts';
import { headerOf, isEventStream, withHeader, withoutHeaders } from '../../suites/rewrite/proxy-headers.ts';
import type { Variant } from '../edits/mutant.ts';

type Head = Omit<ProxyAnswer, 'body'>;

/** Gateways with the same answers under other headers or in another transport form. */
export const headVariants: readonly Variant[] = [
  {
    id: 'head.extra-headers',
    title: 'answers carry headers that the specification does not mention',
    mutation: everyHead((head) => ({ ...head, headers: [...head.headers, ...extraHeaders] })),
  },
  {
    id: 'head.content-type-form',
    title: 'media types are written in odd case and with a charset',
    mutation: everyHead((head) => ({
      ...head,
      headers: withHeader(
        head.headers,
        'content-type',
        isEventStream(head.headers) ? 'Text/Event-Stream;charset=UTF-8' : 'Application/JSON; Charset="utf-8"',
      ),
    })),
  },
  {
    id: 'head.retry-after',
    title: '429 carries a Retry-After of its own (B-110)',
    mutation: everyHead((head) =>
      head.status === 429
        ? { ...head, headers: [...withoutHeaders(head.headers, 'retry-after'), ['Retry-After', '2']] }
        : head,
    ),
  },
  {
    id: 'head.no-retry-after',
    title: 'no answer carries Retry-After (B-110)',
    mutation: everyHead((head) => ({ ...head, headers: withoutHeaders(head.headers, 'retry-after') })),
  },
  {
    id: 'head.retry-date',
    title: 'Retry-After is a date (B-110)',
    mutation: everyHead((head) => ({
      ...head,
      headers: head.headers.map(([name, value]): [string, string] =>
        name.toLowerCase() === 'retry-after' ? [name, dateIn(Number(value), head)] : [name, value],
      ),
    })),
  },
  {
    id: 'head.chunked',
    title: 'plain answers come in chunks instead of with a length',
    mutation: {
      answer: (answer) => ({ ...answer, headers: [...answer.headers, ['transfer-encoding', 'chunked']] }),
    },
  },
  {
    id: 'head.gzip',
    title: 'answers are compressed for a client that accepts it (B-09)',
    mutation: { wire: { gzip: true } },
  },
  { id: 'head.slow', title: 'every answer takes a little longer', mutation: { delayMs: 25 } },
];

const extraHeaders: readonly (readonly [string, string])[] = [
  ['Server', 'edge/7'],
  ['X-Request-Cost', '0'],
  ['Strict-Transport-Security', 'max-age=63072000'],
  ['Set-Cookie', 'edge=a; Path=/; HttpOnly'],
  ['Set-Cookie', 'shard=b; Path=/'],
  ['Via', '1.1 edge'],
];

/** An HTTP date this many seconds after an answer, by the clock that dated the answer. */
function dateIn(seconds: number, { headers }: Head): string {
  return new Date(Date.parse(headerOf(headers, 'date')) + seconds * 1_000).toUTCString();
}

/** Changes the head of every answer, streamed or not. */
function everyHead(change: (head: Head) => Head): Mutation {
  return { answer: (answer) => ({ ...answer, ...change(answer) }), streamHead: change };
}
