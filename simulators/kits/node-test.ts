import type { TestContext } from 'node:test';
import type { SimulatorOptions, Upstream } from '../in-process/start-simulators.ts';
import { endOfTest, upstreamOfTest } from './shared.ts';

/** An upstream for a test of `node:test`. The test fails if a script is unused or a request had no script. */
export async function upstreamFor(test: TestContext, options: SimulatorOptions = {}): Promise<Upstream> {
  const upstream = await upstreamOfTest(options);
  test.after(() => endOfTest(upstream, 'passed' in test && test.passed === false));
  return upstream;
}
