import { createRng, type Rng } from '../values/seed.ts';
import type { Exchange } from '../wire/exchange.ts';
import {
  drawGenome,
  type Genome,
  type GenomeBounds,
  grown,
  mutated,
  nameOf,
  requestOf,
} from './cost/genome.ts';
import { medianOf, type ProbeSample, worstOf } from './cost/probe.ts';
import type { DraftRequest } from './grammar/subject.ts';

/** The number of bodies to climb from, and of the slowest bodies to measure at full size (at most half of few bodies). */
const poolSize = 8;
const mostFullSized = 5;
/** One body in this many is drawn afresh, so that the search does not follow one slope only. */
const freshIn = 4;
/** How often a stall is measured again, each time with and without the body. */
export const stallLooks = 5;
/** How many measurements with the body must show the stall, and how many without it may. */
const mustShow = 4;
const mayShow = 1;
/** How long to wait after a body for a late stall, ms. */
const tailMs = 15;
/** How long the bystander is measured without other load, ms. */
const quietMs = 1_500;

export interface CostPhase {
  readonly bounds: GenomeBounds;
  readonly seed: number;
  readonly bodies: number;
  /** What another caller may wait beyond its quiet wait, ms. */
  readonly stallMs: number;
  readonly signal: AbortSignal;
  readonly sleep: (ms: number) => Promise<unknown>;
  readonly send: (draft: DraftRequest, label: string) => Promise<Exchange | null>;
  /** The bystander's waits since the last call. */
  readonly take: () => Promise<readonly ProbeSample[]>;
  readonly onAnswer: (genome: Genome, draft: DraftRequest, exchange: Exchange) => void;
  /** Called with the share of the bodies that has been sent. */
  readonly onProgress?: (progress: number) => void;
}

/** A body and what it cost. */
export interface Measured {
  readonly genome: Genome;
  readonly name: string;
  readonly bytes: number;
  readonly status: number | null;
  /** How long its own answer took, ms. */
  readonly ms: number;
  /** How long another caller waited beyond its quiet wait, at most, ms. */
  readonly stallMs: number;
}

export interface Stall extends Measured {
  readonly draft: DraftRequest;
  /** The bystander's wait in each measurement, with and without the body, ms beyond the quiet wait. */
  readonly withBody: readonly number[];
  readonly without: readonly number[];
  readonly isConfirmed: boolean;
}

export interface CostOutcome {
  readonly sent: number;
  /** The bystander's waits while nothing else is sent, ms. */
  readonly quiet: { readonly median: number; readonly worst: number };
  /** The longest unconfirmed wait during any body, ms beyond the quiet wait. */
  readonly worstSeenMs: number;
  readonly slowest: readonly Measured[];
  readonly stalls: readonly Stall[];
}

/**
 * Searches for the bodies that take longest for their size, in small steps from the slowest so far. Also measures what
 * another caller feels meanwhile. A stall counts when it repeats with the body and not without it.
 */
export async function searchCosts(phase: CostPhase): Promise<CostOutcome> {
  const { bounds, bodies, signal, stallMs } = phase;
  const rng = createRng(phase.seed, 'fuzz costs');
  const fullSized = Math.min(mostFullSized, Math.floor(bodies / 2));
  await phase.take();
  await phase.sleep(quietMs);
  const quietSamples = await phase.take();
  const quiet = { median: medianOf(quietSamples.map(({ ms }) => ms)), worst: worstOf(quietSamples) };
  const all: Measured[] = [];
  const suspects: Measured[] = [];
  const look = async (genome: Genome): Promise<void> => {
    const measured = await measure(phase, genome, quiet.median);
    if (measured === null) return;
    all.push(measured);
    phase.onProgress?.(all.length / bodies);
    if (measured.stallMs > stallMs) suspects.push(measured);
  };
  while (all.length < bodies - fullSized && !signal.aborted) {
    const before = all.length;
    await look(nextGenome(all, rng, bounds));
    if (all.length === before) break;
  }
  for (const { genome } of byRate(all).slice(0, fullSized))
    if (!signal.aborted) await look(grown(genome, bounds));
  const stalls: Stall[] = [];
  for (const suspect of distinct(suspects).slice(0, 2 * poolSize))
    if (!signal.aborted) stalls.push(await confirm(phase, suspect, quiet.median));
  return {
    ...{ sent: all.length, quiet, stalls },
    worstSeenMs: all.reduce((most, one) => Math.max(most, one.stallMs), 0),
    slowest: byRate(all).slice(0, poolSize),
  };
}

