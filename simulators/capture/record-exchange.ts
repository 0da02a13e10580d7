import { Blanking, blankHeader, blankTarget, type Header, secretsIn } from '../http/secrets.ts';
import type { RecordedExchange } from '../recordings/capture-file.ts';
import { recordBytes } from '../recordings/recorded.ts';
import { readingsOf } from './encoded-body.ts';
import type { RawResponse } from './relay.ts';

/** One exchange with its secrets. It never leaves the process. */
export interface RawExchange {
  readonly n: number;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly Header[];
  readonly body: Buffer;
  readonly response: RawResponse;
}

export type Recorded =
  | { readonly ok: true; readonly exchange: RecordedExchange }
  | { readonly ok: false; readonly n: number; readonly reason: string };

/**
 * The exchange in a form that may be stored: each secret is blanked wherever it occurs, byte for byte. The exchange is
 * omitted if a secret is compressed or split over chunks and cannot be blanked.
 */
export function recordExchange(raw: RawExchange): Recorded {
  const { n, response } = raw;
  if (response.ended === 'unreachable') return { ok: false, n, reason: 'the upstream could not be reached' };
  const whole = Buffer.concat(response.chunks.map(({ bytes }) => bytes));
  const answerHeaders = headersIn(whole);
  const blanking = new Blanking([...secretsIn(raw.headers, raw.target), ...secretsIn(answerHeaders, '')]);
  const blanked = blanking.bytes(blankHead(whole, answerHeaders));
  const body = blanking.bytes(raw.body);
  const readings = [...readingsOf(blanked), ...readingsOf(asMessage(body))];
  if (readings.some((reading) => blanking.isIn(reading))) {
    return { ok: false, n, reason: 'a secret stands in it where it cannot be blanked' };
  }
  return {
    ok: true,
    exchange: {
      n,
      request: {
        method: raw.method,
        target: blanking.text(blankTarget(raw.target)),
        headers: raw.headers.map((header) => {
          const [name, value] = blankHeader(header);
          return [name, blanking.text(value)];
        }),
        body: recordBytes(body),
      },
      response: {
        chunks: split(blanked, response),
        ended: response.ended,
        ended_at_ms: response.endedAtMs,
      },
    },
  };
}

/** The headers of an answer; empty if it has no complete head. */
function headersIn(answer: Buffer): Header[] {
  const end = answer.indexOf('\r\n\r\n');
  const head = answer.subarray(0, end === -1 ? answer.length : end).toString('latin1');
  return [...head.matchAll(/^([!-9;-~]+):[ \t]*(.*?)[ \t]*\r?$/gm)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
}

/** Blanks the head, including values too short to search for elsewhere. */
function blankHead(answer: Buffer, headers: readonly Header[]): Buffer {
  const end = answer.indexOf('\r\n\r\n');
  const headEnd = end === -1 ? answer.length : end;
  const head = headers.reduce((text, header) => {
    const [name, value] = blankHeader(header);
    return value === header[1] ? text : text.replaceAll(`${name}: ${header[1]}`, `${name}: ${value}`);
  }, answer.subarray(0, headEnd).toString('latin1'));
  return Buffer.concat([Buffer.from(head, 'latin1'), answer.subarray(headEnd)]);
}

/** A body behind an empty head, so that it can be searched like an answer. */
function asMessage(body: Buffer): Buffer {
  return Buffer.concat([Buffer.from('\r\n\r\n'), body]);
}

/** Splits the bytes into the pieces in which they came. */
function split(bytes: Buffer, { chunks }: RawResponse): RecordedExchange['response']['chunks'] {
  let from = 0;
  return chunks.map((chunk) => {
    const piece = bytes.subarray(from, from + chunk.bytes.length);
    from += chunk.bytes.length;
    return { at_ms: chunk.atMs, ...recordBytes(piece) };
  });
}
