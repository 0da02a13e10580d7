import { pardons } from '../../../suites/rewrite/refusal-edits.ts';
import { inRequests } from '../../edits/chat-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, source } from '../../edits/mutant.ts';
import { asksAnyway } from '../auth/source.ts';

/** Gateways whose caps change wrongly, that charge refusals, or leave parts of a request uncounted. */

const takeSlot = 'access/take-slot.ts';
const taking = 'slots.take(caller.userId, caller.cap)';

export const caps: readonly Mutant[] = [
  front(
    ['lim.cap-lets-one-more', 'what is above a cap that can be raised is served', 'LIM-008', 'cap-before'],
    pardons('concurrency_exceeded'),
  ),
  front(
    ['lim.cap-of-keys-open', 'what is above the cap of five keys is served', 'LIM-002', 'cap-of-five-keys'],
    pardons('concurrency_exceeded'),
  ),
  source(
    ['lim.cap-fixed', 'the cap of a user cannot be changed while the gateway runs', 'LIM-008', 'raised-cap'],
    takeSlot,
    taking,
    `slots.take(caller.userId, (() => {
    globalThis.caps ??= new Map();
    if (!globalThis.caps.has(caller.userId)) globalThis.caps.set(caller.userId, caller.cap);
    return globalThis.caps.get(caller.userId);
  })())`,
  ),
  source(
    ['lim.cap-lower-of-tasks', 'tasks are refused in the last free slot', 'LIM-001', 'last-slot'],
    takeSlot,
    taking,
    "slots.take(caller.userId, exchange.path.endsWith('/tasks') ? caller.cap - 1 : caller.cap)",
  ),
  source(
    ['lim.cap-raised-not-for-images', 'a raised cap does not apply to images', 'LIM-008', 'raised-last-slot'],
    takeSlot,
    taking,
    "slots.take(caller.userId, exchange.path.endsWith('/generations') ? Math.min(caller.cap, 3) : caller.cap)",
  ),
  source(
    ['lim.cap-raised-for-all', 'a raised cap applies to the whole account', 'LIM-008', 'of-one-user'],
    takeSlot,
    taking,
    `slots.take(caller.userId, (() => {
    globalThis.caps ??= new Map();
    globalThis.caps.set(caller.accountId, Math.max(caller.cap, globalThis.caps.get(caller.accountId) ?? 0));
    return globalThis.caps.get(caller.accountId);
  })())`,
  ),
];

const correct = (account: string): string =>
  `await service.ledger.correct({ accountId: ${account}, id: requestId, amount: -1_000n, note: null, requestId, atMs: service.clock.now() })`;

const entering = 'const caller = await enter(exchange, access);';

/** Charges the key's account for a rejection with this code. */
const charged = (code: string): string =>
  `const caller = await (async () => {
    try { return await enter(exchange, access); } catch (error) {
      const key = access.keys.find((exchange.incoming.headers.authorization ?? '').slice(7));
      if (key && error.code === '${code}') ${correct('key.record.account_id')};
      throw error;
    }
  })();`;

export const refusedCharges: readonly Mutant[] = [
  source(
    ['lim.cap-refusal-charged', 'a call that the cap refuses is charged', 'LIM-010', 'no-charge'],
    'endpoints/chat/chat.ts',
    entering,
    charged('concurrency_exceeded'),
  ),
  source(
    ['lim.too-long-charged', 'a request that is too long is charged', 'LIM-019', 'no-charge'],
    'endpoints/chat/chat.ts',
    'await inTurn(body, () => checkContext(request, counter));',
    `try { await inTurn(body, () => checkContext(request, counter)); } catch (error) {
    ${correct('caller.accountId')};
    throw error;
  }`,
  ),
  source(
    ['lim.key-refusal-charged', 'a call with a disabled key is charged', 'AUTH-017', 'no-charge'],
    'endpoints/chat/chat.ts',
    entering,
    charged('sk_disabled'),
  ),
];

const many = 2_000;

/** Cuts texts outside the last turn, so that they are not counted. */
const cutTools = inRequests((body) => {
  if (Array.isArray(body.tools) && JSON.stringify(body.tools).length > many) delete body.tools;
});

export const window: readonly Mutant[] = [
  front(
    ['lim.window-without-tools', 'the definitions of tools do not count', 'LIM-018', 'counts-too'],
    cutTools,
  ),
  source(
    ['lim.window-without-blocks', 'texts in blocks do not count', 'LIM-018', 'sum-counts-too'],
    'requests/prompt-bounds.ts',
    "(block.type === 'text' ? [block.text] : [])",
    '[]',
  ),
];
export const askedTooEarly: readonly Mutant[] = [
  source(
    [
      'lim.refused-calls-upstream',
      'the upstream is asked before the cap is judged',
      'LIM-010',
      'no-upstream-call',
    ],
    'endpoints/chat/chat.ts',
    'enter(exchange, access)',
    asksAnyway,
  ),
];
