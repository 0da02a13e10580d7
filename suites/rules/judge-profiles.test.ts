import type { ProfileResult, RequirementResult, Verdict } from 'gatecheck-reports/report';
import { describe, expect, it } from 'vitest';
import { conformanceProfiles } from '../profile/conformance-profiles.ts';
import { judgeProfiles, missingEvidence } from './judge-profiles.ts';
import { loadRegister } from './register.ts';

const register = loadRegister();
const streaming = [...register.values()].filter(({ area }) => area === 'SSE').map(({ id }) => id);
const covered = new Set(register.keys());

/** The result for `streaming` when its rules have these verdicts, from the first on. */
function streamingWith(
  verdicts: readonly Verdict[],
  coveredIds: ReadonlySet<string> = covered,
): ProfileResult | undefined {
  const rows = verdicts.map(
    (verdict, place) => ({ id: streaming[place] ?? '', verdict }) as RequirementResult,
  );
  return judgeProfiles(rows, register, coveredIds).find(({ name }) => name === 'streaming');
}

const all = (verdict: Verdict): Verdict[] => streaming.map(() => verdict);

describe('a conformance profile', () => {
  it('covers every area of the register together with the others', () => {
    const areas = [...new Set([...register.values()].map(({ area }) => area))];
    expect(Object.values(conformanceProfiles).flat().toSorted()).toEqual(areas.toSorted());
  });

  it.each([
    { name: 'every rule was judged', verdicts: [...all('pass').slice(1), 'warn' as const], verdict: 'pass' },
    {
      name: 'a rule was not',
      verdicts: [...all('pass').slice(1), 'untestable' as const],
      verdict: 'partial',
    },
    {
      name: 'a rule is of a check that broke',
      verdicts: [...all('pass').slice(1), 'harness-error' as const],
      verdict: 'partial',
    },
    { name: 'rules were not selected', verdicts: ['pass' as const], verdict: 'partial' },
    { name: 'a rule failed', verdicts: ['fail' as const], verdict: 'fail' },
    { name: 'no rule was judged', verdicts: all('untestable'), verdict: 'none' },
  ])('is $verdict where $name', ({ verdicts, verdict }) => {
    expect(streamingWith(verdicts)).toMatchObject({ verdict });
  });

  it('skips what the deployment does not have, and what no check covers', () => {
    const result = streamingWith(
      [...all('pass').slice(2), 'not-applicable'],
      new Set(streaming.slice(0, -1)),
    );
    expect(result).toMatchObject({
      verdict: 'pass',
      rules: streaming.length - 2,
      judged: streaming.length - 2,
    });
  });
});

describe('required evidence', () => {
  const results: ProfileResult[] = [
    { name: 'streaming', verdict: 'partial', rules: 10, judged: 8, failed: 0 },
    { name: 'tasks', verdict: 'none', rules: 0, judged: 0, failed: 0 },
  ];

  it('is complete at the required share', () => {
    expect(missingEvidence(results, { streaming: 80 })).toEqual([]);
  });

  it('is missing below it', () => {
    expect(missingEvidence(results, { streaming: 81 })).toEqual([
      '8 of 10 rules of streaming were judged, and 81 % are required',
    ]);
  });

  it('is missing when nothing could be judged, even if nothing applies', () => {
    expect(missingEvidence(results, { tasks: 1 })).toHaveLength(1);
  });
});
