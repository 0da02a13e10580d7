import { type ScenarioState, SimulatorControl, type TenantControl } from 'gatecheck-simulators/client';
import { createStackClock, type StackClock } from '../engine/clock-control.ts';
import { UnreachableError, UsageError } from '../process/exit-codes.ts';
import type { Profile, TenantProfile } from '../profile/profile.ts';
import { createWireClient, type WireClient } from '../wire/client.ts';
import { jsonOf } from '../wire/exchange.ts';
import { Beside, eventsOf, failedTasks } from './beside.ts';
import { againstUpstream } from './call-outcome.ts';
import { callersOf } from './callers.ts';
import type { DrillScenario } from './drill-scenario.ts';
import { type DrillTime, LedTime, realTime } from './drill-time.ts';
import { type CallRecord, type Driving, gaveUp, Load } from './drive.ts';
import { costOfFailures } from './failure-costs.ts';
import { type DrillTraffic, nearestRank } from './measure.ts';
import { openProtocols } from './open-protocols.ts';
import { PhaseLog } from './phases.ts';
import { type PlannedCall, planCalls } from './planned-calls.ts';
import { TaskLoad, taskModelsIn } from './task-load.ts';
import { UpstreamLog } from './upstream-log.ts';

export interface DrillRun {
  readonly scenario: DrillScenario;
  readonly profile: Profile;
  readonly seed: number;
  /** Average calls per second. */
  readonly rate: number;
  readonly forMs: number;
  /** 1 for real time; above it the clocks of the stack are moved. */
  readonly speed: number;
  /** Distinguishes the drill from others in the same journal. */
  readonly run: string;
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
}

export interface DrillOutcome {
  readonly traffic: DrillTraffic;
  readonly phases: PhaseLog;
  readonly stopped: string | null;
}

/** How often the journal and the phases are read, ms. */
const readEachMs = 1_000;
const callsPerTask = 10;
/** The time limit for the reads after the last call, real ms. */
const lateMs = 300_000;

/** Everything that is open while a drill runs. */
interface Stage {
  readonly client: WireClient;
  readonly tenant: TenantControl;
  readonly log: UpstreamLog;
  readonly phases: PhaseLog;
  readonly load: Load;
  /** A text gives the reason why there are none. */
  readonly tasks: TaskLoad | string;
  readonly driving: Driving;
}

/**
 * Plays the scenario, sends the load, and reads the upstream requests.
 * @throws UsageError, UnreachableError
 */
export async function runDrill(run: DrillRun): Promise<DrillOutcome> {
  const { profile } = run;
  if (profile.upstream === undefined)
    throw new UsageError('a drill needs upstream.control: the deployment must call simulators of ours');
  const simulators = new SimulatorControl(profile.upstream.control);
  const clock = run.speed > 1 ? createStackClock(profile) : null;
  if (run.speed > 1 && clock === null)
    throw new UsageError('--speed needs hooks.clock: without it a drill takes its real time');
  const client = createWireClient(profile);
  try {
    return await drill(run, { simulators, client, clock: clock?.clock ?? null });
  } finally {
    await Promise.all([client.close(), simulators.close(), clock?.close()]);
  }
}

interface Reached {
  readonly simulators: SimulatorControl;
  readonly client: WireClient;
  readonly clock: StackClock | null;
}

