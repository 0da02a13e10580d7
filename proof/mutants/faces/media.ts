import { miscallsAtImages } from '../../edits/media-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, source } from '../../edits/mutant.ts';

/** Gateways where a rule of every endpoint is left out at images or tasks. */

const leaks: readonly (readonly [ending: string, path: string, when: string])[] = [
  ['success', 'tasks', "exchange.facts.code === 'ok'"],
  ['refusal', 'tasks', "exchange.facts.code === 'invalid_param'"],
  ['upstream-failure', 'images/generations', "exchange.facts.code === 'upstream_error'"],
  ['abort-waiting', 'images/generations', 'exchange.gone.aborted'],
];

const retried: readonly (readonly [reason: string, requirement: string, aspect: string])[] = [
  ['policy', 'ROUTE-013', 'not-retried'],
  ['bad_request', 'ROUTE-014', 'not-retried'],
  ['unusable', 'ROUTE-008', 'one-attempt'],
];

const counted: readonly (readonly [reason: string, requirement: string])[] = [
  ['policy', 'ROUTE-013'],
  ['bad_request', 'ROUTE-014'],
];

/** Requests for pictures that a gateway asks its upstream for once only, whatever happens. */
const once: readonly (readonly [what: string, row: string, aspect: string, when: string])[] = [
  ['several', 'ROUTE-006', 'any-pictures-retried', "made.reason === 'timeout' && Number(fields.n ?? 1) > 1"],
  [
    'referring',
    'ROUTE-006',
    'any-pictures-retried',
    "made.reason === 'timeout' && (fields.reference_image_url ?? fields.reference_images) !== undefined",
  ],
  ['seeded', 'ROUTE-006', 'two-of-any-pictures', "made.reason === 'timeout' && fields.seed !== undefined"],
  ['many-at-fault', 'ROUTE-002', 'at-once', "made.reason === 'server' && Number(fields.n ?? 1) > 1"],
];

const askedOnce: readonly Mutant[] = once.map(([what, row, aspect, when]) =>
  source(
    [`faces.pictures-once-${what}`, `${what} pictures are never tried again`, row, aspect],
    'services/images/dispatch.ts',
    "if (made.kind !== 'images') return made;",
    `if (made.kind !== 'images')
    return made.kind === 'failure' && ${when} ? { ...made, reason: 'unusable' } : made;`,
  ),
);

/** Takes hold of the outcome of an image call before its channel hears of it. */
function atOutcome(id: string, title: string, requirement: string, aspect: string, then: string): Mutant {
  return source(
    [id, title, requirement, aspect],
    'routing/attempt.ts',
    'outcome = settle(await call(channel, attempts > 1), tracker, watch);',
    `const got = await call(channel, attempts > 1);
    if (channel.dialect === 'images' && got.kind === 'failure') ${then}
    outcome = settle(got, tracker, watch);`,
  );
}

const failures: readonly Mutant[] = [
  ...retried.map(([reason, requirement, aspect]) =>
    source(
      [
        `faces.images-${reason.replace('_', '-')}-retried`,
        `images are asked for again after a failure by ${reason}`,
        requirement,
        aspect,
      ],
      'routing/attempt.ts',
      'failurePolicy[last.outcome.reason].retry',
      `(channels[0]?.channel.dialect === 'images' && last.outcome.reason === '${reason}'
        ? 'anywhere' : failurePolicy[last.outcome.reason].retry)`,
    ),
  ),
  ...counted.map(([reason, requirement]) =>
    atOutcome(
      `faces.images-${reason.replace('_', '-')}-counts`,
      `a failure of images by ${reason} counts against the channel`,
      requirement,
      'never-counts',
      `if (got.reason === '${reason}') tracker.failed({ ...got, reason: 'server' });`,
    ),
  ),
  atOutcome(
    'faces.images-never-given-up',
    'an image model is never given up',
    'ROUTE-009',
    'opens',
    'tracker.abandoned();',
  ),
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
    'a call that its client leaves keeps its room in the channel',
    'ROUTE-010',
    'free-again-on-compat',
  ],
  'routing/call-tracker.ts',
  'const abandoned = (): void => end(() => effects.abandoned());',
  'const abandoned = (): void => effects.abandoned();',
);

export const facesMediaMutants: readonly Mutant[] = [
  source(
    ['faces.media-no-slot', 'images and submissions take no slot', 'LIM-003', 'counts-together'],
    'endpoints/enter.ts',
    '  await takeSlot(exchange, caller, access.slots);',
    '  if (!/images|tasks/.test(exchange.path)) await takeSlot(exchange, caller, access.slots);',
  ),
  ...leaks.map(([ending, path, when]) =>
    source(
      [
        `faces.media-leak-at-${ending}`,
        `a slot of ${path} is lost at ${ending.replace('-', ' ')}`,
        'LIM-003',
        `freed-after-${ending}`,
      ],
      'access/take-slot.ts',
      'exchange.whenOver(slot.release)',
      `exchange.whenOver(() => {
    const isHere = exchange.incoming.method === 'POST' && exchange.path === '/api/v1/${path}';
    if (!(isHere && ${when})) slot.release();
  })`,
    ),
  ),
  ...failures,
  ...askedOnce,
  room,
];
