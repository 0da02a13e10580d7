import type { Fleet, Gateway } from './fleet.ts';
import type { Moment, Sighting, Sightings } from './sightings.ts';

/** The phase in the life of a request at which a process is killed. */
export const phases = [
  'before the hold',
  'mid-stream',
  'before the settlement',
  'before the answer',
  'while an event is sent',
  'at random',
] as const;
export type KillPhase = (typeof phases)[number];

/**
 * How processes on a server are disturbed: some without the server seeing a connection close, others by closing all
 * connections.
 */
export const haltKinds = [
  'vanish',
  'stop',
  'partition there',
  'partition back',
  'outage',
  'kill in an outage',
  'slow server',
] as const;
export type HaltKind = (typeof haltKinds)[number];
export type Phase = KillPhase | HaltKind;

/** One kill or other disturbance of a process. */
export interface Shot {
  readonly kill: number;
  readonly aim: Phase;
  readonly gateway: number;
  /** The request that triggered the kill; null for a random kill, or if the wait timed out. */
  readonly n: number | null;
  readonly atMs: number;
  /** The end of a stop or a partition. A kill is instantaneous. */
  readonly untilMs: number;
}

/** The moment that a kill waits for. Settlement and answer come after the upstream's end, within the usual lag. */
const awaited: Readonly<Record<Exclude<KillPhase, 'at random'>, Moment['what']>> = {
  'before the hold': 'asked',
  'mid-stream': 'streamed',
  'before the settlement': 'upstream ended',
  'before the answer': 'upstream ended',
  'while an event is sent': 'event arrived',
};

/** How long to wait for the aimed moment, ms. After that the kill comes at a random one. */
const patienceMs = 10_000;
const longestRandomMs = 400;
/** The kill comes at one of the first moments of its kind, so that processes live long enough to have work. */
const latestMoment = 8;

export interface AimParts {
  readonly sightings: Sightings;
  readonly fleet: Fleet;
  readonly random: () => number;
}

/** Kills one process in this phase of some request; resolves when it is gone. */
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

/** One of the next few moments of this kind, chosen at random; null if none comes in time. */
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

/** The recent median time between the upstream's end and the caller's answer, in ms. */
function usualLagMs({ all }: Sightings): number {
  const lags = [...all.values()]
    .slice(-recent)
    .flatMap(({ upstreamEndedAtMs: from, answeredAtMs: to }) =>
      from === null || to === null ? [] : [to - from],
    )
    .sort((one, other) => one - other);
  return Math.max(1, lags[lags.length >> 1] ?? 5);
}

/** Timers are too coarse for fractions of a millisecond, so the end of the wait spins the event loop. */
async function pause(ms: number): Promise<void> {
  const until = performance.now() + ms;
  if (ms > 20) await new Promise((resolve) => setTimeout(resolve, ms - 10));
  while (performance.now() < until) await new Promise((resolve) => setImmediate(resolve));
}

/** The phase in which the kill of its process caught a request; null if the request had ended or the phase is unknown. */
export function caughtIn(
  sighting: Sighting,
  shot: Shot,
  isRecorded: boolean,
): Exclude<KillPhase, 'at random' | 'while an event is sent'> | null {
  const { upstreamAtMs, beganAtMs, upstreamEndedAtMs, way, isCut, gateway } = sighting;
  if (gateway !== shot.gateway || !isCut || way.kind === 'task') return null;
  // Later observations do not count: an upstream continues to send for a while after the kill.
  const isBefore = (atMs: number | null): boolean => atMs !== null && atMs <= shot.atMs;
  if (!isBefore(upstreamAtMs)) return 'before the hold';
  if (isRecorded) return 'before the answer';
  if (isBefore(upstreamEndedAtMs)) return 'before the settlement';
  return isBefore(beganAtMs) ? 'mid-stream' : null;
}
