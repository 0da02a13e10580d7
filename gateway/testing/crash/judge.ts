import { parseUsd } from '../../money/pico.ts';
import { auditAccounts, auditGrant } from './audit-config.ts';
import type { KeptRecord } from './books.ts';
import type { Evidence, Violation } from './evidence.ts';
import { brokenEvents } from './judge-events.ts';
import { numberOfTokens } from './numbered.ts';
import type { Sighting } from './sightings.ts';

/** All violations in the evidence. */
export function judge(all: Evidence): Violation[] {
  const evidence = withoutDoubtful(all);
  const { records, tasks } = evidence.admin;
  const byRequest = Map.groupBy(records, ({ request_id }) => request_id);
  const sightings = [...evidence.sightings.all.values()];
  const numberOf = numbering(evidence);
  const isShaken = sightings.some((sighting) => sighting.isShaken);
  return [
    ...sightings.flatMap((sighting) => lostAnswer(sighting, byRequest, evidence)),
    ...records
      // What a process that was halted cut, or could not answer, shows no number.
      .filter(({ outcome }) => outcome === 'success' || !isShaken)
      .flatMap((record) => wrongRecord(record, numberOf(record), evidence)),
    ...[...byRequest].flatMap(([id, all]) =>
      all.length > 1 ? [overall(`${id} has ${all.length} records`)] : [],
    ),
    ...[...Map.groupBy(records, (record) => numberOf(record) ?? record.request_id)]
      .filter(([, all]) => all.length > 1)
      .map(([n, all]) => overall(`number ${n} has ${all.length} records`)),
    ...sightings
      .filter(({ calls }) => calls > 2)
      .map((sighting) => behind(sighting, evidence, `was sent to its upstream ${sighting.calls} times`)),
    ...tasks.flatMap((task) => {
      if (task.status !== 'SUCCESS') return [overall(`${task.task_id} is ${task.status}`)];
      const charged = records.filter((record) => record.task_id === task.task_id).length;
      return charged === 1 ? [] : [overall(`${task.task_id} has ${charged} records`)];
    }),
    ...brokenJobs(evidence),
    ...brokenEvents(evidence),
    ...brokenSums(evidence),
    ...auditAccounts.flatMap(({ user, cap }) => {
      const calls = evidence.mostInFlight.get(user) ?? [];
      const what = `${user} had ${calls.length} calls at the upstreams, and may have ${cap}: ${calls.join(', ')}`;
      return calls.length > cap ? [overall(what)] : [];
    }),
  ];
}

/**
 * Leaves out tasks that ended without a job although they were stored: their callers got an error, since the database took too
 * long. Where a caller was told of a task, it counts.
 */
function withoutDoubtful(evidence: Evidence): Evidence {
  const sightings = [...evidence.sightings.all.values()];
  if (!sightings.some(({ isShaken }) => isShaken)) return evidence;
  const told = new Set(sightings.map(({ taskId }) => taskId));
  const begun = new Set(evidence.jobs.map(({ taskId }) => taskId));
  const tasks = evidence.admin.tasks.filter(
    ({ task_id: id, status }) => status !== 'FAILED' || told.has(id) || begun.has(id),
  );
  return { ...evidence, admin: { ...evidence.admin, tasks } };
}

const overall = (what: string): Violation => ({ kill: null, what });

/** A violation of one request is assigned to the first kill after it was sent. */
function behind({ n, way, askedAtMs }: Sighting, { shots }: Evidence, what: string): Violation {
  const shot = shots.find(({ atMs }) => atMs >= askedAtMs);
  return { kill: shot?.kill ?? null, what: `number ${n} (${way.name}) ${what}` };
}

function lostAnswer(
  sighting: Sighting,
  byRequest: ReadonlyMap<string, readonly KeptRecord[]>,
  evidence: Evidence,
): Violation[] {
  const { requestId, taskId, answeredAtMs } = sighting;
  if (answeredAtMs === null || requestId === null) return [];
  const records = byRequest.get(requestId) ?? [];
  const task = taskId === null ? undefined : evidence.admin.tasks.find((one) => one.task_id === taskId);
  return [
    ...(records.length === 1
      ? []
      : [behind(sighting, evidence, `was answered and has ${records.length} records`)]),
    ...(taskId === null || task !== undefined
      ? []
      : [behind(sighting, evidence, `was taken on as ${taskId}, and is no task`)]),
  ];
}

