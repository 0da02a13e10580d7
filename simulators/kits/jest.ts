import type { SimulatorOptions, Upstream } from '../in-process/start-simulators.ts';
import { endOfTest, upstreamOfTest } from './shared.ts';

type Hook = (run: () => Promise<void> | void) => void;

/** Jest's hooks, which are global in a test file. */
interface Hooks {
  readonly beforeEach: Hook;
  readonly afterEach: Hook;
}

/**
 * Gives each test of a file its own upstream. A test fails if a script is unused or a request had no script. Returns a
 * function that returns the upstream of the running test.
 */
export function useUpstream(options: SimulatorOptions = {}): () => Upstream {
  const { beforeEach, afterEach } = globalThis as unknown as Hooks;
  let upstream: Upstream | null = null;
  beforeEach(async () => {
    upstream = await upstreamOfTest(options);
  });
  afterEach(() => {
    const ended = upstream;
    upstream = null;
    if (ended !== null) endOfTest(ended, false);
  });
  return () => {
    if (upstream === null) throw new Error('useUpstream has an upstream only while a test runs');
    return upstream;
  };
}
