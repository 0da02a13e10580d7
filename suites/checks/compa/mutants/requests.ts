import {
  asksA,
  frontA,
  headerIn,
  losesA,
  markable,
  refusesA,
  turnsOf,
} from '../../../mutation/compa-edits.ts';
import { type Body, objectsIn } from '../../../mutation/defects.ts';
import type { Mutant } from '../../../mutation/mutant.ts';
import { nativeBlocks } from '../../../mutation/native-edits.ts';

/** Gateways that do not bring a native request to its upstream as it is. */

const field = ['COMPA-001', 'field-arrives'] as const;
const content = ['COMPA-003', 'content-arrives'] as const;
const turns = ['COMPA-003', 'turns-arrive'] as const;
const system = ['COMPA-004', 'system-arrives'] as const;
const use = ['COMPA-005', 'tool-use-arrives'] as const;
const result = ['COMPA-006', 'tool-result-arrives'] as const;
const hint = ['COMPA-007', 'hint-arrives'] as const;

function drops(name: string): Mutant {
  return losesA(`no-${name.replaceAll('_', '-')}`, `${name} is not passed on`, field, (body) => {
    delete body[name];
  });
}

const fields: readonly Mutant[] = [
  ...['top_k', 'top_p', 'temperature', 'stop_sequences', 'metadata', 'thinking', 'tool_choice'].map(drops),
  losesA('max-tokens-default', 'max_tokens is always 1024', field, (body) => {
    body.max_tokens = 1_024;
  }),
  losesA('parallel-allowed', 'disable_parallel_tool_use is left out', field, (body) => {
    delete (body.tool_choice as Body | undefined)?.disable_parallel_tool_use;
  }),
  losesA('no-descriptions', 'tools lose their descriptions', field, (body) => {
    for (const tool of objectsIn(body.tools)) delete tool.description;
  }),
  losesA('no-defs', 'schemas of tools lose their $defs', field, (body) => {
    for (const tool of objectsIn(body.tools)) delete (tool.input_schema as Body).$defs;
  }),
  losesA('first-stop', 'only the first stop sequence is passed on', field, (body) => {
    if (Array.isArray(body.stop_sequences)) body.stop_sequences = body.stop_sequences.slice(0, 1);
  }),
  losesA('short-numbers', 'numbers of a request are read as doubles', field, (body) => {
    Object.assign(body, JSON.parse(JSON.stringify(body)));
  }),
];

const said: readonly Mutant[] = [
  losesA('thoughts-forgotten', 'thoughts of earlier turns are dropped', content, (body) => {
    for (const turn of turnsOf(body)) {
      if (Array.isArray(turn.content))
        turn.content = objectsIn(turn.content).filter(({ type }) => !String(type).endsWith('thinking'));
    }
  }),
  losesA('first-block', 'of several text blocks only the first is passed on', content, (body) => {
    for (const turn of turnsOf(body)) {
      const blocks = objectsIn(turn.content);
      if (blocks.length > 1 && blocks.every(({ type }) => type === 'text')) {
        // The marker stands in the last one.
        turn.content = [blocks[0], blocks.at(-1)];
      }
    }
  }),
  losesA('trimmed', 'texts are trimmed', content, (body) => {
    for (const turn of turnsOf(body)) {
      if (typeof turn.content === 'string') turn.content = turn.content.trim();
      for (const block of objectsIn(turn.content))
        if (typeof block.text === 'string') block.text = block.text.trim() || block.text;
    }
  }),
  losesA('no-images', 'images beside text are dropped', content, (body) => {
    for (const turn of turnsOf(body)) {
      const blocks = objectsIn(turn.content);
      const kept = blocks.filter(({ type }) => type !== 'image');
      if (kept.length > 0 && kept.length < blocks.length) turn.content = kept;
    }
  }),
  losesA('links-printed-anew', 'addresses of images are parsed and printed', content, (body) => {
    for (const { source } of nativeBlocks(body, 'image')) {
      const { url } = source as Body;
      if (typeof url === 'string') (source as Body).url = decodeURI(url);
    }
  }),
  losesA('last-round', 'only the last turns of a long conversation are passed on', turns, (body) => {
    const all = turnsOf(body);
    const start = all.findLastIndex(({ content: blocks }) => typeof blocks === 'string');
    if (all.length > 3 && start > 0 && all[start]?.role === 'user') body.messages = all.slice(start);
  }),
  losesA('control-characters', 'control characters are dropped from texts', content, (body) => {
    for (const turn of turnsOf(body))
      if (typeof turn.content === 'string') turn.content = turn.content.replaceAll(/\p{Cc}/gu, '');
  }),
];

