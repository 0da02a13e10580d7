import type { Mutant } from '../../../mutation/mutant.ts';
import { source } from '../../../mutation/mutant.ts';

/** Gateways where a rule of every endpoint is left out at images or tasks. */

const leaks: readonly (readonly [ending: string, path: string, when: string])[] = [
  ['success', 'tasks', "exchange.facts.code === 'ok'"],
  ['refusal', 'tasks', "exchange.facts.code === 'invalid_param'"],
  ['upstream-failure', 'images/generations', "exchange.facts.code === 'upstream_error'"],
  ['abort-waiting', 'images/generations', 'exchange.gone.aborted'],
];

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
];
