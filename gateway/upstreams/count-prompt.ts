import type { UpstreamRequest } from './call.ts';
import type { UpstreamClient } from './client.ts';
import { parseJson, readAnswer, readErrorBody } from './read-answer.ts';

/** A count is optional: if it takes longer than this, the request continues without it. */
const countMs = 5000;

/** Sends a counting call and reads the count from the answer; null when there is none. Never rejects. */
export async function askCount(
  client: UpstreamClient,
  request: Omit<UpstreamRequest, 'accept' | 'withinMs'>,
  countIn: (body: unknown) => unknown,
): Promise<number | null> {
  const asked = { ...request, accept: 'application/json', withinMs: countMs };
  const first = await client.post(asked);
  const isStale = first.kind === 'failure' && first.isStale;
  const reply = isStale ? await client.post({ ...asked, isFresh: true }) : first;
  if (reply.kind !== 'reply') return null;
  if (reply.status !== 200) {
    await readErrorBody(reply);
    return null;
  }
  const answer = await readAnswer(reply);
  if (answer.kind !== 'whole') return null;
  const count = countIn(parseJson(answer.text));
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null;
}
