import { miscallsAtImages } from '../../edits/media-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, source } from '../../edits/mutant.ts';

/** Gateways that do not apply a rule of every endpoint to images or tasks. */

/** Image requests for which the gateway calls its upstream only once, even if that fails. */
const once: readonly (readonly [what: string, row: string, aspect: string, when: string])[] = [
  ['several', 'ROUTE-006', 'any-pictures-retried', "made.reason === 'timeout' && Number(fields.n ?? 1) > 1"],
  ['seeded', 'ROUTE-006', 'two-of-any-pictures', "made.reason === 'timeout' && fields.seed !== undefined"],
];

const stalledOnce = source(
  [
    'faces.stalled-pictures-once',
    'an image request whose upstream falls silent within its answer is not tried again',
    'ROUTE-006',
    'two-of-stalled-pictures',
  ],
  'upstreams/media/ask-json.ts',
  "if (answer.kind !== 'whole') return answer;",
  `if (answer.kind === 'failure' && question.path === '/images/generations') return { ...answer, reason: 'unusable' };
  if (answer.kind !== 'whole') return answer;`,
);

/** Beside channels that never come back: the probe of a channel of jobs may be refused for its prompt. */
const blockedProbe = source(
  [
    'faces.jobs-probe-kept',
    'a job that policy blocks, as the probe of its channel, keeps the channel half-open',
    'ROUTE-011',
    'recovers',
  ],
  'routing/live-channel.ts',
  "    if (blame === 'nobody' || !isProof) {",
  `    if (isProbe && blame === 'nobody' && this.facts.channel.dialect.endsWith('jobs')) return;
    if (blame === 'nobody' || !isProof) {`,
);

const askedOnce: readonly Mutant[] = once.map(([what, row, aspect, when]) =>
  source(
    [`faces.pictures-once-${what}`, `calls for ${what} images are never retried`, row, aspect],
    'services/images/dispatch.ts',
    "if (made.kind !== 'images') return made;",
    `if (made.kind !== 'images')
    return made.kind === 'failure' && ${when} ? { ...made, reason: 'unusable' } : made;`,
  ),
);

const failures: readonly Mutant[] = [
  front(
    [
      'faces.images-outage-as-error',
      'an outage of an image model is reported as a failure of one upstream',
      'ROUTE-009',
      'images-outage-code',
    ],
    miscallsAtImages('channel_outage', 'upstream_error'),
  ),
  front(
    [
      'faces.images-busy-as-error',
      'busy image upstreams are reported as failing ones',
      'ROUTE-010',
      'images-full-code',
    ],
    miscallsAtImages('channel_queue_full', 'upstream_error'),
  ),
];

const room = source(
  [
    'faces.room-lost-when-left',
    'a call that its client leaves keeps its room in the channel until its upstream has ended',
    'ROUTE-010',
    'free-again-on-compat',
  ],
  'routing/capacity.ts',
  'return this.#hasRoom || this.#left.size > 0;',
  'return this.#hasRoom;',
);

export const facesMediaMutants: readonly Mutant[] = [
  ...failures,
  ...askedOnce,
  stalledOnce,
  blockedProbe,
  room,
];