function nextGenome(all: readonly Measured[], rng: Rng, bounds: GenomeBounds): Genome {
  if (all.length < poolSize || rng.int(freshIn) === 0) return drawGenome(rng, bounds);
  return mutated(rng.pick(byRate(all).slice(0, poolSize)).genome, rng, bounds);
}

/** Sorts by time per byte, slowest first. A minimum size keeps tiny bodies from winning by their round trip. */
function byRate(all: readonly Measured[]): Measured[] {
  const rate = ({ ms, stallMs, bytes }: Measured): number => (ms + stallMs) / (bytes + 50_000);
  return [...all].toSorted((one, other) => rate(other) - rate(one));
}

async function measure(phase: CostPhase, genome: Genome, quietMs: number): Promise<Measured | null> {
  const draft = requestOf(genome, phase.bounds);
  const name = nameOf(genome, phase.bounds);
  const { exchange, worst } = await watched(phase, draft, name);
  if (exchange === null) return null;
  phase.onAnswer(genome, draft, exchange);
  return {
    ...{ genome, name, bytes: draft.body.length, status: exchange.response?.status ?? null },
    ms: exchange.response?.endMs ?? exchange.endedAt - exchange.sentAt,
    stallMs: Math.max(0, worst - quietMs),
  };
}

/** Sends a request while a bystander makes small calls, and returns the bystander's longest wait. */
async function watched(
  phase: CostPhase,
  draft: DraftRequest,
  label: string,
  atLeastMs = 0,
): Promise<{ readonly exchange: Exchange | null; readonly worst: number }> {
  await phase.take();
  const startedAt = performance.now();
  const exchange = await phase.send(draft, label);
  await phase.sleep(Math.max(tailMs, startedAt + atLeastMs - performance.now()));
  return { exchange, worst: worstOf(await phase.take()) };
}

/** Repeats a stall with and without the body, because other programs on the machine cause stalls too. */
async function confirm(phase: CostPhase, suspect: Measured, quietMs: number): Promise<Stall> {
  const draft = requestOf(suspect.genome, phase.bounds);
  const [withBody, without]: [number[], number[]] = [[], []];
  const small = requestOf({ ...suspect.genome, bytes: 64 }, phase.bounds);
  for (let round = 0; round < stallLooks && !phase.signal.aborted; round += 1) {
    // As long as with the body, so that other programs have the same chance to disturb.
    const control = await watched(phase, small, `${suspect.name}, small`, suspect.ms + tailMs);
    without.push(Math.max(0, control.worst - quietMs));
    const look = await watched(phase, draft, suspect.name);
    withBody.push(Math.max(0, look.worst - quietMs));
  }
  const above = (waits: readonly number[]): number => waits.filter((ms) => ms > phase.stallMs).length;
  const isConfirmed =
    withBody.length === stallLooks && above(withBody) >= mustShow && above(without) <= mayShow;
  return { ...suspect, draft, withBody, without, isConfirmed };
}

/** The slowest suspect of each name. */
function distinct(suspects: readonly Measured[]): Measured[] {
  const sorted = [...suspects].toSorted((one, other) => other.stallMs - one.stallMs);
  return [...new Map(sorted.toReversed().map((one) => [one.name, one])).values()].toSorted(
    (one, other) => other.stallMs - one.stallMs,
  );
}
