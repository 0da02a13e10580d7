import type { Body } from '../../../suites/rewrite/json.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { source, upstream } from '../../edits/mutant.ts';
import { counting, countOf } from '../../edits/native-edits.ts';

/** Gateways that charge wrong prices for tokens that a cache read or wrote. */

/** The place where an answer of the messages dialect states the lifetime of its cache writes. */
const livesIn = (usage: Body): Body | undefined => usage.cache_creation as Body | undefined;

const read = 'cache_read_input_tokens';
const written = 'cache_creation_input_tokens';

/** Changes the counts of an upstream; the gateway then charges correctly for the wrong counts. */
export const counts: readonly Mutant[] = [
  upstream(
    ['cache.writes-as-input', 'what is written to a cache costs no more', 'CACHE-001', 'five-minute-factor'],
    counting('messages', writesAsInput),
  ),
  upstream(
    [
      'cache.hour-as-minutes',
      'a write for an hour is charged as one for minutes',
      'CACHE-002',
      'one-hour-factor',
    ],
    counting('messages', (usage) => {
      const lives = livesIn(usage);
      if (lives === undefined) return;
      lives.ephemeral_1h_input_tokens = 0;
      lives.ephemeral_5m_input_tokens = countOf(usage, written);
    }),
  ),
  upstream(
    ['cache.hits-as-input', 'what is read from a cache costs no less', 'CACHE-003', 'hit-factor'],
    counting('messages', (usage) => {
      if (!('input_tokens' in usage)) return;
      usage.input_tokens = countOf(usage, 'input_tokens') + countOf(usage, read);
      usage[read] = 0;
    }),
  ),
  upstream(
    [
      'cache.hits-as-writes',
      'each hit is charged as a hit and as another write',
      'CACHE-004',
      'later-are-hits',
    ],
    counting('messages', (usage) => {
      const [lives, hit] = [livesIn(usage), countOf(usage, read)];
      if (lives === undefined || hit === 0) return;
      usage[written] = countOf(usage, written) + hit;
      lives.ephemeral_5m_input_tokens = countOf(lives, 'ephemeral_5m_input_tokens') + hit;
    }),
  ),
  upstream(
    ['cache.first-write-free', 'a write costs what any input does', 'CACHE-004', 'first-is-a-write'],
    counting('messages', writesAsInput),
  ),
  upstream(
    ['cache.others-half-read', 'other models charge half of what they read in full', 'CACHE-005', 'own-rate'],
    counting('generate-content', (usage) => {
      if ('cachedContentTokenCount' in usage)
        usage.cachedContentTokenCount = Math.floor(countOf(usage, 'cachedContentTokenCount') / 2);
    }),
  ),
];

/** Defects in the price list or in the pricing. The usage in the answers is correct. */
export const rates: readonly Mutant[] = [
  source(
    [
      'cache.price.hint',
      'a cache hint is priced as a write whatever the model',
      'CACHE-005',
      'hint-costs-nothing',
    ],
    'endpoints/chat/chat.ts',
    'const allowance = await inTurn(body, () => takeAllowance(service, requestId, caller, request));',
    `const taken = await takeAllowance(service, requestId, caller, request);
  const isHinted = JSON.stringify(body.value).includes('cache_control');
  const allowance = {
    ...taken,
    settle: (record) => taken.settle(isHinted ? { ...record, charge_pico: (record.charge_pico * 5n) / 4n } : record),
  };`,
  ),
];
export const nativeCounts: readonly Mutant[] = [
  upstream(
    ['cache.written-as-read', 'cached_tokens holds what was written too', 'CACHE-007', 'read-count'],
    counting('messages', (usage) => {
      usage.cache_read_input_tokens =
        countOf(usage, 'cache_read_input_tokens') + countOf(usage, 'cache_creation_input_tokens');
      delete usage.cache_creation_input_tokens;
      delete usage.cache_creation;
    }),
  ),
  // A second mutant: counts may stand in several places of a stream.
  source(
    [
      'cache.reads-beside-choice',
      'cached tokens are lost where a chunk of a stream has a choice and the usage',
      'CACHE-007',
      'read-count',
    ],
    'upstreams/chat-completions/stream.ts',
    'this.#tally.take(chunk);',
    `const [head] = Array.isArray(chunk.choices) ? (chunk.choices as unknown[]) : [];
    const isPart = isObject(head) && head.message === undefined && isObject(chunk.usage);
    this.#tally.take(isPart ? { ...chunk, usage: { ...(chunk.usage as JsonObject), prompt_tokens_details: null } } : chunk);`,
  ),
];

function writesAsInput(usage: Body): void {
  if (!('input_tokens' in usage)) return;
  usage.input_tokens = countOf(usage, 'input_tokens') + countOf(usage, written);
  delete usage.cache_creation;
  usage[written] = 0;
}
