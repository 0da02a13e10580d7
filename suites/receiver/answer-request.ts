import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Arriving } from './inbox.ts';
import type { Inboxes } from './inboxes.ts';
import type { Answer, Arrival } from './protocol.ts';

/** How much of a body is kept; the rest is read and discarded, bytes. */
const maxBodyBytes = 1024 * 1024;

/** How long after the head a connection is cut, ms. */
const breakAfterMs = 50;

export interface AnswerContext {
  readonly inboxes: Inboxes;
  readonly now: () => number;
  readonly via: Arrival;
}

/** Records a request in its inbox and answers it by the inbox's plan. Never throws. */
export async function answerRequest(
  context: AnswerContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', url: target = '', rawHeaders } = request;
  // A client that disconnects in the middle is recorded. It is not an error of the receiver.
  request.on('error', () => undefined);
  response.on('error', () => undefined);
  const inbox = context.inboxes.of(target);
  if (inbox === null || inbox === 'unread') {
    request.resume();
    end(response, { status: inbox === null ? 404 : 200 });
    return;
  }
  const arriving = inbox.arrive({ via: context.via, method, target, headers: pairs(rawHeaders) });
  response.once('close', () => {
    if (!response.writableFinished && !isBroken(arriving.answer)) arriving.answered({ kind: 'left' });
  });
  const body = await readBody(request);
  arriving.complete(body.bytes, body.cut);
  if (!response.destroyed) await answer(context, arriving, request, response);
}

async function answer(
  { now }: AnswerContext,
  arriving: Arriving,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const planned = arriving.answer;
  if ('reset' in planned) {
    request.socket.destroy();
    arriving.answered({ kind: 'reset' });
    return;
  }
  if ('hold' in planned) {
    arriving.answered({ kind: 'held' });
    await arriving.held();
  } else if (!('redirect' in planned) && planned.after_ms !== undefined) await wait(planned.after_ms);
  if (response.destroyed) return;
  const plain = plainAnswer(planned);
  // Recorded before the answer is sent, because a sender that has the answer may read the inbox at once.
  arriving.answered({ kind: 'status', status: plain.status, at_ms: now() });
  if (plain.ends === undefined) end(response, plain);
  else await breakOff(response, plain);
}

/** Whether the receiver leaves its answer incomplete. */
function isBroken(planned: Answer): boolean {
  return 'reset' in planned || ('ends' in planned && planned.ends !== undefined);
}

interface PlainAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly ends?: 'cut' | 'never';
}

function plainAnswer(planned: Exclude<Answer, { readonly reset: true }>): PlainAnswer {
  if ('redirect' in planned)
    return { status: planned.status ?? 302, headers: { location: planned.redirect } };
  if ('hold' in planned) return { status: planned.status ?? 200 };
  return planned;
}

function end(response: ServerResponse, { status, headers = {}, body = '' }: PlainAnswer): void {
  response.writeHead(status, { 'content-type': 'text/plain', ...headers });
  response.end(body);
}

/** Sends the head and the first bytes of a longer body, then cuts the connection, or leaves it to the client. */
async function breakOff(
  response: ServerResponse,
  { status, headers = {}, ends }: PlainAnswer,
): Promise<void> {
  response.writeHead(status, { 'content-type': 'text/plain', ...headers, 'content-length': '64' });
  await new Promise((resolve) => response.write('accepted', resolve));
  if (ends === 'never') return;
  // Gives the sender time to read the status from the head.
  await wait(breakAfterMs);
  response.destroy();
}

/** Reads a body; if it breaks off, returns the part that arrived. */
async function readBody(request: IncomingMessage): Promise<{ bytes: Buffer; cut: boolean }> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of request as AsyncIterable<Buffer>) {
      if (length < maxBodyBytes) pieces.push(piece.subarray(0, maxBodyBytes - length));
      length += piece.length;
    }
  } catch {
    return { bytes: Buffer.concat(pieces), cut: true };
  }
  return { bytes: Buffer.concat(pieces), cut: length > maxBodyBytes };
}

function pairs(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : [],
  );
}
