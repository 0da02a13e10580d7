import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { headerPairs } from '../http/header-pairs.ts';
import { SeenIds } from './seen.ts';
import { type Refusal, verifyEvent } from './verify.ts';

export interface ReceiverOptions {
  readonly keys: readonly Uint8Array[];
  /** The time by the receiver's clock, Unix ms. */
  readonly now: () => number;
  /** Processes an event once. The sender gets its answer afterwards. If this fails, the next delivery repeats it. */
  readonly process?: (event: { readonly id: string; readonly payload: unknown }) => Promise<void>;
  /** Called with errors of the processing, and with defects of the receiver itself. */
  readonly onDefect: (error: unknown) => void;
}

/** Bytes. No event is longer. */
const maxBodyBytes = 256 * 1024;
/** Bytes to read and discard of a longer body. A sender that is still writing does not read the answer. */
const maxReadBytes = 16 * maxBodyBytes;

/** The path at which a receiver reports how many events it has processed. */
export const processedPath = '/processed';

/**
 * The reference receiver, a server that is not yet listening. Events may be sent to any path. It answers 2xx to events that
 * it has processed, now or before, and in the error shape of the specification to everything else.
 */
export function createReceiver(options: ReceiverOptions): Server {
  const seen = new SeenIds(options.now);
  let processed = 0;
  const work = async (id: string, payload: unknown): Promise<void> => {
    await options.process?.({ id, payload });
    processed += 1;
  };
  const serve = async (request: IncomingMessage): Promise<Answer> => {
    if (request.method === 'GET' && request.url === processedPath)
      return { status: 200, body: { processed } };
    if (request.method !== 'POST')
      return { ...refusalOf(405, 'invalid_param', 'Events are sent with POST.'), allow: 'POST' };
    const body = await readBody(request);
    if (body === null) return refusalOf(413, 'invalid_param', `An event has at most ${maxBodyBytes} bytes.`);
    return receive({ headers: headerPairs(request.rawHeaders), body }, options, seen, work);
  };
  return createServer((request, response) => {
    serve(request).then(
      (answer) => send(request, response, answer, options.now()),
      (error: unknown) => {
        // A sender that disconnects in the middle of a body causes no defect.
        if (request.destroyed && !request.complete) return;
        options.onDefect(error);
        const answer = refusalOf(500, 'internal_error', 'The event could not be processed.');
        send(request, response, answer, options.now());
      },
    );
  });
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly allow?: string;
}

async function receive(
  event: { readonly headers: readonly [string, string][]; readonly body: Buffer },
  { keys, now }: ReceiverOptions,
  seen: SeenIds,
  work: (id: string, payload: unknown) => Promise<void>,
): Promise<Answer> {
  const verdict = verifyEvent(event, { keys, nowMs: now() });
  if (!verdict.ok) {
    // Without the specification's timestamp, an event with a valid signature may still be a replay.
    const isUntimed = verdict.refusal === 'missing' && verdict.header === 'x-service-timestamp';
    const { status, code } = isUntimed ? replay : statuses[verdict.refusal];
    return refusalOf(status, code, verdict.message, verdict.header);
  }
  const payload = parse(event.body);
  if (payload === undefined) return refusalOf(400, 'invalid_param', 'The event is not JSON in UTF-8.');
  const outcome = await seen.once(verdict.id, () => work(verdict.id, payload));
  return { status: 200, body: { received: true, duplicate: outcome === 'duplicate' } };
}

const unsigned = { status: 401, code: 'invalid_api_key' } as const;
const malformed = { status: 400, code: 'invalid_param' } as const;
const replay = { status: 400, code: 'webhook_replay' } as const;

/** An event without a signature is treated like one with a wrong signature. */
const statuses: Readonly<Record<Refusal, { readonly status: number; readonly code: ErrorCode }>> = {
  missing: unsigned,
  repeated: malformed,
  bad_id: malformed,
  bad_timestamp: malformed,
  bad_signature: unsigned,
  too_old: replay,
  too_new: replay,
  no_clock: replay,
};

/** The codes of the specification that a receiver uses, each with its type. */
const types = {
  invalid_api_key: 'auth_error',
  invalid_param: 'invalid_request_error',
  webhook_replay: 'invalid_request_error',
  internal_error: 'api_error',
} as const;
type ErrorCode = keyof typeof types;

function refusalOf(status: number, code: ErrorCode, message: string, param: string | null = null): Answer {
  return { status, body: { error: { type: types[code], code, message, channel: null, param } } };
}

/** The body as it arrived; null if it exceeds the limit. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  // Leaving the loop must not close the connection, because the answer follows.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= maxBodyBytes) chunks.push(chunk);
    if (length > maxReadBytes) break;
  }
  return length > maxBodyBytes ? null : Buffer.concat(chunks);
}

/** The members of an event; undefined if it is not JSON in UTF-8. */
function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body, allow }: Answer,
  nowMs: number,
): void {
  const text = JSON.stringify(body);
  const headers: Record<string, string | number> = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    // By the receiver's clock, which also verifies events and may differ from the machine's.
    date: new Date(nowMs).toUTCString(),
  };
  if (allow !== undefined) headers.allow = allow;
  // The unread rest of a body would be taken for the next request.
  if (!request.complete) headers.connection = 'close';
  response.writeHead(status, headers).end(text);
}
