import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What a report says. */
export interface ReportBody {
  code: number;
  msg: string;
  data: { callbackType: string; taskId: string; reference: string; results: { url: string; kind: string }[] };
}

/** One try of a callback as it arrived. */
export interface Arrived {
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
  /** Real time, ms. */
  readonly atMs: number;
}

/** How a try is answered: a status, a status and a body, or never. */
export type Answering = number | readonly [status: number, body: string] | null;

/** A receiver of callbacks for one test. */
export interface CallbackReceiver {
  readonly url: string;
  readonly arrived: readonly Arrived[];
  /** What arrived, parsed; fails on what is no JSON. */
  reports(): ReportBody[];
  until(count: number): Promise<void>;
}

/** Takes whatever comes whole and answers each try with the next of the answers, the last one from then on. */
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

/** What the signature of a try should be, made anew from what arrived. */
export function signatureOf({ headers, raw }: Arrived, key = 'sk-upstream'): string {
  const hmac = createHmac('sha256', key);
  hmac.update(`${headers['callback-id']}.${headers['callback-timestamp']}.`).update(raw);
  return `v1=${hmac.digest('hex')}`;
}
