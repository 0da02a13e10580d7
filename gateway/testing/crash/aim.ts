import type { Fleet, Gateway } from './fleet.ts';
import type { Moment, Sighting, Sightings } from './sightings.ts';

/** Where in the life of a request a process is killed. */
export const phases = [
  'before the hold',
  'mid-stream',
  'before the settlement',
  'before the answer',
  'while an event is sent',
  'at random',
] as const;
export type KillPhase = (typeof phases)[number];

/** How processes on a server are disturbed: without an end of connections that the server would see, or with an end of all. */
export const haltKinds = [
  'vanish',
  'stop',
  'partition there',
  'partition back',
  'outage',
  'kill in an outage',
] as const;
export type HaltKind = (typeof haltKinds)[number];
export type Phase = KillPhase | HaltKind;

/** One kill, or what else befell a process. */
export interface Shot {
  readonly kill: number;
  readonly aim: Phase;
  readonly gateway: number;
  /** The request whose moment it was; null for a kill that waited for none, or without success. */
  readonly n: number | null;
  readonly atMs: number;
  /** The end of a stop or a partition; a kill is over at once. */
  readonly untilMs: number;
}

/** What a kill waits for. Settlement and answer follow the upstream's end, a part of the usual lag each. */
const awaited: Readonly<Record<Exclude<KillPhase, 'at random'>, Moment['what']>> = {
  'before the hold': 'asked',
  'mid-stream': 'streamed',
  'before the settlement': 'upstream ended',
  'before the answer': 'upstream ended',
  'while an event is sent': 'event arrived',
};

/** A moment is waited for this long; then it is a kill at random. */
const patienceMs = 10_000;
const longestRandomMs = 400;
/** The kill comes at one of the first moments of its kind, so that processes live long enough to have work. */
const latestMoment = 8;

export interface AimParts {
  readonly sightings: Sightings;
  readonly fleet: Fleet;
  readonly random: () => number;
}

/** Kills one process in this phase of some request's life; resolves when it is gone. */
export async function shoot(kill: number, aim: KillPhase, parts: AimParts): Promise<Shot> {
  const { sightings, fleet, random } = parts;
  const moment = aim === 'at random' ? null : await momentFor(awaited[aim], sightings, random);
  const lagMs = usualLagMs(sightings);
  await pause(moment === null ? random() * longestRandomMs : delayMs(aim, random, lagMs));
  const gateway =
    fleet.live.find(({ number }) => number === moment?.gateway) ??
    fleet.live[Math.floor(random() * fleet.live.length)];
  if (gateway === undefined) throw new Error('no gateway is left to be killed');
  const atMs = Date.now();
  await fleet.kill(gateway as Gateway);
  return { kill, aim, gateway: gateway.number, n: moment?.n ?? null, atMs, untilMs: atMs };
}

function delayMs(aim: KillPhase, random: () => number, lagMs: number): number {
  switch (aim) {
    case 'before the settlement':
      return random() * 0.6 * lagMs;
    case 'before the answer':
      return (0.5 + random() * 0.6) * lagMs;
    default:
      return random() * 3;
  }
}

/** The next moment of a kind, or one of those behind it; null when none comes. */
function momentFor(what: Moment['what'], sightings: Sightings, random: () => number): Promise<Moment | null> {
  let left = 1 + Math.floor(random() * latestMoment);
  return new Promise((resolve) => {
    const alarm = setTimeout(() => done(null), patienceMs);
    const done = (moment: Moment | null): void => {
      clearTimeout(alarm);
      sightings.onMoment = () => {};
      resolve(moment);
    };
    sightings.onMoment = (moment) => {
      if (moment.what !== what) return;
      left -= 1;
      if (left === 0) done(moment);
    };
  });
}

const recent = 200;

/** Between the upstream's end and the caller's answer, the median of late. */
function usualLagMs({ all }: Sightings): number {
  const lags = [...all.values()]
    .slice(-recent)
    .flatMap(({ upstreamEndedAtMs: from, answeredAtMs: to }) =>
      from === null || to === null ? [] : [to - from],
    )
    .sort((one, other) => one - other);
  return Math.max(1, lags[lags.length >> 1] ?? 5);
}

/** Timers are too coarse for parts of a millisecond: turns of the loop are counted by the clock. */
async function pause(ms: number): Promise<void> {
  const until = performance.now() + ms;
  if (ms > 20) await new Promise((resolve) => setTimeout(resolve, ms - 10));
  while (performance.now() < until) await new Promise((resolve) => setImmediate(resolve));
}

/** What a request was caught in by the kill of its process; null when it had ended, or where nobody can tell. */
export function caughtIn(
  sighting: Sighting,
  shot: Shot,
  isRecorded: boolean,
): Exclude<KillPhase, 'at random' | 'while an event is sent'> | null {
  const { upstreamAtMs, beganAtMs, upstreamEndedAtMs, way, isCut, gateway } = sighting;
  if (gateway !== shot.gateway || !isCut || way.kind === 'task') return null;
  // What happened behind the kill was on its way already: an upstream goes on sending for a while.
  const isBefore = (atMs: number | null): boolean => atMs !== null && atMs <= shot.atMs;
  if (!isBefore(upstreamAtMs)) return 'before the hold';
  if (isRecorded) return 'before the answer';
  if (isBefore(upstreamEndedAtMs)) return 'before the settlement';
  return isBefore(beganAtMs) ? 'mid-stream' : null;
}
