import { objectsIn } from '../../../suites/rewrite/json.ts';
import {
  frontA,
  headerIn,
  losesA,
  markable,
  refusesA,
  requestsA,
  turnsOf,
} from '../../edits/compat-a-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { nativeBlocks } from '../../edits/native-edits.ts';

/** Gateways that change a native request on its way to the upstream. */

const content = ['COMPA-021', 'content-arrives'] as const;
const turns = ['COMPA-021', 'turns-arrive'] as const;
const system = ['COMPA-004', 'system-arrives'] as const;
const use = ['COMPA-005', 'tool-use-arrives'] as const;
const result = ['COMPA-006', 'tool-result-arrives'] as const;

export const fields: readonly Mutant[] = [
  losesA('no-top-k', 'top_k is not passed on', ['COMPA-001', 'field-arrives'], (body) => {
    delete body.top_k;
  }),
];

export const said: readonly Mutant[] = [
  losesA('trimmed', 'texts are trimmed', content, (body) => {
    for (const turn of turnsOf(body)) {
      if (typeof turn.content === 'string') turn.content = turn.content.trim();
      for (const block of objectsIn(turn.content))
        if (typeof block.text === 'string') block.text = block.text.trim() || block.text;
    }
  }),
  losesA('last-round', 'only the last turns of a long conversation are passed on', turns, (body) => {
    const all = turnsOf(body);
    const start = all.findLastIndex(({ content: blocks }) => typeof blocks === 'string');
    if (all.length > 3 && start > 0 && all[start]?.role === 'user') body.messages = all.slice(start);
  }),
];

export const prompts: readonly Mutant[] = [
  losesA('no-system', 'the system prompt is dropped', system, (body) => {
    delete body.system;
  }),
  losesA(
    'role-system-dropped',
    'turns of the role system are dropped',
    ['COMPA-004', 'role-system-arrives'],
    (body) => {
      body.messages = turnsOf(body).filter(({ role }) => role !== 'system');
    },
  ),
  losesA(
    'role-system-hints',
    'turns of the role system lose their cache hints',
    ['COMPA-007', 'role-system-hint'],
    (body) => {
      for (const turn of turnsOf(body))
        if (turn.role === 'system') for (const block of objectsIn(turn.content)) delete block.cache_control;
    },
  ),
];

export const rounds: readonly Mutant[] = [
  losesA('ids-renamed', 'ids of calls are replaced before the upstream', use, (body) => {
    for (const block of nativeBlocks(body, 'tool_use')) block.id = `x${String(block.id)}`;
    for (const block of nativeBlocks(body, 'tool_result'))
      block.tool_use_id = `x${String(block.tool_use_id)}`;
  }),
  losesA('no-is-error', 'is_error is dropped', result, (body) => {
    for (const block of nativeBlocks(body, 'tool_result')) delete block.is_error;
  }),
];

export const marks: readonly Mutant[] = [
  losesA('no-ttl', 'the ttl of a hint is dropped', ['COMPA-007', 'hint-arrives'], (body) => {
    for (const block of markable(body))
      if (block.cache_control != null) block.cache_control = { type: 'ephemeral' };
  }),
];

/** Gateways that reject or do not serve legal requests. */
export const refused: readonly Mutant[] = [
  frontA(
    ['compa.small-missing', 'beta-small-4-5 is not served', 'COMPA-001', 'served'],
    refusesA(({ model }) => model === 'beta-small-4-5', 'model_not_found', 'model'),
  ),
  frontA(
    ['compa.one-token-refused', 'max_tokens of 1 is refused', 'COMPA-002', 'accepted'],
    refusesA(({ max_tokens: max }) => max === 1, 'invalid_param', 'max_tokens'),
  ),
  frontA(
    ['compa.blocks-refused', 'content has to be a string', 'COMPA-003', 'accepted'],
    refusesA(
      (body) => turnsOf(body).some(({ content: blocks }) => Array.isArray(blocks)),
      'invalid_param',
      'messages',
    ),
  ),
  frontA(
    [
      'compa.unknown-is-not-found',
      'an unknown field is answered as an unknown model',
      'COMPA-002',
      'unknown-field',
    ],
    refusesA(
      (body) => Object.keys(body).some((name) => name.startsWith('x_unknown')),
      'model_not_found',
      'model',
    ),
  ),
  frontA(
    ['compa.version-refused', 'the version of the reference is refused', 'COMPA-009', 'reference-version'],
    refusesA(
      (_, request) => headerIn(request, 'compat-a-version') === '2023-06-01',
      'invalid_param',
      'compat-a-version',
    ),
  ),
  frontA(
    ['compa.version-is-a-key', 'a request without a version gets 401', 'COMPA-009', 'other-version'],
    refusesA((_, request) => headerIn(request, 'compat-a-version') === null, 'invalid_api_key'),
  ),
  frontA(
    ['compa.key-goes-on', 'the key of the caller is sent to the upstream', 'COMPA-008', 'key-stays-inside'],
    {
      request: (request) =>
        requestsA((body) => {
          body.metadata = { user_id: headerIn(request, 'x-api-key') };
        }).request?.(request) ?? request,
    },
  ),
];