const prompts: readonly Mutant[] = [
  losesA('no-system', 'the system prompt is dropped', system, (body) => {
    delete body.system;
  }),
  losesA('system-first-block', 'only the first block of a system prompt is passed on', system, (body) => {
    const [first, ...more] = objectsIn(body.system);
    if (first !== undefined && more.length > 0) body.system = [first];
  }),
  losesA('system-said-by-user', 'the system prompt becomes a turn of the user', system, (body) => {
    if (typeof body.system !== 'string') return;
    body.messages = [{ role: 'user', content: body.system }, ...turnsOf(body)];
    delete body.system;
  }),
  losesA('system-trimmed', 'the system prompt is trimmed', system, (body) => {
    if (typeof body.system === 'string') body.system = body.system.trim();
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
    'role-system-as-user',
    'turns of the role system are the user’s',
    ['COMPA-004', 'role-system-arrives'],
    (body) => {
      for (const turn of turnsOf(body)) if (turn.role === 'system') turn.role = 'user';
    },
  ),
  losesA(
    'one-system',
    'a turn of the role system takes the place of the field',
    ['COMPA-004', 'role-system-arrives'],
    (body) => {
      if (turnsOf(body).some(({ role }) => role === 'system')) delete body.system;
    },
  ),
];

const rounds: readonly Mutant[] = [
  losesA('ids-renamed', 'ids of calls are replaced on the way in', use, (body) => {
    for (const block of nativeBlocks(body, 'tool_use')) block.id = `x${String(block.id)}`;
    for (const block of nativeBlocks(body, 'tool_result'))
      block.tool_use_id = `x${String(block.tool_use_id)}`;
  }),
  losesA('input-digits', 'inputs of calls lose digits', use, (body) => {
    for (const block of nativeBlocks(body, 'tool_use'))
      block.input = JSON.parse(JSON.stringify(block.input)) as unknown;
  }),
  losesA('input-empty', 'calls of the history arrive without their input', use, (body) => {
    for (const block of nativeBlocks(body, 'tool_use')) block.input = {};
  }),
  losesA('no-is-error', 'is_error is dropped', result, (body) => {
    for (const block of nativeBlocks(body, 'tool_result')) delete block.is_error;
  }),
  losesA('result-joined', 'the blocks of a result become one text', result, (body) => {
    for (const block of nativeBlocks(body, 'tool_result')) {
      if (!Array.isArray(block.content)) continue;
      block.content = objectsIn(block.content)
        .map(({ text }) => String(text ?? ''))
        .join('');
    }
  }),
  losesA('result-without-image', 'pictures in a result are dropped', result, (body) => {
    for (const block of nativeBlocks(body, 'tool_result'))
      if (Array.isArray(block.content))
        block.content = objectsIn(block.content).filter(({ type }) => type === 'text');
  }),
  losesA('result-parsed', 'a result that is JSON is printed anew', result, (body) => {
    for (const block of nativeBlocks(body, 'tool_result')) {
      if (typeof block.content === 'string' && block.content.startsWith('{'))
        block.content = JSON.stringify(JSON.parse(block.content));
    }
  }),
  losesA('result-filled', 'a result without content says something', result, (body) => {
    for (const block of nativeBlocks(body, 'tool_result')) block.content ??= 'OK';
  }),
  losesA('results-swapped', 'results answer calls in their order', result, (body) => {
    const ids = nativeBlocks(body, 'tool_use').map(({ id }) => id);
    for (const [at, block] of nativeBlocks(body, 'tool_result').entries()) block.tool_use_id = ids[at];
  }),
];

/** Takes hints away where a block is one of those, or changes them. */
function hints(id: string, title: string, edit: (block: Body, body: Body) => void): Mutant {
  return losesA(id, title, hint, (body) => {
    for (const block of markable(body)) if (block.cache_control != null) edit(block, body);
  });
}

const strip = (block: Body): void => {
  delete block.cache_control;
};

const marks: readonly Mutant[] = [
  hints('no-hints', 'cache_control is dropped', strip),
  hints('no-ttl', 'the ttl of a hint is dropped', (block) => {
    block.cache_control = { type: 'ephemeral' };
  }),
  hints('hour-for-all', 'every hint lives an hour', (block) => {
    block.cache_control = { type: 'ephemeral', ttl: '1h' };
  }),
  hints('no-hint-on-tools', 'hints on tools are dropped', (block) => {
    if ('input_schema' in block) strip(block);
  }),
  hints('no-hint-on-system', 'hints on the system prompt are dropped', (block, { system: blocks }) => {
    if (objectsIn(blocks).includes(block)) strip(block);
  }),
  ...['tool_use', 'tool_result', 'image'].map((type) =>
    hints(`no-hint-on-${type.replace('_', '-')}`, `hints on ${type} blocks are dropped`, (block) => {
      if (block.type === type) strip(block);
    }),
  ),
  hints('hint-on-next', 'a hint moves to the last block of its turn', (block, body) => {
    const turn = turnsOf(body).find(({ content: blocks }) => objectsIn(blocks).includes(block));
    const last = objectsIn(turn?.content).at(-1);
    if (last === undefined || last === block) return;
    last.cache_control = block.cache_control;
    strip(block);
  }),
];

/** What is legal and refused all the same, or not served. */
const refused: readonly Mutant[] = [
  frontA(
    ['compa.small-missing', 'beta-small-4-5 is not served', 'COMPA-001', 'served'],
    refusesA(({ model }) => model === 'beta-small-4-5', 'model_not_found', 'model'),
  ),
  frontA(
    ['compa.one-token-refused', 'max_tokens of 1 is refused', 'COMPA-002', 'accepted'],
    refusesA(({ max_tokens: max }) => max === 1, 'invalid_param', 'max_tokens'),
  ),
  frontA(
    ['compa.temperature-refused', 'a temperature of 0 is refused', 'COMPA-002', 'accepted'],
    refusesA(({ temperature }) => temperature === 0, 'invalid_param', 'temperature'),
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
    ['compa.prefill-refused', 'the last turn has to be the user’s', 'COMPA-003', 'accepted'],
    refusesA((body) => turnsOf(body).at(-1)?.role === 'assistant', 'invalid_param', 'messages'),
  ),
  frontA(
    ['compa.runs-refused', 'roles have to alternate', 'COMPA-003', 'accepted'],
    refusesA(
      (body) =>
        turnsOf(body).some(({ role }, at, all) => at > 0 && all[at - 1]?.role === role && role === 'user'),
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
    ['compa.header-case', 'the version is looked for in lower case alone', 'COMPA-009', 'reference-version'],
    refusesA(
      (_, { headers }) => headers.some(([name]) => name === 'Compat-A-Version'),
      'invalid_param',
      'compat-a-version',
    ),
  ),
  frontA(
    ['compa.version-is-a-key', 'without a version nobody is known', 'COMPA-009', 'other-version'],
    refusesA((_, request) => headerIn(request, 'compat-a-version') === null, 'invalid_api_key'),
  ),
  frontA(
    ['compa.key-goes-on', 'the key of the caller is told to the upstream', 'COMPA-008', 'key-stays-inside'],
    {
      request: (request) =>
        asksA((body) => {
          body.metadata = { user_id: headerIn(request, 'x-api-key') };
        }).request?.(request) ?? request,
    },
  ),
];

export const compaRequestMutants: readonly Mutant[] = [
  ...fields,
  ...said,
  ...prompts,
  ...rounds,
  ...marks,
  ...refused,
];
