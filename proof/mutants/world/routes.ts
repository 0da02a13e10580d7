import type { Mutant } from '../../edits/mutant.ts';
import { source } from '../../edits/mutant.ts';

/** Gateways that fall back correctly once, but not over several calls or after every failure. */
export const worldRouteMutants: readonly Mutant[] = [
  source(
    [
      'world.fallback-stays',
      'a model that fell back once is passed over for ten minutes',
      'ROUTE-011',
      'asked-when-due',
    ],
    'services/chat/dispatch.ts',
    'const own = await attemptOn(dispatching, route, request);',
    `const left = (globalThis.leftModels ??= new Map());
  const name = caller.accountId + request.model.id;
  const isLeft = (left.get(name) ?? 0) > service.clock.monotonic();
  const own = isLeft ? { kind: 'untried' } : await attemptOn(dispatching, route, request);
  if (isSpent(own) && service.fallbacks.has(request.model.id)) left.set(name, service.clock.monotonic() + 600_000);`,
  ),
  // A second mutant: no fallback at all differs from a fallback after the wrong failures.
  source(
    [
      'world.broken-streams-stay',
      'what breaks off within its answer is taken for garbage, and has no fallback',
      'RESP-005',
      'falls-back',
    ],
    'upstreams/transport-errors.ts',
    "error.data === ''",
    "error.data === '-'",
  ),
  source(
    [
      'world.fallback-fails-inside',
      'a fallback that fails, too, makes it an internal error',
      'ROUTE-009',
      'fails-as-its-channels',
    ],
    'services/chat/dispatch.ts',
    "return outcome.kind !== 'failure' || failurePolicy[outcome.reason].blame !== 'nobody';",
    "if (outcome.kind === 'failure') throw new Error('both failed'); return true;",
  ),
];
