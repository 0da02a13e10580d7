import type { Mutant } from '../../edits/mutant.ts';
import { source } from '../../edits/mutant.ts';

/** Gateways that never free the slot of a request that ends at one particular stage. */

const everyRefusal = 'freed-after-every-refusal';

const leaks: readonly (readonly [name: string, when: string, aspect: string])[] = [
  ['context', "exchange.facts.code === 'context_too_long'", everyRefusal],
  // A second mutant for this aspect: the check of upstream failures triggers no context rejection.
  ['content-filter', "exchange.facts.code === 'content_filter'", everyRefusal],
  // A third: only a spent account is refused there.
  [
    'compat-quota',
    "exchange.facts.code === 'quota_exceeded' && exchange.path.startsWith('/compat-')",
    everyRefusal,
  ],
  ['timeout', "exchange.facts.code === 'upstream_timeout'", 'freed-after-timeout'],
  ['abort-sending', '!exchange.incoming.complete', 'freed-after-abort-sending'],
];
const held: readonly Mutant[] = [
  source(
    ['lim.slots-lapse', 'a slot lapses after 15 s, whatever its call does', 'LIM-001', 'lasts-as-the-call'],
    'access/create-slots.ts',
    'return createMemorySlots(clock, newId, maxMs);',
    'return createMemorySlots(clock, newId, Math.min(maxMs, 15_000));',
  ),
  source(
    ['lim.tasks-hold-slots', 'a task holds its slot until it ends', 'LIM-007', 'whole-cap-beside-tasks'],
    'access/take-slot.ts',
    'exchange.whenOver(slot.release)',
    "exchange.whenOver(() => void setTimeout(slot.release, exchange.incoming.method === 'POST' && exchange.path === '/api/v1/tasks' ? 15_000 : 0))",
  ),
];

export const limSlotMutants: readonly Mutant[] = [
  ...leaks.map(([name, when, aspect]) =>
    source(
      [`lim.slot-leaks-at-${name}`, `a slot is lost at ${name}`, 'LIM-004', aspect],
      'access/take-slot.ts',
      'exchange.whenOver(slot.release)',
      `exchange.whenOver(() => {
    if (!(${when})) slot.release();
  })`,
    ),
  ),
  ...held,
];
