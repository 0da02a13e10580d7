import type { JournalEntry, TenantControl } from 'gatecheck-simulators/client';
import { dialectOfPath, isCountingCall } from '../oracle/native/dialects.ts';
import type { Dialect } from '../profile/dialects.ts';
import { isJsonObject, parseJson } from '../values/json.ts';
import { readSse } from '../wire/sse.ts';
import { callIn } from './planned-calls.ts';

/** One request of a call that reached an upstream. Times are ms since the start of the drill. */
export interface Attempt {
  readonly n: number;
  readonly call: number;
  readonly channel: string;
  readonly atMs: number;
  readonly endMs: number;
  /** Whether the upstream gave a whole answer with a status below 400. */
  readonly isGood: boolean;
  /** The text of its answer; null if unknown. */
  readonly text: string | null;
}

/** Follows the journal of the simulators during a drill: it keeps only so many entries. */
export class UpstreamLog {
  readonly #tenant: TenantControl;
  readonly #run: string;
  readonly #beganMs: number;
  readonly #attempts = new Map<number, Attempt>();
  #after: number;
  #dropped: number;

  private constructor(
    tenant: TenantControl,
    run: string,
    beganMs: number,
    from: { after: number; dropped: number },
  ) {
    this.#tenant = tenant;
    this.#run = run;
    this.#beganMs = beganMs;
    this.#after = from.after;
    this.#dropped = from.dropped;
  }

  /** Starts after the current end of the journal. `beganMs` is the start of the drill on the simulators' clock. */
  static async open(tenant: TenantControl, run: string, beganMs: number): Promise<UpstreamLog> {
    const { entries, dropped } = await tenant.journal();
    return new UpstreamLog(tenant, run, beganMs, { after: entries.at(-1)?.n ?? 0, dropped });
  }

  /** Reads new entries; unfinished requests are read again the next time. */
  async read(signal: AbortSignal): Promise<void> {
    const { entries } = await this.#tenant.journal({ after: this.#after }, { signal });
    for (const entry of entries) this.#keep(entry);
    const open = entries.find(({ reply }) => reply.ended === 'open');
    const last = entries.at(-1);
    if (last !== undefined) this.#after = (open?.n ?? last.n + 1) - 1;
  }

  /** In the order of their arrival. */
  get attempts(): readonly Attempt[] {
    return [...this.#attempts.values()].toSorted((one, other) => one.n - other.n);
  }

  /** Whether the journal lost entries before they were read. */
  async hasGaps(): Promise<boolean> {
    const numbers = [...this.#attempts.keys()];
    const { dropped } = await this.#tenant.journal({ after: Math.max(0, ...numbers) });
    return dropped > this.#dropped && dropped > this.#after;
  }

  #keep(entry: JournalEntry): void {
    if (entry.request.method !== 'POST' || isCountingCall(entry.request.path)) return;
    const body = Buffer.from(entry.request.body_base64, 'base64').toString('utf8');
    const call = callIn(body, this.#run);
    if (call === null) return;
    const { status, ended, ended_at_ms: endedAtMs } = entry.reply;
    const isGood = status !== null && status < 400 && ended === 'complete';
    this.#attempts.set(entry.n, {
      ...{ n: entry.n, call, channel: entry.channel, isGood },
      atMs: entry.received_at_ms - this.#beganMs,
      endMs: (endedAtMs ?? Number.POSITIVE_INFINITY) - this.#beganMs,
      text: isGood ? nativeText(entry.request.path, Buffer.from(entry.reply.body_base64, 'base64')) : null,
    });
  }
}

/** The place of the text in a native answer: plain, and in a stream event. */
const places: Readonly<Record<Dialect, readonly string[]>> = {
  'chat-completions': ['choices.0.message.content', 'choices.0.delta.content'],
  messages: ['content.*.text', 'delta.text'],
  'generate-content': ['candidates.0.content.parts.*.text'],
};

/** The text of an upstream's answer, plain or streamed; null for an unknown path or body. */
function nativeText(path: string, body: Buffer): string | null {
  const dialect = dialectOfPath(path);
  if (dialect === null) return null;
  const text = body.toString('utf8');
  const whole = parseJson(text);
  const parts = isJsonObject(whole) ? [whole] : readSse(body).events.map(({ data }) => parseJson(data));
  if (parts.length === 0) return null;
  return parts
    .flatMap((part) => places[dialect].flatMap((place) => textsAt(part, place.split('.'))))
    .join('');
}

function textsAt(value: unknown, [name, ...rest]: readonly string[]): string[] {
  if (name === undefined) return typeof value === 'string' ? [value] : [];
  if (name === '*') return Array.isArray(value) ? value.flatMap((item) => textsAt(item, rest)) : [];
  if (value === null || typeof value !== 'object') return [];
  return textsAt((value as Record<string, unknown>)[name], rest);
}
