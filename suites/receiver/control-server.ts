import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { refuseForeign } from '../process/foreign-caller.ts';
import type { Inboxes } from './inboxes.ts';
import type {
  ConnectionsAnswer,
  EventsAnswer,
  HealthAnswer,
  InboxesAnswer,
  PlanRequest,
  ReleaseAnswer,
} from './protocol.ts';
import { readPlan } from './read-plan.ts';

/** Loaded without `import`, which would also load all of Node's fetch with this module. */
const { createServer } = process.getBuiltinModule('node:http');

export interface ControlContext {
  /** The bearer token that callers must send; null on loopback, where none is needed. */
  readonly token: string | null;
  readonly inboxes: Inboxes;
  readonly connections: () => number;
  /** Set once all listeners are open. */
  readonly health: () => HealthAnswer;
}

/** The longest wait of one call, ms. A check that wants to wait longer calls again. */
const maxWaitMs = 60_000;
const maxBodyBytes = 4 * 1024 * 1024;

/** An invalid call; the message is one sentence. */
class BadCall extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The control API as a server that does not listen yet. Without a token it must listen on loopback only. */
export function createControlServer(context: ControlContext): Server {
  return createServer(
    { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 60_000 },
    (request, response) => {
      request.on('error', () => undefined);
      response.on('error', () => undefined);
      if (context.token === null && refuseForeign(request, response)) return;
      if (context.token !== null && !hasToken(request, context.token))
        return send(response, 401, { message: 'the bearer token of the control API is needed' });
      route(context, request, response).then(
        (answer) => send(response, 200, answer),
        (error: Error) =>
          send(response, error instanceof BadCall ? error.status : 500, { message: error.message }),
      );
    },
  );
}

function hasToken({ headers }: IncomingMessage, token: string): boolean {
  const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`));
}

type ControlAnswer =
  | (HealthAnswer | EventsAnswer | InboxesAnswer | ReleaseAnswer | ConnectionsAnswer)
  | Record<string, never>;

async function route(
  context: ControlContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<ControlAnswer> {
  const { method = '', url = '' } = request;
  const { pathname, searchParams } = new URL(url, 'http://control');
  const call = `${method} ${pathname}`;
  if (call === 'GET /health') return context.health();
  if (call === 'GET /connections') return { canary: context.connections() };
  if (call === 'GET /inboxes') return { inboxes: context.inboxes.list() };
  const [, closing] = /^\/inboxes\/([A-Za-z0-9._-]{1,100})$/.exec(pathname) ?? [];
  if (method === 'DELETE' && closing !== undefined) return { released: context.inboxes.close(closing) };
  const [, scope, what] = /^\/inboxes\/([A-Za-z0-9._-]{1,100})\/(\w+)$/.exec(pathname) ?? [];
  if (scope !== undefined) {
    const inbox = context.inboxes.open(scope);
    switch (`${method} ${what}`) {
      case 'POST plan':
        inbox.plan((await planIn(request)).answers);
        return {};
      case 'POST release':
        return { released: inbox.release() };
      case 'GET events': {
        const [after, count, waitMs] = ['after', 'count', 'wait_ms'].map((name) => whole(searchParams, name));
        const gone = new AbortController();
        response.once('close', () => gone.abort());
        const limit = AbortSignal.timeout(Math.min(waitMs ?? 0, maxWaitMs));
        await inbox.wait(after ?? 0, count ?? 0, AbortSignal.any([gone.signal, limit]));
        return inbox.events(after ?? 0, count ?? 0);
      }
    }
  }
  throw new BadCall(404, `there is no ${call}`);
}

function whole(query: URLSearchParams, name: string): number {
  const text = query.get(name) ?? '0';
  if (!/^\d{1,9}$/.test(text)) throw new BadCall(400, `${name} must be a whole number, not "${text}"`);
  return Number(text);
}

async function planIn(request: IncomingMessage): Promise<PlanRequest> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > maxBodyBytes) throw new BadCall(413, `a plan has at most ${maxBodyBytes} bytes`);
    pieces.push(piece);
  }
  try {
    return readPlan(Buffer.concat(pieces).toString('utf8'));
  } catch (error) {
    throw new BadCall(400, (error as Error).message);
  }
}

function send(response: ServerResponse, status: number, answer: object): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answer));
}
