import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Store } from '../../store/store.ts';
import { graceMs } from '../../work/leased-instances.ts';
import type { AimParts, HaltKind, Shot } from './aim.ts';
import type { Gateway } from './fleet.ts';

/** What a process held that is gone is free again within this. */
export const takeoverWithinMs = 10_000;
/** A stop and a partition go on for so long after others took over. */
const longestMoreMs = 1_500;
const lookMs = 100;
/** The database is away for so long at most. */
const longestOutageMs = 4_000;
/** Connections that were refused last are replaced within this. */
const backMs = 300;

type Outage = 'outage' | 'kill in an outage';

export interface Halted {
  readonly shot: Shot;
  /** How long others took to take over. */
  readonly takeoverMs: number;
}

/**
 * Halts one process in a way that closes no connection, until others have taken over what it held. One that was
 * stopped or cut off goes on then; one whose host vanished is gone, and its connections end, as the server's keepalive ends
 * them.
 */
export async function halt(
  kill: number,
  aim: Exclude<HaltKind, Outage>,
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
 * Takes the database away from all processes, and may kill one of them meanwhile. What had reached its upstream before
 * is answered all the same, and charged later.
 */
export async function takeDatabase(
  kill: number,
  aim: Outage,
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
  for (const relay of relays) relay?.cut(true);
  await wait(random() * longestOutageMs);
  const victim = fleet.live[Math.floor(random() * fleet.live.length)];
  if (aim === 'kill in an outage' && victim !== undefined) await fleet.kill(victim);
  for (const relay of relays) relay?.cut(false);
  await wait(backMs);
  sightings.isShaking = false;
  await trustIsBack();
  return { kill, aim, gateway: victim?.number ?? 0, n: null, atMs, untilMs: Date.now() };
}

/** Whoever comes back takes nobody for gone at first: whatever stops another one is handled after that. */
function trustIsBack(): Promise<void> {
  return wait(graceMs);
}

function begin(aim: Exclude<HaltKind, Outage>, { running, relay }: Gateway): void {
  if (aim === 'vanish') {
    relay?.vanish();
    running.stop('SIGKILL');
  } else if (aim === 'stop') running.stop('SIGSTOP');
  else relay?.hold(aim === 'partition there' ? 'there' : 'back');
}

function end(aim: Exclude<HaltKind, Outage>, { running, relay }: Gateway): void {
  if (aim === 'stop') running.stop('SIGCONT');
  else relay?.hold(null);
}

/** The processes that live. */
async function namesIn({ db }: Pick<Store, 'db'>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from processes where lease_until > clock_timestamp()`.execute(db);
  return rows.map(({ id }) => id);
}

/** Whether one of these processes is gone, and nothing is held in a name that is gone. */
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
