import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collecting, Violation } from '../rules/violation.ts';
import { type PropertyFacts, runProperty } from './property.ts';

interface Ended {
  readonly thrown: unknown;
  readonly told: string[];
  readonly facts: PropertyFacts;
  readonly tried: number[];
}

async function run(holds: (value: number) => void, path: string | null = null): Promise<Ended> {
  const told: string[] = [];
  const tried: number[] = [];
  const reported: PropertyFacts[] = [];
  const property = (): Promise<void> =>
    runProperty({
      arbitrary: fc.nat({ max: 10_000 }),
      holds: async (value) => {
        tried.push(value);
        holds(value);
      },
      ...{ seed: 42, path, runs: 40, examples: [7], size: 'quick' },
      report: (facts) => reported.push(facts),
    });
  const work = (): Promise<unknown> => property().catch((error: unknown) => error);
  const thrown = await collecting(({ aspect }) => told.push(aspect), work);
  return { thrown, told, tried, facts: reported.at(-1) as PropertyFacts };
}

const violate = (aspect: string): never => {
  throw new Violation({ requirement: 'R-1', aspect, expected: '', actual: '' });
};

function bounds(value: number): void {
  if (value > 500) violate('above');
  if (value < 5) violate('below');
}

describe('a property over HTTP', () => {
  it('tries each case once while the property holds, examples first', async () => {
    const { thrown, told, tried, facts } = await run(() => undefined);
    expect([thrown, told, tried.length, tried[0]]).toEqual([undefined, [], 40, 7]);
    expect(facts).toMatchObject({ runs: 40, path: null });
  });

  it('reports other violations along with the one that it shrinks', async () => {
    const { thrown, told, facts } = await run(bounds);
    const { aspect } = (thrown as Violation).finding;
    expect([aspect, ...told].sort()).toEqual(['above', 'below']);
    expect(facts.input).toBe(aspect === 'above' ? '501' : '0');
  });

  it('ends at an error that is not a violation, and reports the violations before it', async () => {
    const seen: number[] = [];
    const { thrown, told } = await run((value) => {
      seen.push(value);
      if (seen.length === 5) throw new Error('broken');
      bounds(value);
    });
    expect(String((thrown as Error).message)).toContain('broken');
    expect(told.length).toBeGreaterThan(0);
    expect(seen).toHaveLength(5);
  });
});
