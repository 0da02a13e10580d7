import type { Mutant } from '../../edits/mutant.ts';
import { source } from '../../edits/mutant.ts';

/** Gateways that call the wrong channel, too often or too rarely. */
const atImages: readonly Mutant[] = [
  source(
    [
      'route.images-given-up',
      'an image channel that times out ends the call',
      'ROUTE-002',
      'images-taken-over',
    ],
    'services/images/dispatch.ts',
    "if (made.kind !== 'images') return made;",
    "if (made.kind !== 'images') return made.kind === 'failure' && made.reason === 'timeout' ? { ...made, reason: 'unusable' } : made;",
  ),
];

export const routeChoiceMutants: readonly Mutant[] = [
  ...atImages,
  choice('health-unseen', 'failures do not change the choice of a channel', 'ROUTE-001', 'stumbling-last', {
    find: '[priority, isProbe ? -1 : health]',
    replace: '[priority, isProbe ? -1 : 0]',
  }),
  choice('rank-unseen', 'all channels are equals, whatever their rank', 'ROUTE-001', 'preferred-first', {
    find: '[priority, isProbe ? -1 : health]',
    replace: '[0, isProbe ? -1 : health]',
  }),
  policy('server-unseen', 'a channel that fails is used like any other', 'ROUTE-001', 'healthiest-first', {
    find: "server: { retry: 'anywhere', blame: 'channel' }",
    replace: "server: { retry: 'anywhere', blame: 'nobody' }",
  }),
  source(
    [
      'route.choice.latency-unseen',
      'how long a channel takes does not change the choice',
      'ROUTE-001',
      'fast-first',
    ],
    'routing/health.ts',
    ">= slow ? 'slow' : 'well'",
    ">= slow ? 'well' : 'well'",
  ),
  choice(
    'same-again',
    'a second attempt goes to the channel that has just failed',
    'ROUTE-002',
    'another-channel',
    { find: 'live === previous ? 1 : 0', replace: 'live === previous ? 0 : 1' },
  ),
  // One mutant per reason, though the aspect is the same: each reason is one line of the failure policy with its own check.
  ...['server', 'busy', 'connection'].map((reason) =>
    policy(
      `${reason}-not-elsewhere`,
      `a call that failed (${reason}) is not tried elsewhere`,
      'ROUTE-002',
      'at-once',
      {
        find: `${reason}: { retry: 'anywhere'`,
        replace: `${reason}: { retry: 'never'`,
      },
    ),
  ),
  // Four mutants for one aspect, for the same reason: each is another line of the policy with its own check.
  policy(
    'timeout-not-elsewhere',
    'a call that found silence is not tried elsewhere',
    'ROUTE-002',
    'takes-over',
    {
      find: "timeout: { retry: 'anywhere'",
      replace: "timeout: { retry: 'never'",
    },
  ),
  policy(
    'credentials-kept',
    "a channel that rejects the gateway's key is used on and on",
    'ROUTE-002',
    'takes-over',
    {
      find: "credentials: { retry: 'elsewhere', blame: 'account' }",
      replace: "credentials: { retry: 'never', blame: 'nobody' }",
    },
  ),
  policy('garbage-kept', 'a channel that answers garbage is used on and on', 'ROUTE-002', 'takes-over', {
    find: "unusable: { retry: 'never', blame: 'channel' }",
    replace: "unusable: { retry: 'never', blame: 'nobody' }",
  }),
  source(
    [
      'route.choice.lost-model-kept',
      'a channel that does not know the model any more is used on and on',
      'ROUTE-002',
      'takes-over',
    ],
    'upstreams/status-reason.ts',
    'case 404:',
    "case 404:\n      return 'bad_request';",
  ),
  policy(
    'policy-counts',
    'a prompt that policy blocks is a failure of the channel',
    'ROUTE-013',
    'never-counts',
    {
      find: "policy: { retry: 'never', blame: 'nobody' }",
      replace: "policy: { retry: 'never', blame: 'channel' }",
    },
  ),
  // A second mutant: policy blocks prompts, and streams that have begun.
  source(
    [
      'route.policy-counts-midway',
      'a stream that policy cuts off counts against its channel',
      'ROUTE-013',
      'never-counts',
    ],
    'routing/watch-stream.ts',
    'tracker.failed(step);',
    "tracker.failed(step.reason === 'policy' ? { ...step, reason: 'server' } : step);",
  ),
  policy('policy-retried', 'a prompt that policy blocks is tried again', 'ROUTE-013', 'not-retried', {
    find: "policy: { retry: 'never', blame: 'nobody' }",
    replace: "policy: { retry: 'anywhere', blame: 'nobody' }",
  }),
  policy('invalid-counts', 'an invalid request is a failure of the channel', 'ROUTE-014', 'never-counts', {
    find: "bad_request: { retry: 'never', blame: 'nobody' }",
    replace: "bad_request: { retry: 'never', blame: 'channel' }",
  }),
  policy(
    'invalid-retried',
    'a request that the upstream rejects is tried again',
    'ROUTE-014',
    'not-retried',
    {
      find: "bad_request: { retry: 'never', blame: 'nobody' }",
      replace: "bad_request: { retry: 'anywhere', blame: 'nobody' }",
    },
  ),
  inFile('services/chat/fallback.ts', 'fallback')(
    'any-account',
    'a fallback answers accounts that may not use it',
    'EP-012',
    'fallback-is-enabled',
    { find: ' && availability(caller, service)(model)', replace: '' },
  ),
  // A second mutant: without a channel to ask, other code decides on the fallback.
  source(
    [
      'route.fallback.any-account-open',
      'a fallback answers accounts that may not use it while the breakers of their model are open',
      'EP-012',
      'fallback-is-enabled',
    ],
    'services/chat/dispatch.ts',
    'await fitToFallback(service, caller, request, gone) : null',
    `await fitToFallback(service, own.kind === 'untried' ? { ...caller, models: null } : caller, request, gone)
    : null`,
  ),
  fallback('never', 'the declared fallback is never used', 'RESP-005', 'falls-back', {
    find: 'const other = isSpent(own)',
    replace: 'const other = own === null',
  }),
  live(
    'capacity-unseen',
    'a channel takes more calls than it has room for',
    'ROUTE-010',
    'no-upstream-call',
    {
      find: 'if (!this.#capacity.isFree)',
      replace: 'if (this.#capacity.inFlight < 0)',
    },
  ),
  source(
    ['route.choice.room-lost', 'the room of a call is not given back', 'ROUTE-010', 'free-again'],
    'routing/capacity.ts',
    'if (next === undefined) this.#inFlight -= 1;',
    'if (next === undefined) return;',
  ),
  live('retry-after-unseen', 'the time for which an upstream asks is ignored', 'ROUTE-010', 'left-alone', {
    find: "if (reason === 'busy' && retryAfterMs !== null)",
    replace: "if (reason === 'busy' && retryAfterMs !== null && retryAfterMs < 0)",
  }),
  source(
    [
      'route.choice.left-streams',
      'a stream that its caller leaves is a failure of its channel',
      'ROUTE-009',
      'left-streams-are-no-failure',
    ],
    'routing/attempt.ts',
    'const leave = (): void => tracker.left(cut);',
    "const leave = (): void => attempting.kind === 'stream' ? tracker.failed({ kind: 'failed', reason: 'connection' } as never) : tracker.left(cut);",
  ),
  source(
    [
      'route.choice.left-calls',
      'a call that its caller leaves is a failure of its channel',
      'ROUTE-009',
      'left-calls-are-no-failure',
    ],
    'routing/attempt.ts',
    'const leave = (): void => tracker.left(cut);',
    "const leave = (): void => attempting.kind === 'plain' ? tracker.failed({ kind: 'failed', reason: 'connection' } as never) : tracker.left(cut);",
  ),
  source(
    [
      'route.choice.outage-slow',
      'a call that no channel takes is kept waiting before it is refused',
      'ROUTE-009',
      'quick',
    ],
    'routing/attempt.ts',
    'if (attempting.gone.aborted) return callerLeft;',
    'await new Promise((wake) => setTimeout(wake, 4_500));\n  if (attempting.gone.aborted) return callerLeft;',
  ),
];

interface Patch {
  readonly find: string;
  readonly replace: string;
}

function inFile(file: string, prefix: string) {
  return (id: string, title: string, requirement: string, aspect: string, patch: Patch): Mutant =>
    source([`route.${prefix}.${id}`, title, requirement, aspect], file, patch.find, patch.replace);
}

function choice(id: string, title: string, requirement: string, aspect: string, patch: Patch): Mutant {
  return inFile('routing/choose.ts', 'choice')(id, title, requirement, aspect, patch);
}

function policy(id: string, title: string, requirement: string, aspect: string, patch: Patch): Mutant {
  return inFile('routing/failure-policy.ts', 'policy')(id, title, requirement, aspect, patch);
}

function live(id: string, title: string, requirement: string, aspect: string, patch: Patch): Mutant {
  return inFile('routing/live-channel.ts', 'choice')(id, title, requirement, aspect, patch);
}

function fallback(id: string, title: string, requirement: string, aspect: string, patch: Patch): Mutant {
  return inFile('services/chat/dispatch.ts', 'fallback')(id, title, requirement, aspect, patch);
}
