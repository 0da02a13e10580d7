import type { JsonObject } from '../engine/requests.ts';
import { naturalTexts } from '../generators/natural-text.ts';
import { createRng, deriveSeed, type Rng } from '../values/seed.ts';
import { bodyFor, type DrillProtocol, type Said } from './call-protocol.ts';
import type { OpenProtocol } from './open-protocols.ts';

/** One call of a drill, known before it is sent. */
export interface PlannedCall {
  readonly index: number;
  /** When it is sent, ms after the start, independent of earlier calls. */
  readonly dueMs: number;
  readonly model: string;
  readonly protocol: DrillProtocol;
  readonly isStream: boolean;
  /** Part of the prompt; identifies its requests in the journal. */
  readonly marker: string;
  readonly body: JsonObject;
}

export interface LoadPlan {
  readonly seed: number;
  /** Average calls per second. */
  readonly rate: number;
  readonly forMs: number;
  readonly models: readonly string[];
  /** The protocols that serve each model; only the core path for unlisted models. */
  readonly protocols?: ReadonlyMap<string, readonly OpenProtocol[]>;
  /** Distinguishes this drill from earlier ones in the same journal. */
  readonly run: string;
}

const fine = 1_000_000;
const core: OpenProtocol = { protocol: 'core', streams: true };

/** The calls of a drill. Many independent callers arrive with exponential gaps. The same seed gives the same calls. */
export function planCalls({ seed, rate, forMs, models, run, protocols }: LoadPlan): PlannedCall[] {
  const arrivals = createRng(seed, 'drill arrivals');
  const content = createRng(seed, 'drill calls');
  const ways = createRng(seed, 'drill ways in');
  const calls: PlannedCall[] = [];
  for (let atMs = gapMs(arrivals, rate); atMs < forMs; atMs += gapMs(arrivals, rate)) {
    const index = calls.length;
    const [model, wantsStream] = [content.pick(models), content.int(100) < 60];
    const { protocol, streams } = ways.pick(protocols?.get(model) ?? [core]);
    const isStream = wantsStream && streams;
    const marker = markerOf(run, index);
    const said = saidIn(content, { model, isStream, marker, seed: deriveSeed(seed, `drill text ${index}`) });
    const body = bodyFor(protocol, said);
    calls.push({ index, dueMs: atMs, model, protocol, isStream, marker, body });
  }
  return calls;
}

function markerOf(run: string, index: number): string {
  return `drill-${run}-${index}.`;
}

/** The index of the call whose marker a text carries; null when it carries none of this run. */
export function callIn(text: string, run: string): number | null {
  const found = new RegExp(`drill-${run}-(\\d+)\\.`).exec(text)?.[1];
  return found === undefined ? null : Number(found);
}

function gapMs(rng: Rng, rate: number): number {
  return (-Math.log((1 + rng.int(fine)) / fine) * 1_000) / rate;
}

interface Shape {
  readonly model: string;
  readonly isStream: boolean;
  readonly marker: string;
  readonly seed: number;
}

/** A short question; now and then with instructions, with the turns before, or with tags. */
function saidIn(rng: Rng, { model, isStream, marker, seed }: Shape): Said {
  const { prompt, subject, metadata } = naturalTexts(seed);
  const system = rng.int(100) < 35 ? `You answer in one sentence. ${subject}` : null;
  const turns = rng.int(100) < 30 ? 1 + rng.int(3) : 0;
  const before = Array.from({ length: turns }, (_, turn) => {
    const texts = naturalTexts(seed + turn + 1);
    return [texts.prompt, texts.subject];
  }).flat();
  const hasTags = rng.int(100) < 20;
  return {
    ...{ model, isStream, system },
    turns: [...before, `${prompt} [${marker}]`],
    metadata: hasTags ? metadata : null,
  };
}
