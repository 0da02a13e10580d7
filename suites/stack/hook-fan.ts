import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { boundedCall } from '../process/bounded-call.ts';
import { isJsonObject, parseJson } from '../values/json.ts';

/** One URL for the hooks of several processes. Hooks about one process reach every process; other hooks reach any one. */
export interface HookFan {
  readonly url: string;
  close(): Promise<void>;
}

interface HookRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly authorization: string;
  readonly body: string;
}

interface HookAnswer {
  readonly status: number;
  readonly text: string;
}

/** Listens, on loopback by default, and forwards to the processes that `targets` names at each call. */
export async function startHookFan(
  targets: () => readonly string[],
  { host = '127.0.0.1', port = 0 }: { readonly host?: string; readonly port?: number } = {},
): Promise<HookFan> {
  let turn = 0;
  const one = (request: HookRequest): Promise<HookAnswer> => {
    const urls = targets();
    turn += 1;
    return ask(urls[turn % urls.length] ?? '', request);
  };
  const all = (request: HookRequest): Promise<HookAnswer[]> =>
    Promise.all(targets().map((url) => ask(url, request)));
  const server = createServer((incoming, outgoing) => {
    void read(incoming)
      .then((request) => {
        if (!isHook(request)) return notHere;
        return inAll(request) ? answerOfAll(request, all) : one(request);
      })
      .catch((error: unknown) => ({ status: 502, text: JSON.stringify({ error: String(error) }) }))
      .then(({ status, text }) => {
        outgoing.writeHead(status, { 'content-type': 'application/json' }).end(text);
      });
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { port: taken } = server.address() as AddressInfo;
  return { url: `http://${host}:${taken}`, close: () => closed(server) };
}

/** Whether a path is a hook. Callers must not reach other paths of a process that they cannot reach directly. */
function isHook({ path }: HookRequest): boolean {
  return /^\/hooks\/\w+(?:[/?]|$)/.test(path) && !/\/\.{1,2}(?:\/|$)/.test(path);
}

const notHere: HookAnswer = { status: 404, text: JSON.stringify({ error: 'only /hooks/… is passed on' }) };

/**
 * Whether a hook is about each process, as clock and database connection are. Records and accounts are in the shared
 * database.
 */
function inAll({ path }: HookRequest): boolean {
  return /^\/hooks\/(?:clock|store)$/.test(path);
}

async function answerOfAll(
  request: HookRequest,
  all: (request: HookRequest) => Promise<HookAnswer[]>,
): Promise<HookAnswer> {
  if (request.path !== '/hooks/clock') return worst(await all(request));
  const reading: HookRequest = { ...request, method: 'GET', body: '' };
  // Before the clocks move, all processes are read, because one process's work may give another process work.
  const before = worst(await all(reading));
  if (before.status !== 200) return before;
  if (request.method !== 'GET') {
    const moved = worst(await all(request));
    if (moved.status !== 200) return moved;
  }
  return together(await all(reading));
}

/** The first answer that is not a success, otherwise the first answer. */
function worst(answers: readonly HookAnswer[]): HookAnswer {
  const bad = answers.find(({ status }) => status > 299) ?? answers[0];
  return bad ?? { status: 502, text: '{}' };
}

/** The latest clock, with the earliest timer. */
function together(answers: readonly HookAnswer[]): HookAnswer {
  const bad = worst(answers);
  if (bad.status !== 200) return bad;
  const views = answers.map(({ text }) => parseJson(text)).filter(isJsonObject);
  const due = views.map((view) => view.next_due_ms).filter((ms) => typeof ms === 'number');
  const view = {
    now_ms: Math.max(...views.map((one) => Number(one.now_ms))),
    next_due_ms: due.length === 0 ? null : Math.min(...due),
  };
  return { status: 200, text: JSON.stringify(view) };
}

async function ask(url: string, { method, path, authorization, body }: HookRequest): Promise<HookAnswer> {
  const { status, text } = await boundedCall(url + path, {
    method,
    headers: { authorization, ...(body === '' ? {} : { 'content-type': 'application/json' }) },
    ...(body === '' ? {} : { body }),
  });
  return { status, text };
}

async function read(incoming: IncomingMessage): Promise<HookRequest> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  return {
    method: incoming.method === 'POST' ? 'POST' : 'GET',
    path: incoming.url ?? '/',
    authorization: incoming.headers.authorization ?? '',
    body: Buffer.concat(pieces).toString('utf8'),
  };
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
