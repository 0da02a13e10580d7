import {
  type SimulatorOptions,
  type Simulators,
  startSimulators,
  type Upstream,
} from '../in-process/start-simulators.ts';

/** Simulators that all tests of a process share; their ports do not keep it alive. */
let shared: Promise<Simulators> | null = null;

let tests = 0;

/**
 * A tenant for one test. Calls without a script are rejected unless `strict` is false. The first test of a process sets the
 * shared options for all tenants.
 */
export async function upstreamOfTest({ strict = true, ...options }: SimulatorOptions): Promise<Upstream> {
  shared ??= startUnreferenced(options);
  tests += 1;
  const name = `test-${process.pid}-${tests}`;
  const upstream = (await shared).tenant(name);
  upstream.strict = strict;
  return upstream;
}

/** Ends the tenant of a test. @throws UnmetScripts unless the test has failed anyway. */
export function endOfTest(upstream: Upstream, hasFailed: boolean): void {
  try {
    if (!hasFailed) upstream.verify();
  } finally {
    upstream.reset();
  }
}

async function startUnreferenced(options: SimulatorOptions): Promise<Simulators> {
  const simulators = await startSimulators(options);
  simulators.unref();
  return simulators;
}
