import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { catalogueWith } from './catalogue/chat-models.ts';
import { DIALECTS } from './catalogue/dialects.ts';
import { readConfig } from './read-config.ts';

const GOOD = `listen: { host: 127.0.0.1, port: 0 }
store: { data_dir: /tmp/data }
key_pepper: "a long pepper"
accounts:
  - id: acc
    users: [{ id: u1 }]
    apps: [{ id: a1 }]
    keys:
      - id: k1
        user: u1
        app: a1
        secret: sk-app-12345678
        expires_at: 2027-01-01T00:00:00Z
        allow: ['10.0.0.0/8']
channels:
  - id: c1
    dialect: chat-completions
    base_url: http://127.0.0.1:1/v1/
    api_key: up
    models: { alpha-5-2: native }
`;

it('fills in every default', () => {
  const reading = readConfig(GOOD, 'gateway.yaml');
  if ('faults' in reading) throw new Error(reading.faults.join('\n'));
  const { config } = reading;
  expect(config.limits.body_bytes).toBe(32 * 1024 * 1024);
  expect(config.accounts[0]).toMatchObject({ models: 'all', users: [{ cap: 3 }], apps: [{ markup_bp: 0 }] });
  expect(config.accounts[0]?.keys[0]).toMatchObject({ disabled: false, expires_at: Date.UTC(2027, 0, 1) });
  expect(config.channels[0]).toMatchObject({
    base_url: 'http://127.0.0.1:1/v1',
    priority: 0,
    weight: 1,
    queue_length: 0,
    queue_wait_ms: 1000,
  });
  expect(config.channels[0]?.capacity).toBeUndefined();
  expect(config.breaker).toEqual({
    consecutive_failures: 5,
    window_ms: 30_000,
    window_least: 10,
    window_failure_percent: 50,
    cool_down_ms: [30_000, 60_000],
    account_out_ms: 300_000,
  });
  expect(config.fallbacks).toEqual({});
  expect(config.trusted_proxies).toEqual([]);
  expect(config.slots).toBeUndefined();
});

it.for([
  [
    'an unknown setting',
    'key_pepper:',
    'colour: red\nkey_pepper:',
    'gateway.yaml:3:1 colour is not a known setting.',
  ],
  ['a missing one', 'key_pepper: "a long pepper"\n', '', 'gateway.yaml:1:1 key_pepper is missing.'],
  ['a missing one inside', '    apps: [{ id: a1 }]\n', '', 'gateway.yaml:5:5 accounts[0].apps is missing.'],
  ['a wrong type', 'port: 0', 'port: "http"', 'gateway.yaml:1:28 listen.port must be a port number.'],
  [
    'a key without prefix',
    'sk-app-12345678',
    'SECRET-12345678',
    'gateway.yaml:12:9 accounts[0].keys[0].secret must begin with sk-app- and have at least 8 characters more.',
  ],
  [
    'a user that is not there',
    'user: u1',
    'user: u9',
    'gateway.yaml:10:9 accounts[0].keys[0].user must be a user of this account.',
  ],
  [
    'a range that is none',
    '10.0.0.0/8',
    '10.0.0.0/33',
    'gateway.yaml:14:17 accounts[0].keys[0].allow[0] must be an address range such as 10.0.0.0/8 or 2001:db8::/32.',
  ],
  [
    'a proxy that is no range',
    'key_pepper:',
    "trusted_proxies: ['10.0.0.0/8', 10.0.0.1]\nkey_pepper:",
    'gateway.yaml:3:33 trusted_proxies[1] must be an address range such as 10.0.0.0/8 or 2001:db8::/32.',
  ],
  [
    'a place for slots that there is not',
    'key_pepper:',
    'slots: redis\nkey_pepper:',
    'gateway.yaml:3:1 slots must be memory or database.',
  ],
  [
    'a bad time',
    '2027-01-01T00:00:00Z',
    'soon',
    'gateway.yaml:13:9 accounts[0].keys[0].expires_at must be a date and time such as 2027-01-01T00:00:00Z.',
  ],
  [
    'an unknown dialect',
    'chat-completions',
    'morse',
    'gateway.yaml:17:5 channels[0].dialect must be one of chat-completions, messages, generate-content.',
  ],
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
    'gateway.yaml:20:34 channels[0].models.alpha-6 must be one of alpha-5-2, ',
  ],
  [
    'an account of a model that is not there',
    '    users: [',
    '    models: [delta-3, delta-4]\n    users: [',
    'gateway.yaml:6:23 accounts[0].models[1] must be one of alpha-5-2, ',
  ],
  [
    'a fallback to a model that is not there',
    'channels:',
    'fallbacks: { delta-3: delta-4 }\nchannels:',
    'gateway.yaml:15:14 fallbacks.delta-3 must be one of alpha-5-2, ',
  ],
  [
    'a fallback of a model that is not there',
    'channels:',
    'fallbacks: { delta-4: delta-3 }\nchannels:',
    'gateway.yaml:15:14 fallbacks.delta-4 must be one of alpha-5-2, ',
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
    'a breaker that never cools down',
    'channels:',
    'breaker: { cool_down_ms: [] }\nchannels:',
    'gateway.yaml:15:12 breaker.cool_down_ms must name at least one wait.',
  ],
  [
    'a share above the whole',
    'channels:',
    'breaker: { window_failure_percent: 101 }\nchannels:',
    'gateway.yaml:15:12 breaker.window_failure_percent must be at most 100.',
  ],
  [
    'a channel of no weight',
    'models: { alpha-5-2: native }',
    'models: { alpha-5-2: native }\n    weight: 0',
    'gateway.yaml:21:5 channels[0].weight must be at least 1.',
  ],
  [
    'a queue for a room without end',
    'models: { alpha-5-2: native }',
    'models: { alpha-5-2: native }\n    queue_length: 4',
    'gateway.yaml:21:5 channels[0].queue_length must be 0 without a capacity: nothing ever waits.',
  ],
  [
    'channels of an account that there is not',
    '    users: [',
    '    channels_of: nobody\n    users: [',
    'accounts[0].channels_of must be one of the accounts.',
  ],
  [
    'a mark-up on a model that is not there',
    'apps: [{ id: a1 }]',
    'apps: [{ id: a1, model_markup_bp: { dleta-3: 500 } }]',
    'gateway.yaml:7:41 accounts[0].apps[0].model_markup_bp.dleta-3 must be one of alpha-5-2, ',
  ],
  [
    'a grant that is listed twice',
    '    users: [',
    '    grants: [{ id: g, amount: 1 }, { id: g, amount: 2 }]\n    users: [',
    'gateway.yaml:6:38 accounts[0].grants[1].id must be different from every other grant id of acc.',
  ],
  ['broken YAML', 'accounts:', 'accounts: ]', 'is not valid YAML'],
] as const)('names file, line and path of %s', ([, from, to, fault]) => {
  const reading = readConfig(GOOD.replace(from, to), 'gateway.yaml');
  expect('faults' in reading && reading.faults.join('\n')).toContain(fault);
});

