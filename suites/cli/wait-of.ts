import { availableParallelism, loadavg } from 'node:os';
import type { Preflight } from '../runner/preflight.ts';

/**
 * How long an exchange waits for the deployment, ms. On a machine with more to do than it has processors an answer is late
 * because of that, and more checks at once would only make it later.
 */
export function waitOf({ latencyMs }: Pick<Preflight, 'latencyMs'>): number {
  const [load = 0] = loadavg();
  return load > availableParallelism() ? 0 : latencyMs;
}
