import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openStore, type Store } from '../../store/store.ts';
import { processorMs } from '../processor-time.ts';
import { Random } from '../random.ts';
import { type StorePlace, silentLog } from '../store/test-stores.ts';
import { startWebhookReceiver, status, type WebhookReceiver } from '../webhook-receiver.ts';
import { read } from '../wire.ts';
import { type HaltKind, haltKinds, type Phase, phases, type Shot, shoot } from './aim.ts';
import { auditAccounts } from './audit-config.ts';
import { startAuditUpstreams } from './audit-upstreams.ts';
import { type AdminBooks, readAdminBooks, readStoredBooks } from './books.ts';
import { type Callers, createCallers } from './callers.ts';
import type { Evidence, Violation } from './evidence.ts';
import { createFleet, type Fleet, type Gateway } from './fleet.ts';
import { halt, isServerFault, takeDatabase, takeoverWithinMs } from './halt.ts';
import { judge } from './judge.ts';
import { Sightings } from './sightings.ts';
import { answeredWays } from './ways.ts';

export interface AuditOptions {
  readonly place: StorePlace;
  readonly kills: number;
  /** How often each halt occurs; only if several processes share a server. */
  readonly halts?: Readonly<Record<HaltKind, number>> | undefined;
  readonly tasks: number;
  readonly processes: number;
  readonly seed: number;
  /** When to stop killing, even if kills are left. */
  readonly untilMs: number;
  /** Called at each kill and halt. */
  readonly onShot: (shot: Shot, recovery: Recovery | undefined) => void;
}

export interface Recovery {
  readonly tookMs: number;
  readonly processorMs: number | null;
}

export interface AuditResult extends Evidence {
  readonly violations: readonly Violation[];
  /** From each start to the first valid answer: the elapsed time, and the processor time of the new process. */
  readonly recoveries: readonly Recovery[];
  /** For each kill, how long calls of the dead process kept a user from a slot, in ms; 0 if they did not. */
  readonly lockOutsMs: readonly number[];
  /** For each halted process, how long the takeover by others took. */
  readonly takeoversMs: readonly number[];
  readonly tookMs: number;
}

/** Maximum time for the remaining work after the last kill. */
const settledWithinMs = 120_000;
/** A busy machine needs time for a thousand tasks, and all of them are required. */
const handedInWithinMs = 600_000;
/** Maximum time until a slot of a dead process is free again. */
const slotsWithinMs = 2_000;

interface Scene {
  readonly options: AuditOptions;
  readonly sightings: Sightings;
  readonly fleet: Fleet;
  readonly callers: Callers;
  readonly random: () => number;
  readonly violations: Violation[];
  readonly shots: Shot[];
  readonly recoveries: Recovery[];
  readonly lockOutsMs: number[];
  readonly takeoversMs: number[];
  /** The server itself, without relays; null for an embedded store. */
  readonly store: Store | null;
}

