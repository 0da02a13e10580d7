import { expect, it } from 'vitest';
import { readConfig } from '../read-config.ts';
import { goodConfig } from '../testing/good-config.ts';

it.for([
  [
    'a configured model that the catalogue has',
    'accounts:',
    `chat_models:
  - { id: plain-1, context_tokens: 8000, capabilities: [] }
  - id: delta-3
    context_tokens: 8000
    capabilities: []
accounts:`,
    'gateway.yaml:6:5 chat_models[1].id must not be a model of the catalogue.',
  ],
  [
    'a model configured twice',
    'accounts:',
    `chat_models:
  - { id: plain-1, context_tokens: 8000, capabilities: [] }
  - { id: plain-1, context_tokens: 8000, capabilities: [] }
accounts:`,
    'gateway.yaml:6:7 chat_models[1].id must be different from every other model id.',
  ],
  [
    'a capability that nobody has',
    'accounts:',
    `chat_models:
  - id: plain-1
    context_tokens: 8000
    capabilities: [tools, telepathy]
accounts:`,
    'gateway.yaml:7:27 chat_models[0].capabilities[1] must be one of tools, vision, media, cache, json_schema, stream.',
  ],
  [
    'missing capabilities',
    'accounts:',
    'chat_models: [{ id: plain-1, context_tokens: 8000 }]\naccounts:',
    'gateway.yaml:4:15 chat_models[0].capabilities is missing.',
  ],
  [
    'an output limit above the window',
    'accounts:',
    `chat_models:
  - id: plain-1
    context_tokens: 8000
    output_tokens: 8001
    capabilities: []
accounts:`,
    'gateway.yaml:7:5 chat_models[0].output_tokens must be at most context_tokens.',
  ],
  [
    'a window without tokens',
    'accounts:',
    'chat_models: [{ id: plain-1, context_tokens: 0, capabilities: [] }]\naccounts:',
    'gateway.yaml:4:30 chat_models[0].context_tokens must be at least 1.',
  ],
  [
    'a channel of a model that is not there',
    'models: { alpha-5-2: native }',
    'models: { alpha-5-2: native, alpha-6: native }',
    'gateway.yaml:20:34 channels[0].models.alpha-6 must be a model of the catalogue or of chat_models, not alpha-6; similar names are ',
  ],
  [
    'an account of a model that is not there',
    '    users: [',
    '    models: [delta-3, delta-none]\n    users: [',
    'gateway.yaml:6:23 accounts[0].models[1] must be a model of the catalogue or of chat_models, not delta-none; similar names are delta-3, ',
  ],
  [
    'a fallback to a model that is not there',
    'channels:',
    'fallbacks: { delta-3: delta-none }\nchannels:',
    'gateway.yaml:15:14 fallbacks.delta-3 must be a model of the catalogue or of chat_models, not delta-none; similar names are ',
  ],
  [
    'a fallback of a model that is not there',
    'channels:',
    'fallbacks: { delta-none: delta-3 }\nchannels:',
    'gateway.yaml:15:14 fallbacks.delta-none must be a model of the catalogue or of chat_models, not delta-none; similar names are ',
  ],
  [
    'a fallback to the model itself',
    'channels:',
    'fallbacks: { delta-3: delta-3 }\nchannels:',
    'gateway.yaml:15:14 fallbacks.delta-3 must be another model.',
  ],
  [
    'a circle of fallbacks',
    'channels:',
    'fallbacks:\n  alpha-5-pro: delta-3\n  delta-3: alpha-codex\n  alpha-codex: delta-3\nchannels:',
    'gateway.yaml:17:3 fallbacks.delta-3 must not lead back to the model itself.',
  ],
  [
    'a mark-up on a model that is not there',
    'apps: [{ id: a1 }]',
    'apps: [{ id: a1, model_markup_bp: { dleta-3: 500 } }]',
    'gateway.yaml:7:41 accounts[0].apps[0].model_markup_bp.dleta-3 must be a model of the catalogue or of chat_models, not dleta-3; similar names are ',
  ],
  [
    'a configured model that is of the catalogue and makes media',
    'accounts:',
    'chat_models: [{ id: vidB2, context_tokens: 8000, capabilities: [] }]\naccounts:',
    'gateway.yaml:4:17 chat_models[0].id must not be a model of the catalogue.',
  ],
  [
    'a fallback between models that make media',
    'channels:',
    'fallbacks: { kontext-pro: kontext-max }\nchannels:',
    'gateway.yaml:15:14 fallbacks.kontext-pro must be chat models.',
  ],
  [
    'a video on a channel for chat',
    'models: { alpha-5-2: native }',
    'models: { vidB2: native }',
    'gateway.yaml:20:15 channels[0].models.vidB2 must be a model that can be asked for in chat-completions.',
  ],
] as const)('names file, line and path of %s', ([, from, to, fault]) => {
  const reading = readConfig(goodConfig.replace(from, to), 'gateway.yaml');
  expect('faults' in reading && reading.faults.join('\n')).toContain(fault);
});

it.for([
  ['images', 'kontext-pro', true],
  ['images', 'journey-v7', false],
  ['images', 'alpha-5-2', false],
  ['jobs', 'vidB2', true],
  ['jobs', 'song-v5', true],
  ['jobs', 'kontext-pro', false],
  ['callback-jobs', 'journey-v7', true],
  ['callback-jobs', 'alpha-5-2', false],
] as const)('lets a channel with the dialect %s serve %s: %s', ([dialect, model, isLegal]) => {
  const text = goodConfig
    .replace('chat-completions', dialect)
    .replace('alpha-5-2: native', `${model}: native`);
  expect('config' in readConfig(text, 'f')).toBe(isLegal);
});

it('allows configured models in accounts and channels', () => {
  const models = `chat_models:
  - { id: plain-1, context_tokens: 8000, capabilities: [] }
  - { id: plain-2, context_tokens: 9000, output_tokens: 500, capabilities: [stream, json_schema] }
accounts:`;
  const reading = readConfig(
    goodConfig
      .replace('accounts:', models)
      .replace('    users: [', '    models: [plain-1, delta-3]\n    users: [')
      .replace('models: { ', 'models: { plain-1: small, plain-2: little, '),
    'gateway.yaml',
  );
  if ('faults' in reading) throw new Error(reading.faults.join('\n'));
  expect(reading.config.chat_models).toMatchObject([
    { id: 'plain-1', context_tokens: 8000, capabilities: [] },
    { id: 'plain-2', context_tokens: 9000, output_tokens: 500, capabilities: ['stream', 'json_schema'] },
  ]);
});
