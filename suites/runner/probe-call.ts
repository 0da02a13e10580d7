import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { chatRequest, mediaRequest, taskReadRequest } from '../engine/requests.ts';
import { legalMediaBody } from '../generators/legal-media-body.ts';
import { type MediaModel, mediaModel } from '../oracle/media/models.ts';
import { taskIdIn } from '../oracle/media/task-answer.ts';
import { type Exchange, isSuccess, jsonOf } from '../wire/exchange.ts';
import type { DegradedModel } from './channel-recovery.ts';

/** Maximum wait for the answer to a probe, or for the end of a task, ms. */
const probeMs = 10_000;
/** The interval between two reads of a task, ms. */
const readEachMs = 50;

/** The outcome of a good call: the marker under which the upstreams recorded it, and whether it was served. */
export interface Probe {
  readonly marker: string;
  readonly isServed: boolean;
  /** The exchange that a charge follows, if it was served; null for a task, which is charged when it ends. */
  readonly charged: Exchange | null;
}

/** Makes a good call of a model with its owner's key: a chat, an image, or a task that is followed to its end. */
export async function probeCall({ key, model, client }: Omit<DegradedModel, 'tenant'>): Promise<Probe> {
  const marker = `gcprobe${randomUUID().replaceAll('-', '').slice(0, 12)}`;
  const known = mediaModel(model);
  if (known !== undefined) return { marker, ...(await makes({ key, client }, known, marker)) };
  const body = { model, messages: [{ role: 'user', content: `Say something. [${marker}]` }] };
  const charged = await client.send({ ...chatRequest(body, {}, key), timeoutMs: probeMs });
  return { marker, isServed: isSuccess(charged), charged };
}

async function makes(
  { key, client }: Pick<DegradedModel, 'key' | 'client'>,
  { id, endpoint }: MediaModel,
  marker: string,
): Promise<Omit<Probe, 'marker'>> {
  const body = legalMediaBody(id, {
    prompt: () => `The sea. [${marker}]`,
    mediaUrl: (medium) => `https://media.example.com/${marker}/${medium}`,
  });
  const call = endpoint === 'images' ? 'images' : 'submit';
  const exchange = await client.send({ ...mediaRequest(call, body, {}, key), timeoutMs: probeMs });
  const status = exchange.response?.status ?? 0;
  if (endpoint === 'images') return { isServed: status === 200, charged: exchange };
  const taskId = taskIdIn(exchange);
  const isMade = status < 300 && taskId !== null && (await succeeds({ key, client }, taskId));
  return { isServed: isMade, charged: null };
}

/** Whether a task succeeds within the time limit of a probe. */
async function succeeds(
  { key, client }: Pick<DegradedModel, 'key' | 'client'>,
  taskId: string,
): Promise<boolean> {
  for (let waited = 0; waited < probeMs; waited += readEachMs) {
    const read = await client.send({ ...taskReadRequest(taskId, {}, key), timeoutMs: probeMs });
    const { status: word } = (jsonOf(read) ?? {}) as { status?: unknown };
    if (word !== 'QUEUED' && word !== 'RUNNING') return word === 'SUCCESS';
    await wait(readEachMs);
  }
  return false;
}
