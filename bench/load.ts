import { Client, type Dispatcher } from 'undici';
import { numberPlace } from './workloads.ts';

/** The result of one measurement. */
export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  /** Answers that were not 200, broke off, or ended wrongly. */
  readonly failures: number;
  readonly firstFailure: string | null;
  /** From the request to the last byte of its answer, in milliseconds, ascending. */
  readonly wholeMs: readonly number[];
  /** From the request to the first byte of its body, in ms, ascending. */
  readonly firstMs: readonly number[];
}

export interface LoadOptions {
  readonly url: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly connections: number;
  readonly seconds: number;
  /** How a complete answer ends. */
  readonly ending: string;
}

interface Tally {
  failures: number;
  firstFailure: string | null;
  wholeMs: number[];
  firstMs: number[];
}

/** Keeps every connection busy with one request after the other, and reads every answer to its end. */
export async function load({ url, connections, seconds, ...request }: LoadOptions): Promise<LoadResult> {
  const tally: Tally = { failures: 0, firstFailure: null, wholeMs: [], firstMs: [] };
  const numbered = numberedBodies(request.body);
  const options = (): Dispatcher.DispatchOptions => ({
    path: request.path,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...request.headers },
    body: numbered(),
  });
  const clients = Array.from({ length: connections }, () => new Client(url, { pipelining: 1 }));
  const began = performance.now();
  const until = began + seconds * 1_000;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < until) await one(client, options(), request.ending, tally);
    }),
  );
  const took = (performance.now() - began) / 1_000;
  await Promise.all(clients.map((client) => client.destroy()));
  const ascending = (numbers: number[]): number[] => numbers.sort((a, b) => a - b);
  return {
    requests: tally.wholeMs.length,
    seconds: took,
    failures: tally.failures,
    firstFailure: tally.firstFailure,
    wholeMs: ascending(tally.wholeMs),
    firstMs: ascending(tally.firstMs),
  };
}

/** Bodies of equal length that differ by a request number. */
function numberedBodies(text: string): () => Buffer {
  const body = Buffer.from(text);
  const at = body.indexOf(numberPlace);
  let number = 0;
  return () => {
    number += 1;
    const own = Buffer.from(body);
    own.write(String(number).padStart(numberPlace.length, '0'), at, 'latin1');
    return own;
  };
}

function one(
  client: Client,
  options: Dispatcher.DispatchOptions,
  ending: string,
  tally: Tally,
): Promise<void> {
  return new Promise((resolve) => {
    const began = performance.now();
    let status = 0;
    let first = 0;
    let last: Buffer = Buffer.alloc(0);
    const fail = (reason: string): void => {
      tally.failures += 1;
      tally.firstFailure ??= reason;
      // Pause before retrying a target that rejects immediately.
      setTimeout(resolve, 20);
    };
    client.dispatch(options, {
      onRequestStart: () => {},
      onResponseStart: (_controller, code) => {
        status = code;
      },
      onResponseData: (_controller, chunk) => {
        if (first === 0) first = performance.now() - began;
        last = chunk.length >= ending.length ? chunk : Buffer.concat([last, chunk]);
      },
      onResponseEnd: () => {
        const text = last.toString('latin1');
        if (status !== 200) return fail(`status ${status}: ${text.slice(0, 300)}`);
        if (!text.trimEnd().endsWith(ending)) return fail(`an answer that ends with ${text.slice(-60)}`);
        tally.wholeMs.push(performance.now() - began);
        tally.firstMs.push(first);
        resolve();
      },
      onResponseError: (_controller, error) => fail(error.message),
    });
  });
}

/** The quantile of the numbers for this share; NaN without numbers. */
export function percentile(ascending: readonly number[], share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? Number.NaN;
}
