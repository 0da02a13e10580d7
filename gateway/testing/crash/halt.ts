import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Store } from '../../store/store.ts';
import { graceMs } from '../../work/leased-instances.ts';
import type { AimParts, HaltKind, Shot } from './aim.ts';
import type { Gateway } from './fleet.ts';

/** Maximum time until everything that a dead process held is free again. */
export const takeoverWithinMs = 10_000;
/** Maximum extra duration of a stop or a partition after others have taken over. */
const longestMoreMs = 1_500;
const lookMs = 100;
/** Maximum duration of a database outage. */
const longestOutageMs = 4_000;
/** Maximum time that a slow server takes for a statement, and for how long it does. */
const longestStatementMs = 1_500;
const slowForMs = 8_000;
/** Maximum time until rejected connections are replaced. */
const backMs = 300;

/** What happens to the server itself, for all processes. */
type ServerFault = 'outage' | 'kill in an outage' | 'slow server';

export function isServerFault(aim: HaltKind): aim is ServerFault {
  return aim === 'outage' || aim === 'kill in an outage' || aim === 'slow server';
}

export interface Halted {
  readonly shot: Shot;
  /** How long the takeover by other processes took. */
  readonly takeoverMs: number;
}

/**
 * Halts one process without closing a connection, until others have taken over what it held. A stopped or partitioned process
 * then continues. A process whose host vanished is gone, and the server's keepalive ends its connections.
 */
export async function halt(
  kill: number,
  aim: Exclude<HaltKind, ServerFault>,
  { fleet, random, sightings }: AimParts,
  store: Pick<Store, 'db'>,
): Promise<Halted> {
  const gateway = fleet.live[Math.floor(random() * fleet.live.length)];
  if (gateway === undefined) throw new Error('no gateway is left to be halted');
  await wait(random() * 400);
  const before = await namesIn(store);
  const [atMs, beganAt] = [Date.now(), performance.now()];
  begin(aim, gateway);
  fleet.takeOut(gateway);
  const shake = (): void => {
    for (const sighting of sightings.all.values())
      if (sighting.gateway === gateway.number && sighting.answeredAtMs === null) sighting.isShaken = true;
  };
  shake();
  if (aim === 'vanish') await gateway.running.exit;
  while (!(await isTakenOver(store, before)) && performance.now() - beganAt < 3 * takeoverWithinMs)
    await wait(lookMs);
  const takeoverMs = performance.now() - beganAt;
  if (aim !== 'vanish') {
    await wait(random() * longestMoreMs);
    end(aim, gateway);
    fleet.giveBack(gateway);
    await trustIsBack();
  } else gateway.relay?.cut(true);
  return { shot: { kill, aim, gateway: gateway.number, n: null, atMs, untilMs: Date.now() }, takeoverMs };
}

/**
 * Makes the database unreachable or slow for all processes, and may kill one of them meanwhile. Requests that had already reached
 * their upstream are still answered, and charged later.
 */
export async function takeDatabase(
  kill: number,
  aim: ServerFault,
  { fleet, random, sightings }: AimParts,
): Promise<Shot> {
  await wait(random() * 400);
  const relays = fleet.live.map(({ relay }) => relay);
  const atMs = Date.now();
  fleet.shakeAll();
  sightings.isShaking = true;
  for (const sighting of sightings.all.values())
    if (sighting.answeredAtMs === null && (sighting.calls === 0 || sighting.way.kind === 'task'))
      sighting.isShaken = true;
  if (aim === 'slow server') {
    const statementMs = random() * longestStatementMs;
    for (const relay of relays) relay?.slow(statementMs);
    await wait(slowForMs);
    for (const relay of relays) relay?.slow(0);
  } else for (const relay of relays) relay?.cut(true);
  await wait(random() * longestOutageMs);
  const victim = fleet.live[Math.floor(random() * fleet.live.length)];
  if (aim === 'kill in an outage' && victim !== undefined) await fleet.kill(victim);
  for (const relay of relays) relay?.cut(false);
  await wait(backMs);
  sightings.isShaking = false;
  await trustIsBack();
  return { kill, aim, gateway: victim?.number ?? 0, n: null, atMs, untilMs: Date.now() };
}

/** A process that returns declares no other dead during a grace period. Later disturbances wait for its end. */
function trustIsBack(): Promise<void> {
  return wait(graceMs);
}

function begin(aim: Exclude<HaltKind, ServerFault>, { running, relay }: Gateway): void {
  if (aim === 'vanish') {
    relay?.vanish();
    running.stop('SIGKILL');
  } else if (aim === 'stop') running.stop('SIGSTOP');
  else relay?.hold(aim === 'partition there' ? 'there' : 'back');
}

function end(aim: Exclude<HaltKind, ServerFault>, { running, relay }: Gateway): void {
  if (aim === 'stop') running.stop('SIGCONT');
  else relay?.hold(null);
}

/** Ids of the live processes. */
async function namesIn({ db }: Pick<Store, 'db'>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from processes where lease_until > clock_timestamp()`.execute(db);
  return rows.map(({ id }) => id);
}

/** Whether one of these processes is gone and no dead process holds anything. */
async function isTakenOver({ db }: Pick<Store, 'db'>, before: readonly string[]): Promise<boolean> {
  const { rows } = await sql<{ held: bigint; left: bigint }>`
    with live as (select id from processes where lease_until > clock_timestamp()),
    held as (
      select holder from tasks where due_at is not null and holder is not null
      union all select holder from webhook_events where due_at is not null and holder is not null
      union all select holder from open_holds where holder <> 'tasks')
    select (select count(*) from held where holder not in (select id from live)) as held,
      (select count(*) from live where id = any(${before}::text[])) as left`.execute(db);
  return rows[0]?.held === 0n && rows[0].left < before.length;
}