/** Kills gateways under load, and checks the results from outside. */
export async function runAudit(options: AuditOptions): Promise<AuditResult> {
  const beganAtMs = Date.now();
  const directory = mkdtempSync(join(tmpdir(), 'gateway-audit-'));
  const sightings = new Sightings();
  const upstreams = await startAuditUpstreams(sightings);
  const receiver = await startWebhookReceiver();
  receiveFor(sightings, receiver);
  const fleet = createFleet({ place: options.place, directory, upstreams, receiver });
  const draws = new Random(options.seed);
  const random = (): number => draws.next();
  const violations: Violation[] = [];
  const shots: Shot[] = [];
  const onWrong = (what: string): void => {
    violations.push({ kill: shots.at(-1)?.kill ?? null, what });
  };
  const callers = createCallers({ sightings, live: fleet.live, random, webhookUrl: receiver.url, onWrong });
  const store = 'url' in options.place ? await openStore({ ...options.place, log: silentLog }) : null;
  const scene: Scene = {
    ...{ options, sightings, fleet, callers, random, violations, shots, store },
    ...{ recoveries: [], lockOutsMs: [], takeoversMs: [] },
  };
  try {
    for (let place = 0; place < options.processes; place += 1) await fleet.start(place);
    for (const [index, aim] of planOf(options, random).entries())
      if (Date.now() < options.untilMs) await disturb(index + 1, aim, scene);
    const admin = await settle(scene);
    for (const fault of await fleet.stop()) violations.push({ kill: null, what: fault });
    const stored = await readStoredBooks(options.place);
    const evidence: Evidence = {
      ...{ sightings, shots, admin, stored, jobs: upstreams.jobs(), mostInFlight: upstreams.calls.most },
    };
    const { recoveries, lockOutsMs, takeoversMs } = scene;
    const tookMs = Date.now() - beganAtMs;
    return {
      ...evidence,
      violations: [...violations, ...judge(evidence)],
      recoveries,
      lockOutsMs,
      takeoversMs,
      tookMs,
    };
  } finally {
    await fleet.close();
    await Promise.all([upstreams.close(), receiver.close(), store?.close()]);
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * Lets the process that sent an event be killed before or after the receiver answers. Every fifth event is rejected at first.
 */
function receiveFor(sightings: Sightings, receiver: WebhookReceiver): void {
  const known = new Set<string>();
  receiver.fallback = (response, event) => {
    const arrival = sightings.arrived(event);
    const isRefused = arrival.n % 5 === 0 && !known.has(arrival.eventId);
    known.add(arrival.eventId);
    const code = isRefused ? 503 : 204;
    const answer = (): void => {
      if (response.destroyed) return;
      Object.assign(arrival, { status: code, answeredAtMs: Date.now() });
      status(code)(response, event);
    };
    if (arrival.n % 2 === 0) answer();
    else setTimeout(answer, 10);
    sightings.onMoment({ what: 'event arrived', n: arrival.n, gateway: null });
  };
}

/** The disturbances of the processes, in an order drawn from the seed. */
function planOf({ kills, halts }: AuditOptions, random: () => number): Phase[] {
  const plan = [
    ...Array.from({ length: kills }, (_, n) => phases[n % phases.length] as Phase),
    ...haltKinds.flatMap((kind) => Array.from({ length: halts?.[kind] ?? 0 }, () => kind)),
  ];
  if (plan.length === kills) return plan;
  return plan
    .map((aim) => ({ aim, draw: random() }))
    .sort((one, other) => one.draw - other.draw)
    .map(({ aim }) => aim);
}

function plannedOf({ kills, halts }: AuditOptions): number {
  return haltKinds.reduce((sum, kind) => sum + (halts?.[kind] ?? 0), kills);
}

/**
 * Runs load until one process is disturbed, then starts another in its place. After that every user must have all slots
 * again.
 */
async function disturb(kill: number, aim: Phase, scene: Scene): Promise<void> {
  const { options, fleet, callers, shots, recoveries } = scene;
  const over = new AbortController();
  const loading = callers.load(over.signal, Math.round((options.tasks * kill) / plannedOf(options)));
  const shot = isHalt(aim) ? await haltOne(kill, aim, scene) : await shoot(kill, aim, scene);
  shots.push(shot);
  over.abort();
  await loading;
  const [survivor] = fleet.live;
  if (survivor !== undefined) await takeAllSlots(survivor, scene);
  if (fleet.live.length < options.processes) {
    const startedAt = performance.now();
    const gateway = await fleet.start(killedPlace(fleet, options.processes));
    await takeAllSlots(gateway, scene, () => {
      const tookMs = performance.now() - startedAt;
      recoveries.push({ tookMs, processorMs: processorMs(gateway.running.pid) });
    });
  }
  options.onShot(shot, recoveries.at(-1));
}

async function haltOne(kill: number, aim: HaltKind, scene: Scene): Promise<Shot> {
  if (scene.store === null) throw new Error('only processes on a server can be halted');
  if (isServerFault(aim)) return takeDatabase(kill, aim, scene);
  const { shot, takeoverMs } = await halt(kill, aim, scene, scene.store);
  scene.takeoversMs.push(takeoverMs);
  if (takeoverMs > takeoverWithinMs)
    scene.violations.push({ kill, what: `others took over after ${Math.round(takeoverMs)} ms` });
  return shot;
}

function isHalt(aim: Phase): aim is HaltKind {
  return haltKinds.some((kind) => kind === aim);
}

function killedPlace({ live }: Fleet, processes: number): number {
  const places = Array.from({ length: processes }, (_, place) => place);
  return places.find((place) => !live.some((one) => one.place === place)) ?? 0;
}

/** Makes as many concurrent calls as each user's cap allows; none may be rejected for long. */
async function takeAllSlots(gateway: Gateway, scene: Scene, onFirst: () => void = () => {}): Promise<void> {
  const { callers, violations, shots, lockOutsMs, random } = scene;
  const startedAt = performance.now();
  let [isFirst, lockedOutMs] = [true, 0];
  const take = async (account: (typeof auditAccounts)[number]): Promise<void> => {
    const way = answeredWays[Math.floor(random() * answeredWays.length)];
    if (way === undefined) return;
    while ((await callers.call(gateway, account, way)) === 'capped') {
      lockedOutMs = performance.now() - startedAt;
      if (lockedOutMs > slotsWithinMs) {
        violations.push({
          kill: shots.at(-1)?.kill ?? null,
          what: `${account.user} is locked out by calls of the dead`,
        });
        return;
      }
      await wait(10);
    }
    if (isFirst) onFirst();
    isFirst = false;
  };
  await Promise.all(
    auditAccounts.flatMap((account) => Array.from({ length: account.cap }, () => take(account))),
  );
  lockOutsMs.push(lockedOutMs);
}

/**
 * Submits the remaining tasks (fewer if there was no time for all kills), waits until no work is left, and reads the books.
 */
async function settle(scene: Scene): Promise<AdminBooks> {
  const { options, fleet, callers, violations, shots } = scene;
  const tasks = Math.floor((options.tasks * shots.length) / plannedOf(options));
  const over = new AbortController();
  const loading = callers.load(over.signal, tasks);
  const handedInBy = Date.now() + handedInWithinMs;
  while (callers.taskCount < tasks && Date.now() < handedInBy) await wait(20);
  over.abort();
  await loading;
  const until = Date.now() + settledWithinMs;
  const [gateway] = fleet.live;
  if (gateway === undefined) throw new Error('no gateway is left');
  const accounts = auditAccounts.map(({ id }) => id);
  for (;;) {
    const books = await readAdminBooks(gateway.url, accounts);
    const isOver =
      books.tasks.every(({ status: state }) => state !== 'QUEUED' && state !== 'RUNNING') &&
      books.events.every(({ state }) => state !== 'pending') &&
      // What dead processes held, and unused blocks, are released with a delay.
      [...books.balances.values()].every(({ held }) => held === 0n);
    if (!isOver && Date.now() < until) {
      await wait(200);
      continue;
    }
    if (!isOver)
      violations.push({
        kill: null,
        what: `tasks, events or holds are under way after ${settledWithinMs} ms`,
      });
    await followLinks(gateway, books, scene);
    return books;
  }
}

/** Asserts that all files linked in answers exist. */
async function followLinks(gateway: Gateway, { tasks }: AdminBooks, scene: Scene): Promise<void> {
  const { sightings, violations } = scene;
  const links = [
    ...[...sightings.all.values()].flatMap((sighting) => sighting.links),
    ...tasks.flatMap(({ result_urls }) => result_urls ?? []).map((url) => new URL(url).pathname),
  ];
  for (const link of links) {
    const { status: code } = await read(gateway.url + link, { key: auditAccounts[0]?.key ?? '' });
    if (code !== 200) violations.push({ kill: null, what: `${link} answers ${code}` });
  }
}