/** Finds the request that a record is for: by its task's job, its tokens, or the answer that came. */
export function numbering({
  sightings,
  jobs,
}: Pick<Evidence, 'sightings' | 'jobs'>): (record: KeptRecord) => number | null {
  const byTask = new Map(jobs.map(({ taskId, n }) => [taskId, n]));
  const byRequest = new Map([...sightings.all.values()].map(({ requestId, n }) => [requestId, n]));
  return ({ task_id: task, completion_tokens: tokens, request_id: request }) => {
    if (task !== null) return byTask.get(task) ?? null;
    return tokens > 0 ? numberOfTokens(tokens) : (byRequest.get(request) ?? null);
  };
}

function wrongRecord(record: KeptRecord, n: number | null, evidence: Evidence): Violation[] {
  const sighting = n === null ? undefined : evidence.sightings.all.get(n);
  // An image whose process was killed before it could answer: every image has the same price.
  const way = sighting?.way ?? wayOf(record, evidence);
  const account = auditAccounts.find(({ id }) => id === record.account_id);
  if (way === undefined || account === undefined || (sighting && sighting.user !== account.user))
    return [overall(`${record.request_id} is on record for nothing that was asked`)];
  const due = (way.cost(n ?? 0) * BigInt(10_000 + account.markup)) / 10_000n;
  const wrong = (what: string): Violation[] =>
    sighting === undefined ? [overall(`${record.request_id} ${what}`)] : [behind(sighting, evidence, what)];
  if (record.outcome !== 'success') return wrong(`is on record as ${record.outcome}`);
  return parseUsd(record.charge) === due
    ? []
    : wrong(`is charged ${record.charge}, and should be ${due} pico-USD`);
}

function wayOf(
  { model_served: model, task_id }: KeptRecord,
  { sightings }: Evidence,
): Sighting['way'] | undefined {
  if (task_id !== null) return undefined;
  return [...sightings.all.values()].find(({ way }) => way.kind === 'images' && way.model === model)?.way;
}

function brokenJobs({ jobs, admin: { tasks } }: Evidence): Violation[] {
  const known = new Set(tasks.map(({ task_id }) => task_id));
  const byTask = Map.groupBy(jobs, ({ taskId }) => taskId);
  return [
    ...[...byTask].flatMap(([id, all]) => [
      ...(all.length > 1 ? [overall(`${id} has ${all.length} jobs`)] : []),
      ...(known.has(id) ? [] : [overall(`${id} has a job, and is no task`)]),
    ]),
    ...tasks.flatMap(({ task_id }) => (byTask.has(task_id) ? [] : [overall(`${task_id} has no job`)])),
  ];
}

/** Slots, holds and balances: nothing is left over, and each account has paid what its records state. */
function brokenSums({ admin, stored }: Evidence): Violation[] {
  const granted = parseUsd(auditGrant) ?? 0n;
  const { entries, openHolds, holdsWithoutEnd, wrongCharges, leases } = stored;
  return [
    ...(entries === '0' ? [] : [overall(`all entries come to ${entries}`)]),
    ...(openHolds === 0n ? [] : [overall(`${openHolds} holds are left`)]),
    ...(holdsWithoutEnd === 0n ? [] : [overall(`${holdsWithoutEnd} holds have no end, or two`)]),
    ...(wrongCharges === 0n ? [] : [overall(`${wrongCharges} records are charged twice, or another amount`)]),
    ...(leases === 0n ? [] : [overall(`${leases} leases are left`)]),
    ...(admin.slots.length === 0 ? [] : [overall(`slots are left: ${JSON.stringify(admin.slots)}`)]),
    ...[...admin.balances].flatMap(([id, { posted, held }]) => {
      const spent = admin.records
        .filter(({ account_id }) => account_id === id)
        .reduce((sum, { charge }) => sum + (parseUsd(charge) ?? 0n), 0n);
      return held === 0n && posted === granted - spent
        ? []
        : [
            overall(
              `${id} has ${posted} pico-USD of which ${held} are held, and spent ${spent} by its records`,
            ),
          ];
    }),
  ];
}
