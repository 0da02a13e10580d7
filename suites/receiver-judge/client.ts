import { Agent } from 'undici';
import { UnreachableError, UsageError } from '../process/exit-codes.ts';
import { mostBytes, readWithin } from '../process/read-file.ts';
import type { Exchange } from '../wire/exchange.ts';
import { openExchange } from '../wire/live-exchange.ts';
import { effectsIn } from './effects.ts';

/** How long the gateway waits for an answer (reading B-114), ms. */
export const answerWithinMs = 15_000;

/** Calls the receiver as the gateway would: by POST, without following redirects. */
export interface ReceiverClient {
  post(
    label: string,
    headers: readonly (readonly [string, string])[],
    body: Buffer,
    timeoutMs: number,
  ): Promise<Exchange>;
  /** How many events the receiver reports as processed. */
  readEffects(url: string): Promise<number>;
  close(): Promise<void>;
}

export interface ClientOptions {
  readonly url: string;
  /** A file with the certificates that verify the receiver, PEM. */
  readonly ca?: string | undefined;
  readonly signal: AbortSignal;
}

export function createReceiverClient({ url, ca, signal }: ClientOptions): ReceiverClient {
  const agent = new Agent({
    connections: null,
    pipelining: 1,
    keepAliveTimeout: 4_000,
    connect: { timeout: 10_000, ...(ca === undefined ? {} : { ca: readCa(ca) }) },
  });
  return {
    post: (label, headers, body, timeoutMs) =>
      openExchange(agent, { method: 'POST', url, headers, body }, { label, signal, timeoutMs }).done,
    readEffects: async (from) => {
      const sent = { method: 'GET', url: from, headers: [], body: Buffer.alloc(0) };
      const options = { label: 'effects', signal, timeoutMs: answerWithinMs };
      const { response, error } = await openExchange(agent, sent, options).done;
      if (signal.aborted) signal.throwIfAborted();
      if (response === null) throw new UnreachableError(`--effects ${from} cannot be read: ${error ?? ''}`);
      if (response.status !== 200) throw new UsageError(`--effects ${from} answers HTTP ${response.status}`);
      return effectsIn(response.body.toString('utf8'), from);
    },
    close: () => agent.destroy(),
  };
}

function readCa(path: string): Buffer {
  try {
    return readWithin(path, mostBytes.pem);
  } catch (error) {
    throw new UsageError(
      `cannot read --ca ${path}: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`,
    );
  }
}
