import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** The body of a callback. */
export interface ReportBody {
  code: number;
  msg: string;
  data: { callbackType: string; taskId: string; reference: string; results: { url: string; kind: string }[] };
}

/** One attempt of a callback as it arrived. */
export interface Arrived {
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
  /** Real time, ms. */
  readonly atMs: number;
}

/** The answer to an attempt: a status, a status and a body, or none. */
export type Answering = number | readonly [status: number, body: string] | null;

/** A receiver of callbacks for one test. */
export interface CallbackReceiver {
  readonly url: string;
  readonly arrived: readonly Arrived[];
  /** The callbacks so far, parsed. Throws if one is not JSON. */
  reports(): ReportBody[];
  until(count: number): Promise<void>;
}

/** Accepts every complete callback. Each attempt gets the next answer; the last answer repeats. */
export async function receiveCallbacks(...answers: Answering[]): Promise<CallbackReceiver> {
  const arrived: Arrived[] = [];
  const watchers = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    try {
      for await (const piece of request) pieces.push(piece);
    } catch {
      return;
    }
    const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? null;
    arrived.push({ headers: request.headers, raw: Buffer.concat(pieces), atMs: performance.now() });
    const [status, body] = typeof answer === 'number' ? [answer, ''] : (answer ?? [null, '']);
    if (status !== null) response.writeHead(status).end(body);
    for (const watcher of [...watchers]) watcher();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const until = (count: number): Promise<void> =>
    new Promise((resolve) => {
      const observation = (): void => {
        if (arrived.length < count) return;
        watchers.delete(observation);
        resolve();
      };
      watchers.add(observation);
      observation();
    });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/reports`,
    arrived,
    reports: () => arrived.map(({ raw }) => JSON.parse(raw.toString())),
    until,
  };
}

/** The correct signature of an attempt, computed from the received bytes. */
export function signatureOf({ headers, raw }: Arrived, key = 'sk-upstream'): string {
  const hmac = createHmac('sha256', key);
  hmac.update(`${headers['callback-id']}.${headers['callback-timestamp']}.`).update(raw);
  return `v1=${hmac.digest('hex')}`;
}