async function drill(run: DrillRun, { simulators, client, clock }: Reached): Promise<DrillOutcome> {
  const { profile, signal, scenario } = run;
  const account = accountOf(profile);
  const listed = await reach(client, account.keys.K1);
  const models = modelsOf(run);
  const protocols = await openProtocols(client, profile, account.keys.K1, models);
  const calls = planCalls({ ...run, models, protocols });
  const load = new Load();
  const time: DrillTime = clock === null ? realTime : new LedTime(clock, load, run.speed);
  // Another gateway on the same simulators may have moved their clock.
  await clock?.align();
  const callers = await callersOf(profile, account.keys, signal);
  const tasks = await TaskLoad.open({ profile, client, callers, models: taskModelsIn(listed) });
  const tenant = simulators.tenant(account.name);
  await began(simulators, tenant, scenario);
  const [{ now_ms: simulatedMs }, beganMs] = [await simulators.health(), time.now()];
  const stage: Stage = {
    ...{ client, tenant, load, tasks },
    log: await UpstreamLog.open(tenant, run.run, simulatedMs),
    phases: new PhaseLog(simulatedMs),
    driving: { time, client, callers, beganMs, clockAheadMs: () => clock?.aheadMs ?? 0 },
  };
  run.say(`${calls.length} calls of ${models.join(', ')} in ${Math.round(run.forMs / 1_000)} s`);
  try {
    const stopped = await play(run, stage, calls);
    const traffic = await trafficOf(run, stage, account);
    return { traffic, phases: stage.phases, stopped };
  } finally {
    await tenant.stop();
    if (typeof tasks !== 'string') await tasks.close();
  }
}

/**
 * Starts the scenario.
 * @throws UsageError for an invalid scenario
 */
async function began(
  simulators: SimulatorControl,
  tenant: TenantControl,
  scenario: DrillScenario,
): Promise<ScenarioState> {
  try {
    await simulators.health();
  } catch {
    throw new UnreachableError('nothing answers at upstream.control of the profile');
  }
  try {
    return await tenant.play(scenario.choice);
  } catch (error) {
    throw new UsageError(`the simulators do not play ${scenario.file.name}: ${(error as Error).message}`);
  }
}

/** The models that the deployment lists. */
async function reach(client: WireClient, key: string): Promise<ReadonlySet<string>> {
  const headers = { authorization: `Bearer ${key}` };
  const exchange = await client.send({ method: 'GET', path: '/api/v1/models', headers });
  const { response, error } = exchange;
  if (response === null) throw new UnreachableError(`the deployment does not answer: ${error}`);
  if (response.status === 401) throw new UsageError('the deployment rejects keys.K1');
  const { data } = (jsonOf(exchange) ?? {}) as { data?: unknown };
  return new Set(Array.isArray(data) ? data.map((one: { id?: unknown } | null) => String(one?.id)) : []);
}

/** Its first tenant; the whole deployment if it has none. */
function accountOf(profile: Profile): TenantProfile {
  return profile.tenants[0] ?? { name: 'default', keys: profile.keys, channels: {} };
}

/** The models of the routes that the scenario is about; all that are enabled where the profile declares none. */
function modelsOf({ profile, scenario }: DrillRun): string[] {
  const kinds: readonly string[] = scenario.drill.routes ?? ['pair'];
  const routed = (profile.upstream?.routes ?? []).filter(({ kind }) => kinds.includes(kind));
  const models = routed.length > 0 ? routed.map(({ model }) => model) : (profile.models.enabled ?? []);
  if (models.length === 0)
    throw new UsageError(`a drill needs upstream.routes of kind ${kinds.join(' or ')}, or models.enabled`);
  return models;
}

/** Sends all calls, with the steps of the scenario between them. Returns why it ended early. */
async function play(run: DrillRun, stage: Stage, calls: readonly PlannedCall[]): Promise<string | null> {
  const { load, driving } = stage;
  const { time, beganMs } = driving;
  const beside = new Beside();
  const steps = (run.scenario.drill.steps_at_s ?? [])
    .map((atS) => atS * 1_000)
    .filter((atMs) => atMs < run.forMs);
  const reads = Array.from({ length: Math.ceil(run.forMs / readEachMs) }, (_, at) => (at + 1) * readEachMs);
  const moments = [
    ...steps.map((atMs) => ({ atMs, act: () => step(run, stage) })),
    ...reads.map((atMs) => ({ atMs, act: () => beside.once(() => look(run, stage)) })),
    ...calls.map((call) => ({ atMs: call.dueMs, act: () => send(stage, call) })),
  ].toSorted((one, other) => one.atMs - other.atMs);
  try {
    for (const { atMs, act } of moments) {
      await time.until(beganMs + atMs, run.signal);
      // In real time no call waits for a read. Movable clocks stand still during a read.
      if (run.speed === 1) beside.start(act);
      else await act();
      beside.throwIfBroken();
    }
    await time.until(beganMs + run.forMs, run.signal);
    await beside.over();
    await load.drain(time, run.signal);
    return null;
  } catch (error) {
    if (!run.signal.aborted) throw error;
    return 'interrupted';
  }
}

