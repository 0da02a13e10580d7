import type { Mutant } from '../../edits/mutant.ts';
import { source } from '../../edits/mutant.ts';

/** Gateways that charge media wrongly, or lose the task that a charge belongs to. */

const priceList = 'billing/price-list.ts';
const taskPrice = 'billing/task-price.ts';
const taskCharge = 'services/tasks/charge.ts';
const chargeOfTask = 'charge_pico: chargeForUnits(units, unitPico, markupBp),';
const listed = 'pico: row.unit_pico,';

/** A price of one model that is wrong in the list. */
const overpriced = (model: string, factor: string): string =>
  `pico: row.model_id === '${model}' ? ${factor} : row.unit_pico,`;

export const prices: readonly Mutant[] = [
  source(
    ['bill.image.gamma-dearer', 'an image of gamma-3-pro-image costs five cents', 'BILL-013', 'stated-price'],
    priceList,
    listed,
    overpriced('gamma-3-pro-image', '(row.unit_pico * 5n) / 4n'),
  ),
  source(
    ['bill.image.kontext-dearer', 'an image of kontext-pro costs a cent more', 'BILL-014', 'stated-price'],
    priceList,
    listed,
    overpriced('kontext-pro', 'row.unit_pico + 10_000_000_000n'),
  ),
  source(
    [
      'bill.image.alpha-free',
      'images of alpha-image-2 in the usual quality are free',
      'BILL-012',
      'stated-price',
    ],
    priceList,
    listed,
    overpriced('alpha-image-2', '0n'),
  ),
  source(
    ['bill.image.once-for-all', 'several images cost as much as one', 'BILL-013', 'each-picture'],
    'services/images/charge.ts',
    'charge_pico: chargeForUnits(images,',
    'charge_pico: chargeForUnits(Math.min(1, images),',
  ),
  source(
    [
      'bill.image.alpha-once-for-all',
      'several images of good quality cost as much as one',
      'BILL-012',
      'each-picture',
    ],
    'services/images/charge.ts',
    'charge_pico: chargeForUnits(images,',
    'charge_pico: chargeForUnits(request.fields.quality === undefined ? images : Math.min(1, images),',
  ),
  source(
    ['bill.media.quality-ignored', 'every quality costs the same', 'BILL-001', 'media-as-listed'],
    taskPrice,
    'special ?? price.pico',
    'special === undefined ? price.pico : price.pico',
  ),
];

export const failures: readonly Mutant[] = [
  source(
    [
      'bill.media.failed-charged',
      'a task that failed is charged for one unit',
      'BILL-008',
      'failed-media-free',
    ],
    taskCharge,
    "if (ending.status !== 'SUCCESS') return 0;",
    "if (ending.status !== 'SUCCESS') return 1;",
  ),
];

const unitsOfTask = 'const units = unitsMade(unit, ending);';

export const steps: readonly Mutant[] = [
  source(
    [
      'bill.chain.one-picture',
      'a later step is billed as one image, whatever it made',
      'BILL-001',
      'units-of-a-step',
    ],
    taskCharge,
    unitsOfTask,
    'const units = task.parents.length > 0 ? Math.min(1, unitsMade(unit, ending)) : unitsMade(unit, ending);',
  ),
  source(
    ['bill.chain.deep-cheaper', 'steps of steps of steps cost half', 'BILL-001', 'price-of-a-step'],
    taskCharge,
    chargeOfTask,
    'charge_pico: chargeForUnits(units, task.parents.length > 2 ? unitPico / 2n : unitPico, markupBp),',
  ),
  source(
    ['bill.chain.failed-charged', 'a later step that failed costs one unit', 'BILL-008', 'failed-step-free'],
    taskCharge,
    unitsOfTask,
    "const units = ending.status === 'FAILED' && task.parents.length > 0 ? 1 : unitsMade(unit, ending);",
  ),
];

export const chains: readonly Mutant[] = [
  source(
    [
      'bill.mashup-half',
      'a song of two is booked without what its second parent was made from',
      'BILL-016',
      'both-chains',
    ],
    'services/tasks/find-parents.ts',
    'const ancestors = found.flatMap(({ task }) => task.parents)',
    'const ancestors = (found[0]?.task.parents ?? [])',
  ),
  source(
    [
      'bill.chain.forgotten',
      'a charge does not know what its task builds on',
      'BILL-016',
      'first-task-first',
    ],
    taskCharge,
    'parents: task.parents,',
    'parents: [],',
  ),
  source(
    ['bill.chain.first-app', 'each step is on record for the app that began', 'BILL-003', 'step-of-own-app'],
    taskCharge,
    'app_id: task.appId,',
    `app_id: (() => {
      const world = globalThis as { apps?: Map<string, string> };
      world.apps ??= new Map();
      const app = world.apps.get(task.parents[0] ?? '') ?? task.appId;
      world.apps.set(task.id, app);
      return app;
    })(),`,
  ),
  source(
    ['bill.chain.first-markup', 'each step costs by the first markup', 'BILL-003', 'step-at-own-markup'],
    taskCharge,
    chargeOfTask,
    `charge_pico: (() => {
      const world = globalThis as { markups?: Map<string, number> };
      world.markups ??= new Map();
      const markup = world.markups.get(task.parents[0] ?? '') ?? markupBp;
      world.markups.set(task.id, markup);
      return chargeForUnits(units, unitPico, markup);
    })(),`,
  ),
  source(
    ['bill.chain.first-only', 'a charge knows the first task alone', 'BILL-016', 'whole-chain'],
    taskCharge,
    'parents: task.parents,',
    'parents: task.parents.slice(0, 1),',
  ),
  source(
    ['bill.chain.nameless', 'a charge does not know its task', 'BILL-016', 'names-its-task'],
    taskCharge,
    'task_id: task.id,',
    'task_id: task.parents[0] ?? null,',
  ),
  source(
    ['bill.chain.later-free', 'only the first task of a chain is on record', 'BILL-016', 'charged-once'],
    taskCharge,
    'await ledger.settle(taskRecord(task, ending, atMs));',
    `if (task.parents.length > 0) await ledger.release(task.requestId, atMs);
  else await ledger.settle(taskRecord(task, ending, atMs));`,
  ),
];

export const retried: readonly Mutant[] = [
  source(
    ['bill.retry-more-units', 'a retried image is recorded as two', 'BILL-017', 'one-record-of-a-retry'],
    'services/images/charge.ts',
    '    units: images,',
    '    units: images * Math.max(1, attempts),',
  ),
  source(
    ['bill.retry-dearer', 'a retried image costs as much as two', 'BILL-009', 'one-charge-of-a-retry'],
    'services/images/charge.ts',
    'chargeForUnits(images, price',
    'chargeForUnits(images * Math.max(1, attempts), price',
  ),
  source(
    ['bill.retry-more-tokens', 'a retried call uses the quota twice', 'BILL-017', 'retry-counted-once'],
    'services/chat/record.ts',
    'BigInt(usage?.completionTokens ?? 0)',
    'BigInt((usage?.completionTokens ?? 0) * Math.max(1, result.attempts))',
  ),
];
