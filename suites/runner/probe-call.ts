import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { chatRequest, mediaRequest, taskReadRequest } from '../engine/requests.ts';
import { legalMediaBody } from '../generators/legal-media-body.ts';
import { type MediaModel, mediaModel } from '../oracle/media/models.ts';
import { jsonOf } from '../wire/exchange.ts';
import type { DegradedModel } from './channel-recovery.ts';

/** Maximum wait for the answer to a probe, or for the end of a task, ms. */
const probeMs = 10_000;
/** The interval between two reads of a task, ms. */
const readEachMs = 50;

/** The outcome of a good call: the marker under which the upstreams recorded it, and whether it was served. */
export interface Probe {
  readonly marker: string;
  readonly isServed: boolean;
}

/** Makes a good call of a model with its owner's key: a chat, an image, or a task that is followed to its end. */
export async function probeCall({ key, model, client }: Omit<DegradedModel, 'tenant'>): Promise<Probe> {
  const marker = `gcprobe${randomUUID().replaceAll('-', '').slice(0, 12)}`;
  const known = mediaModel(model);
  if (known !== undefined) return { marker, isServed: await makes({ key, client }, known, marker) };
  const body = { model, messages: [{ role: 'user', content: `Say something. [${marker}]` }] };
  const { response } = await client.send({ ...chatRequest(body, {}, key), timeoutMs: probeMs });
  return { marker, isServed: response?.status === 200 };
}

async function makes(
  { key, client }: Pick<DegradedModel, 'key' | 'client'>,
  { id, endpoint }: MediaModel,
  marker: string,
): Promise<boolean> {
  const body = legalMediaBody(id, {
    prompt: () => `The sea. [${marker}]`,
    mediaUrl: (medium) => `https://media.example.com/${marker}/${medium}`,
  });
  const call = endpoint === 'images' ? 'images' : 'submit';
  const exchange = await client.send({ ...mediaRequest(call, body, {}, key), timeoutMs: probeMs });
  const status = exchange.response?.status ?? 0;
  if (endpoint === 'images') return status === 200;
  const { task_id: taskId } = (jsonOf(exchange) ?? {}) as { task_id?: unknown };
  if (status >= 300 || typeof taskId !== 'string') return false;
  for (let waited = 0; waited < probeMs; waited += readEachMs) {
    const read = await client.send({ ...taskReadRequest(taskId, {}, key), timeoutMs: probeMs });
    const { status: word } = (jsonOf(read) ?? {}) as { status?: unknown };
    if (word !== 'QUEUED' && word !== 'RUNNING') return word === 'SUCCESS';
    await wait(readEachMs);
  }
  return false;
}
