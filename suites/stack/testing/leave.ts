import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { JournalEntry, TenantControl } from 'gatecheck-simulators/client';
import { bearer } from '../../engine/requests.ts';
import { textSoFar } from '../../oracle/text-so-far.ts';
import type { Rng } from '../../values/seed.ts';
import type { WireClient } from '../../wire/client.ts';
import type { LiveExchange } from '../../wire/live-exchange.ts';

/** An account of the gateway with its own upstream, and direct access to the same upstream. */
export interface Place {
  readonly tenant: TenantControl;
  readonly key: string;
  readonly model: string;
  readonly cap: number;
  readonly gateway: WireClient;
  readonly direct: WireClient;
}

/** What happened after one client disconnected, in ms after the disconnect. */
export interface Leave {
  readonly label: string;
  /** The marker of its call at the upstream. */
  readonly marker: string;
  /** When the upstream noticed a client that left it directly at the same moment: the machine's own delay. */
  readonly control: number;
  /** When the last refused request for the slot was sent; 0 when none was refused. */
  readonly refusedUntil: number;
  /** Whether a request got the slot in the end. */
  readonly served: boolean;
}

/** The longest wait for anything, ms. */
const timeoutMs = 10_000;

/**
 * The deltas of a stream from which clients disconnect. A flowing stream sends one at this interval in ms, and
 * lasts longer than any client stays.
 */
const deltas = Array.from({ length: 1_500 }, (_, index) => `piece-${index} `);
const flowMs = 4;

/**
 * Fills all slots of the account but one with streams that the upstream holds. Returns a function that ends them.
 */
export async function holdAllButOne(place: Place, tag: string): Promise<() => Promise<void>> {
  const marker = markerOf(`hold ${tag}`);
  await place.tenant.script({ marker, replies: [{ deltas: deltas.slice(0, 3), gates: [1] }] });
  const held = Array.from({ length: place.cap - 1 }, () => openStream(place, marker));
  await until(place, marker, { waiting: place.cap - 1 });
  return async () => {
    await place.tenant.release();
    await Promise.all(held.map(({ done }) => done));
  };
}

/**
 * A client that reads the stream up to a drawn delta and disconnects. The stream either waits for the upstream at
 * this delta, or flows on. The one free slot is then requested at once, repeatedly.
 */
export async function leaveOnce(place: Place, rng: Rng, tag: string): Promise<Leave> {
  const last = rng.int(12);
  const flows = rng.int(2) === 0;
  const label = `${tag}: ${place.model}, after delta ${last}, ${flows ? 'flowing' : 'waiting'}`;
  const reply = flows ? { deltas, pacing: { each_ms: flowMs } } : { deltas, gates: [last + 1] };
  const [marker, twin] = [markerOf(tag), markerOf(`${tag} direct`)];
  for (const one of [marker, twin]) await place.tenant.script({ marker: one, replies: [reply] });
  const streams = [openStream(place, marker), openDirect(place, twin)];
  const seen = await Promise.all(
    streams.map((stream) => stream.until((text) => textSoFar(text).includes(`piece-${last} `), timeoutMs)),
  );
  if (seen.includes(false)) throw new Error(`${label}: the stream did not come so far`);
  const left = performance.now();
  for (const stream of streams) stream.abort();
  const [control, slot] = await Promise.all([
    cancelledAfter(place, twin, left),
    slotAfter(place, `${tag} next`, left),
  ]);
  await Promise.all(streams.map(({ done }) => done));
  return { label, marker, control, ...slot };
}

/** Whether the call of a client that left ends at the upstream within this many ms from now. */
export async function isOverUpstream(place: Place, { marker }: Leave, timeout_ms: number): Promise<boolean> {
  return (await place.tenant.journal({ marker, ended: 1, timeout_ms })).satisfied;
}

/** How many of this many simultaneous requests get a slot. All of them are ended again. */
export async function slotsFree(place: Place, asked: number): Promise<number> {
  const marker = markerOf(`slots ${place.tenant.name}`);
  await place.tenant.script({ marker, replies: [{ deltas: deltas.slice(0, 3), gates: [1] }] });
  const streams = Array.from({ length: asked }, () => openStream(place, marker));
  const statuses = await Promise.all(streams.map(({ head }) => head));
  await place.tenant.release();
  await Promise.all(streams.map(({ done }) => done));
  return statuses.filter((status) => status === 200).length;
}

async function cancelledAfter(place: Place, marker: string, left: number): Promise<number> {
  const [entry] = await until(place, marker, { ended: 1 });
  return entry?.reply.ended === 'client-gone' ? performance.now() - left : Number.POSITIVE_INFINITY;
}

async function slotAfter(
  place: Place,
  tag: string,
  left: number,
): Promise<Pick<Leave, 'refusedUntil' | 'served'>> {
  const marker = markerOf(tag);
  for (let refusedUntil = 0; ; ) {
    const sentAt = performance.now() - left;
    const { response } = await place.gateway.send(chat(place, marker, {}));
    if (response?.status === 200) return { refusedUntil, served: true };
    refusedUntil = sentAt;
    if (response?.status !== 429 || sentAt > timeoutMs) return { refusedUntil, served: false };
    await wait(2);
  }
}

async function until(
  place: Place,
  marker: string,
  query: { waiting?: number; ended?: number },
): Promise<JournalEntry[]> {
  const { satisfied, entries } = await place.tenant.journal({ marker, timeout_ms: timeoutMs, ...query });
  if (!satisfied && query.waiting !== undefined) throw new Error(`${marker}: nothing is held upstream`);
  return entries;
}

function openStream(place: Place, marker: string): LiveExchange {
  return place.gateway.open(chat(place, marker, { stream: true }));
}

/** The same stream from the upstream itself, always in one dialect. */
function openDirect(place: Place, marker: string): LiveExchange {
  const { body, ...request } = chat(place, marker, { stream: true, stream_options: { include_usage: true } });
  return place.direct.open({
    ...request,
    path: `/${place.tenant.name}/direct/v1/chat/completions`,
    body: { ...(body as object), model: nativeModel },
  });
}

/** A model of the simulated upstream in that dialect. */
const nativeModel = 'a52-2026-08-07';

function chat(place: Place, marker: string, more: object): Parameters<WireClient['open']>[0] {
  const messages = [{ role: 'user', content: `Hello. [${marker}]` }];
  return {
    method: 'POST',
    path: '/api/v1/chat/completions',
    headers: bearer(place.key),
    body: { model: place.model, messages, ...more },
  };
}

function markerOf(tag: string): string {
  return `lv${createHash('sha256').update(tag).digest('hex').slice(0, 14)}`;
}
