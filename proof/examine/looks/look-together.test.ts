import { describe, expect, it } from 'vitest';
import type { JobResult, JobTarget } from '../../../suites/runner/run-input.ts';
import type { Bench } from '../bench/bench.ts';
import type { SourceMutant } from '../source-mutant.ts';
import { type Finding, lookTogether, type Suspect, type TogetherOptions } from './look-together.ts';

/** A simulated deployment: for each check, the sets of mutants on which it fails. */
interface World {
  readonly fails: Readonly<Record<string, (mutants: readonly string[]) => boolean>>;
  readonly starts?: (mutants: readonly string[]) => boolean;
  readonly staysUp?: (mutants: readonly string[]) => boolean;
}

const checks = ['1', '2', '3', '4'];

function suspect(id: string, ...reached: string[]): Suspect {
  return { id, file: `gateway/${id}.ts`, mutant: { id } as SourceMutant, checks: new Set(reached) };
}

/** The findings for each mutant, and the mutants of each run, in order. */
async function look(
  group: readonly Suspect[],
  { fails, starts = () => true, staysUp = () => true }: World,
): Promise<{ findings: Record<string, Finding>; runs: string[] }> {
  const findings: Record<string, Finding> = {};
  const runs: string[] = [];
  const targetOf = (ids: readonly string[]): JobTarget => ({ id: ids.join('+') }) as JobTarget;
  const gateways: TogetherOptions['gateways'] = {
    reference: () => targetOf([]),
    start: async (mutants) => {
      const ids = mutants.map(({ id }) => id);
      if (!starts(ids)) return { refusal: 'it does not start' };
      const fault = (): Promise<string | null> => Promise.resolve(staysUp(ids) ? null : 'it is down');
      return { target: targetOf(ids), fault, stop: () => Promise.resolve() };
    },
  };
  const bench: Bench = {
    judge: async ({ id }, check) => {
      const mutants = id === '' ? [] : id.split('+');
      return { id: check, target: id, verdict: fails[check]?.(mutants) ? 'fail' : 'pass' } as JobResult;
    },
    withdraw: () => undefined,
    signal: new AbortController().signal,
  };
  await lookTogether(group, {
    ...{ order: checks, gateways, bench },
    onRun: (suspects, count) => void runs.push(`${suspects.map(({ id }) => id).join('+')}: ${count}`),
    onFinding: (finding) => {
      findings[finding.mutant.id] = finding;
    },
  });
  return { findings, runs };
}

describe('the second round', () => {
  const group = [suspect('a', '1', '2'), suspect('b', '2', '3'), suspect('c', '4')];

  it('lets all survive, each judged by all of its checks, when nothing fails', async () => {
    const { findings, runs } = await look(group, { fails: {} });
    expect(runs).toEqual(['a+b+c: 4']);
    expect(findings.a).toMatchObject({ kill: null, judged: 2, unsteady: [] });
    expect(findings.c).toMatchObject({ kill: null, judged: 1 });
  });

  it('finds the mutant that a check kills, and reruns its checks on the others', async () => {
    const { findings, runs } = await look(group, { fails: { '2': (ids) => ids.includes('b') } });
    expect(findings.b?.kill).toMatchObject({ check: '2' });
    expect(findings.a).toMatchObject({ kill: null, judged: 2 });
    expect(runs).toEqual(['a+b+c: 4', 'a+c: 1']);
  });

  it('finds a mutant that another one hides', async () => {
    const { findings } = await look(group, {
      fails: { '1': (ids) => ids.includes('a'), '2': (ids) => ids.includes('b') && !ids.includes('a') },
    });
    expect(findings.a?.kill).toMatchObject({ check: '1' });
    expect(findings.b?.kill).toMatchObject({ check: '2' });
  });

  it('counts no kill if a failure occurs on none alone, or also on the reference', async () => {
    const together = await look(group, { fails: { '2': (ids) => ids.length > 1 } });
    expect(together.findings.a).toMatchObject({ kill: null, judged: 2 });
    expect(together.findings.a?.unsteady).toEqual(['2: failed on 2 together, and on none of them alone']);
    const everywhere = await look(group, { fails: { '4': () => true } });
    expect(everywhere.findings.c).toMatchObject({ kill: null });
    expect(everywhere.findings.c?.unsteady).toEqual(['4: failed on 1 together, and on the reference']);
  });

  it('splits a group that does not start, down to the mutant at fault', async () => {
    const { findings, runs } = await look(group, { fails: {}, starts: (ids) => !ids.includes('c') });
    expect(runs).toEqual(['a+b+c: 4', 'a+b: 3', 'c: 1']);
    expect(findings.c).toMatchObject({ fault: 'it does not start' });
    expect(findings.a).toMatchObject({ fault: null, kill: null, judged: 2 });
  });

  it('splits a group that breaks down while it is judged', async () => {
    const isDown = (ids: readonly string[]): boolean => ids.includes('a') && ids.includes('b');
    const { findings } = await look(group, {
      fails: { '1': isDown, '2': isDown, '4': isDown },
      staysUp: (ids) => !isDown(ids),
    });
    expect(Object.values(findings).map(({ kill }) => kill)).toEqual([null, null, null]);
    expect(findings.a).toMatchObject({ judged: 2, unsteady: [] });
  });
});
