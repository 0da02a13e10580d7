import type { Reply } from '../../control/protocol.ts';
import { Course } from '../course.ts';
import type { Exchange } from '../exchange.ts';
import { withHeaders } from '../whole.ts';
import type { Completion } from './reply.ts';

/** How a stream is to be written. */
export interface StreamOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** Whether a last chunk without choices carries the usage. */
  readonly includeUsage: boolean;
}

/**
 * Writes a completion as server-sent events, each one write: the head and the role at once, every content delta
 * (text, then of each call its opening and its argument fragments) when it is due, then finish, usage, [DONE].
 */
export async function sendStream(
  exchange: Exchange,
  completion: Completion,
  reply: Reply,
  { headers, includeUsage }: StreamOptions,
): Promise<void> {
  const course = new Course(exchange, reply);
  const event = (choices: object[], usage?: object): Buffer =>
    renderEvent(renderChunk(completion, choices, includeUsage ? { usage: usage ?? null } : {}));
  const deltas = contentDeltas(completion);
  await course.beforeHead();
  exchange.head(200, withHeaders(headers, reply.headers), course.startMs, true);
  course.afterHead();
  await exchange.send('role', event([renderChoice(openingDelta(completion), null)]), course.startMs);
  for (const [k, delta] of deltas.entries()) {
    await course.beforeDelta(k);
    await exchange.send(`delta-${k}`, event([renderChoice(delta, null)]), course.deadline(k));
  }
  await course.beforeEnd(deltas.length);
  const endMs = course.deadline(deltas.length);
  await exchange.send('finish', event([renderChoice({}, completion.finish)]), endMs);
  course.afterFinish();
  if (includeUsage) await exchange.send('usage', event([], completion.usage), endMs);
  await exchange.finish('done', Buffer.from('data: [DONE]\n\n'), endMs);
}

function openingDelta({ text, calls }: Completion): object {
  return { role: 'assistant', content: text === null && calls.length > 0 ? null : '', refusal: null };
}

function contentDeltas({ textDeltas, calls }: Completion): object[] {
  const spoken = textDeltas.map((content) => ({ content }));
  const called = calls.flatMap(({ id, name, fragments }, index) => [
    { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] },
    ...fragments.map((fragment) => ({ tool_calls: [{ index, function: { arguments: fragment } }] })),
  ]);
  return [...spoken, ...called];
}

function renderChoice(delta: object, finish: string | null): object {
  return { index: 0, delta, logprobs: null, finish_reason: finish };
}

function renderChunk(
  { id, created, model, fingerprint }: Completion,
  choices: object[],
  usage: object,
): object {
  return {
    id,
    object: 'chat.completion.chunk',
    created,
    model,
    service_tier: 'default',
    system_fingerprint: fingerprint,
    choices,
    ...usage,
  };
}

function renderEvent(chunk: object): Buffer {
  return Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`);
}