/** Sends a call, and a task with every tenth one. */
async function send({ load, driving, tasks }: Stage, call: PlannedCall): Promise<void> {
  load.send(driving, call);
  if (call.index % callsPerTask === 0 && typeof tasks !== 'string') tasks.submit(call.index / callsPerTask);
}

async function step(run: DrillRun, stage: Stage): Promise<void> {
  await look(run, stage);
  await stage.tenant.step(undefined, { signal: run.signal });
  await look(run, stage);
}

async function look({ signal }: DrillRun, { tenant, log, phases, load, driving }: Stage): Promise<void> {
  load.endLate(driving.time.now());
  await log.read(signal);
  phases.note(await tenant.scenario({ signal }), driving.time.now() - driving.beganMs);
}

async function trafficOf(run: DrillRun, stage: Stage, account: TenantProfile): Promise<DrillTraffic> {
  const { profile, scenario } = run;
  const { log, load, driving } = stage;
  const late = AbortSignal.timeout(lateMs);
  await log.read(late);
  const attempts = log.attempts;
  const records = load.records.map((record) => withUpstream(record, attempts)).toSorted(bySending);
  // A call that its caller gave up is no failure of the deployment, which may charge its output so far.
  const failed = records.flatMap(({ exchange, outcome: { code } }) =>
    exchange === null || code === gaveUp ? [] : [exchange],
  );
  const tasks =
    typeof stage.tasks === 'string'
      ? stage.tasks
      : await stage.tasks.settle(driving.time, { signal: late, patient: !run.signal.aborted });
  const wellFromS = scenario.drill.well_from_s;
  return {
    ...{ records, attempts },
    attemptsLack: await attemptsLack(log, records),
    lateMs: nearestRank(load.lateMs, 0.99) ?? 0,
    endMs: Math.min(run.forMs, driving.time.now() - driving.beganMs),
    wellFromMs: wellFromS === undefined ? null : wellFromS * 1_000,
    coolDownMs: profile.upstream?.breaker?.cool_down_ms[0] ?? null,
    longestRestMs: profile.upstream?.breaker?.cool_down_ms.at(-1) ?? null,
    costOfFailures: await costOfFailures(
      { calls: failed, tasks: typeof tasks === 'string' ? [] : failedTasks(tasks) },
      { profile, mainKey: account.keys.K1, signal: late },
    ),
    ...eventsOf(tasks),
  };
}

function bySending(one: CallRecord, other: CallRecord): number {
  return one.atMs - other.atMs;
}

function withUpstream(record: CallRecord, attempts: UpstreamLog['attempts']): CallRecord {
  const said = attempts
    .filter(({ call, isGood }) => isGood && call === record.call.index)
    .flatMap(({ text }) => (text === null ? [] : [text]));
  return { ...record, outcome: againstUpstream(record.outcome, said) };
}

async function attemptsLack(log: UpstreamLog, records: readonly CallRecord[]): Promise<string | null> {
  const isServed = records.some(({ outcome }) => outcome.kind === 'ok');
  if (isServed && log.attempts.length === 0)
    return 'no call reached the simulators: the upstreams of the deployment are others';
  return (await log.hasGaps()) ? 'the journal of the simulators lost requests before they were read' : null;
}
