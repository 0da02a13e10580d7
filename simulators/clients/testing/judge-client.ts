import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerKinds } from '../../answers/native-answer.ts';
import type { FaultFacts } from '../../control/fault-facts.ts';
import { faultFacts } from '../../fault-contract/known-faults.ts';
import type { ClientRig } from './client-rig.ts';
import { type Bench, startBench } from './harness.ts';
import { isLasting, type Meeting, type Met, meetFault, meetingsOf } from './meet-fault.ts';
import { meetOutage, outagesOf } from './meet-outage.ts';
import { outcomeLine, outcomeOf } from './outcome.ts';
import { inShort, installed, type OutcomeTable, readTable, rowOf } from './outcome-table.ts';

/** Longer than the timeout of any caller, so only a defect reaches it. */
const boundMs = 150_000;

const howToRenew = 'record anew and read what changed: node simulators/clients/testing/record.ts';

/** The tests of one client: it meets every fault of its dialect, and each call ends as the table records. */
export function judgeClient(rig: ClientRig): void {
  const table = readTable(rig.client);
  const base = table.like === undefined ? undefined : readTable(table.like);
  const recorded = (names: readonly string[]): object =>
    Object.fromEntries(names.map((name) => [name, rowOf(name, table.faults, base?.faults)]));
  const meetings = meetingsOf(rig, faultFacts.values());
  const outages = outagesOf(rig, faultFacts.values());

  describe(`the table of ${rig.client}`, () => {
    it('is of the version that is installed, and of this Node', () => {
      const { client, version, node, dialect } = table;
      expect({ client, version, node, dialect }, howToRenew).toEqual(installed(rig));
    });

    it('has rows for every fault of the dialect, in every form and call, and as few as can be', () => {
      const whole = recorded(meetings.map(({ name }) => name));
      expect(Object.values(whole), howToRenew).not.toContain(undefined);
      expect(inShort(whole as OutcomeTable['faults'], base?.faults ?? {}), howToRenew).toEqual(table.faults);
    });
  });

  describe(rig.client, { timeout: boundMs }, () => {
    const bench = useBench();
    const lasting = meetings.filter(isLasting);
    let waited: Promise<PromiseSettledResult<Met>[]> = Promise.resolve([]);

    beforeAll(async () => {
      // The first call of a process is slow. These calls must wait for the upstream only.
      await outcomeOf(rig, 'plain', bench().origin('warm-up'), '');
      waited = Promise.allSettled(lasting.map((meeting) => meetFault(bench(), rig, meeting)));
    });

    const brief = meetings.filter((meeting) => !isLasting(meeting));
    const ids = [...new Set(brief.map(({ facts }) => facts.id))];
    it.each(ids)('ends as recorded when it meets %s', async (id) => {
      const ways = brief.filter(({ facts }) => facts.id === id);
      const met = await meetAll(bench(), rig, ways);
      if (isStatusFault(id)) for (const one of met) expectTyped(one);
      const names = ways.map(({ name }) => name);
      expect(rows(names, met), howToRenew).toEqual(recorded(names));
    });

    it('ends as recorded, within a bound, whatever takes long or never ends by itself', async () => {
      const met = (await waited).map((one) => {
        if (one.status === 'rejected') throw one.reason;
        return one.value;
      });
      const names = lasting.map(({ name }) => name);
      expect(rows(names, met), howToRenew).toEqual(recorded(names));
    });
  });

  describe(`${rig.client} in an outage`, { timeout: boundMs }, () => {
    const bench = useBench({ testClock: true });

    it.each(outages.map((facts): [string, FaultFacts] => [facts.id, facts]))(
      'ends as recorded: %s',
      async (id, facts) => {
        for (const call of answerKinds.filter((kind) => facts.calls.includes(kind))) {
          const ended = await meetOutage(bench(), rig, facts, call);
          expect([call, ended], howToRenew).toEqual([
            call,
            rowOf(`${id} ${call}`, table.outages, base?.outages),
          ]);
        }
      },
    );
  });
}

/** T9 depends on the connection of a call; T20 sends 100 MiB per call. */
const oneByOne: readonly string[] = ['T9', 'T20'];

async function meetAll(bench: Bench, rig: ClientRig, ways: readonly Meeting[]): Promise<Met[]> {
  const isCrowd = !ways.some(({ facts }) => oneByOne.includes(facts.id));
  if (isCrowd) return Promise.all(ways.map((way) => meetFault(bench, rig, way)));
  const met: Met[] = [];
  for (const way of ways) met.push(await meetFault(bench, rig, way));
  return met;
}

/** The faults that consist of an error status. From H20 on, one of them reports success. */
function isStatusFault(id: string): boolean {
  return id.startsWith('H') && Number(id.slice(1)) < 20;
}

/** An error status must become the client's own error class, with that status. */
function expectTyped({ outcome, sent }: Met): void {
  expect(sent).toBeGreaterThanOrEqual(400);
  expect(outcome).toMatchObject({ ends: 'error', own: true, status: sent });
}

function rows(names: readonly string[], met: readonly Met[]): object {
  return Object.fromEntries(names.map((name, at) => [name, met[at] && outcomeLine(met[at].outcome)]));
}

function useBench(options: { testClock?: boolean } = {}): () => Bench {
  let bench: Bench | null = null;
  beforeAll(async () => {
    bench = await startBench(options);
  });
  afterAll(() => bench?.close());
  return () => {
    if (bench === null) throw new Error('the simulators are started before the tests');
    return bench;
  };
}