it('reports every fault, and no secret in any of them', () => {
  const reading = readConfig(
    GOOD.replace('sk-app-12345678', 'SECRET')
      .replace('port: 0', 'port: -1')
      .replace('models: {', 'models: { zzz: x,'),
    'f',
  );
  const faults = 'faults' in reading ? reading.faults : [];
  expect(faults).toHaveLength(3);
  expect(faults.join()).not.toContain('SECRET');
});

it('wants ids and secrets to be unique', () => {
  const twin = '      - { id: k1, user: u1, app: a1, secret: sk-app-12345678 }\nchannels:';
  const reading = readConfig(GOOD.replace('channels:', twin), 'f');
  expect('faults' in reading && reading.faults.map((fault) => fault.slice(fault.indexOf(' ') + 1))).toEqual([
    'accounts[0].keys[1].id must be different from every other key id.',
    'accounts[0].keys[1].secret must be different from every other key secret.',
  ]);
});

it('lets accounts and channels name a configured model', () => {
  const models = `chat_models:
  - { id: plain-1, context_tokens: 8000, capabilities: [] }
  - { id: plain-2, context_tokens: 9000, output_tokens: 500, capabilities: [stream, json_schema] }
accounts:`;
  const reading = readConfig(
    GOOD.replace('accounts:', models)
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

it('reads the annotated example, which states the defaults', () => {
  const text = readFileSync(new URL('./example.yaml', import.meta.url), 'utf8');
  const reading = readConfig(text, 'example.yaml');
  if ('faults' in reading) throw new Error(reading.faults.join('\n'));
  const bare = readConfig(GOOD, 'gateway.yaml');
  if ('faults' in bare) throw new Error(bare.faults.join('\n'));
  expect(reading.config.limits).toEqual(bare.config.limits);
  expect(reading.config.upstream).toEqual(bare.config.upstream);
  expect(reading.config.breaker).toEqual(bare.config.breaker);
  expect(Object.keys(reading.config.fallbacks)).not.toEqual([]);
  // Every dialect is shown, and every model of the catalogue with a native name.
  const { channels, chat_models: configured } = reading.config;
  expect(new Set(channels.map((channel) => channel.dialect))).toEqual(new Set(DIALECTS));
  const served = new Set(channels.flatMap((channel) => Object.keys(channel.models)));
  expect([...served].toSorted()).toEqual([...catalogueWith(configured).keys()].toSorted());
  // And what a channel may say of its place among others.
  for (const name of ['priority', 'weight', 'capacity', 'queue_length', 'queue_wait_ms'] as const) {
    expect(new Set(channels.map((channel) => channel[name])).size).toBeGreaterThan(1);
  }
  expect(configured).not.toEqual([]);
});
