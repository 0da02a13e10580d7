import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { Untestable } from '../../rules/violation.ts';
import type { WayIn } from '../../steps/ways/way-in.ts';
import { waysOf } from '../../steps/ways/ways-of.ts';

/** The endpoints of which one must be there. */
export const lastingEndpoints = ['compat.a', 'compat.b', 'images'] as const;

/** Every endpoint with long-running calls, except the core path, which other checks judge. */
export async function lastingWays(parts: CheckParts): Promise<readonly WayIn[]> {
  const ways = (await waysOf(parts)).filter(({ name, lasts }) => lasts && name !== 'core');
  if (ways.length === 0) throw new Untestable('an endpoint besides the core chat path');
  return ways;
}
