import { test as plain, type TestAPI } from 'vitest';
import type { SimulatorOptions, Upstream } from '../in-process/start-simulators.ts';
import { endOfTest, upstreamOfTest } from './shared.ts';

/**
 * A `test` whose context has its own `upstream`, also under `test.concurrent`. A test fails if a script is unused or a
 * request had no script.
 */
export function testWithUpstream(options: SimulatorOptions = {}): TestAPI<{ upstream: Upstream }> {
  return plain.extend<{ upstream: Upstream }>({
    upstream: async ({ task }, use: (upstream: Upstream) => Promise<void>) => {
      const upstream = await upstreamOfTest(options);
      await use(upstream);
      endOfTest(upstream, task.result?.state === 'fail');
    },
  });
}

export const test: TestAPI<{ upstream: Upstream }> = testWithUpstream();
