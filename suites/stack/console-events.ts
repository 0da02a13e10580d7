import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { type SignatureVerdict, verifySignature } from '../oracle/webhooks/signature.ts';
import { refuseForeign } from '../process/foreign-caller.ts';
import { listenOnLoopback } from '../process/loopback.ts';
import { ReceiverControl } from '../receiver/client.ts';
import type { ReceivedRequest } from '../receiver/protocol.ts';
import { isJsonObject, parseJson } from '../values/json.ts';

/** The inbox that the console opens for a person's own tasks. */
export const consoleInbox = 'console';

/** How many deliveries of an inbox are shown, and how much of a body. */
const maxDeliveries = 200;
const maxBodyBytes = 64 * 1024;

/** The console's source of deliveries; the console knows neither the receiver's protocol nor the secrets. */
export interface ConsoleEventSource {
  readonly url: string;
  /** Sets the receiver to read from, and opens the console's own inbox. */
  connect(controlUrl: string, secrets: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Serves the contents of a receiver's inboxes as JSON, with verified signatures, on loopback under a secret path. */
export async function serveConsoleEvents(): Promise<ConsoleEventSource> {
  // Loaded without `import`, which would also load all of Node's fetch with this module.
  const { createServer } = process.getBuiltinModule('node:http');
  const path = `/${randomBytes(24).toString('base64url')}`;
  let known: { readonly control: ReceiverControl; readonly secrets: readonly string[] } | null = null;
  const server = createServer((request, response) => {
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    if (refuseForeign(request, response)) return;
    const send = (status: number, answer: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer));
    };
    if (request.url !== path) return send(404, { message: 'there is nothing here' });
    deliveriesIn(known).then(
      (deliveries) => send(200, { receiver: known !== null, deliveries }),
      (error: Error) => send(502, { message: error.message }),
    );
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}${path}`,
    connect: async (controlUrl, secrets) => {
      const control = new ReceiverControl(controlUrl);
      await control.plan(consoleInbox, [{ status: 200 }]);
      known = { control, secrets };
    },
    close: async () => {
      await closeServer(server);
      await known?.control.close();
    },
  };
}

async function deliveriesIn(
  known: { readonly control: ReceiverControl; readonly secrets: readonly string[] } | null,
): Promise<object[]> {
  if (known === null) return [];
  const { control, secrets } = known;
  const inboxes = await control.inboxes();
  const told = await Promise.all(
    inboxes.map(async ({ scope, count }) => {
      const { events } = await control.events(scope, { after: Math.max(0, count - maxDeliveries) });
      return toldOf(scope, events, secrets);
    }),
  );
  return told.flat().toSorted((one, other) => other.at_ms - one.at_ms);
}

function toldOf(inbox: string, events: readonly ReceivedRequest[], secrets: readonly string[]) {
  const tries = new Map<string, number>();
  return events.map((event) => {
    const body = Buffer.from(event.body_base64, 'base64');
    const id = event.headers.find(([name]) => name.toLowerCase() === 'webhook-id')?.[1] ?? '';
    const nth = (tries.get(id) ?? 0) + 1;
    tries.set(id, nth);
    return {
      ...{ inbox, n: event.n, nth, at_ms: event.at_ms, method: event.method, type: typeIn(body) },
      answered: event.answered.kind === 'status' ? String(event.answered.status) : event.answered.kind,
      signature: wordsOf(verifySignature({ headers: event.headers, body }, secrets)),
      headers: event.headers,
      body_base64: body.subarray(0, maxBodyBytes).toString('base64'),
    };
  });
}

function wordsOf(verdict: SignatureVerdict): { ok: boolean; word: string; message: string } {
  if (!verdict.ok) return { ok: false, word: `not signed: ${verdict.fault}`, message: verdict.detail };
  const at = new Date(verdict.timestamp * 1000).toISOString();
  return { ok: true, word: 'signed', message: `Rightly signed, ${verdict.id} of ${at}` };
}

function typeIn(body: Buffer): string | null {
  const event = parseJson(body.toString('utf8'));
  return isJsonObject(event) && typeof event.type === 'string' ? event.type : null;
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
