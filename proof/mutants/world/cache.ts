import type { Mutant } from '../../edits/mutant.ts';
import { source, upstream } from '../../edits/mutant.ts';
import { hintedIn, hintOf, toDialect } from '../../edits/native-edits.ts';

/** Gateways that price tokens correctly, except in answers that only histories reach. */
export const worldCacheMutants: readonly Mutant[] = [
  source(
    [
      'world.left-reads-in-full',
      'who leaves pays what was read from a cache as any input',
      'BILL-001',
      'left-pays-no-more',
    ],
    'endpoints/chat/record-end.ts',
    "await recordUsage(job, hasLeft ? 'client_gone' : outcome, usage);",
    "await recordUsage(job, hasLeft ? 'client_gone' : outcome, hasLeft && usage !== null ? { ...usage, cachedTokens: 0 } : usage);",
  ),
  upstream(
    [
      'world.lives-mixed',
      'a prompt with slots of both lives keeps all of them for an hour',
      'CACHE-009',
      'kept-as-asked',
    ],
    toDialect(/\/messages$/, (body) => {
      const hints = hintedIn(body).map(hintOf);
      if (hints.some(({ ttl }) => ttl === '1h')) for (const hint of hints) hint.ttl = '1h';
    }),
  ),
];
