import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { catalogueWith } from './catalogue/chat-models.ts';
import { channelDialects } from './catalogue/dialects.ts';
import { mediaModels } from './catalogue/media-models.ts';
import { readConfig } from './read-config.ts';
import { goodConfig } from './testing/good-config.ts';

it('fills in every default', () => {
  const reading = readConfig(goodConfig, 'gateway.yaml');
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
  expect(config.public_url).toBeUndefined();
  expect(config.tasks).toEqual({
    poll_ms: 1000,
    poll_most_ms: 15_000,
    deadline_ms: 3_600_000,
    retention_ms: 86_400_000,
    start_tries: 6,
    start_again_ms: 1000,
    poll_tries: 10,
    at_once: 64,
    account_bytes: 4 * 1024 ** 3,
  });
  expect(config.media).toEqual({ most_bytes: 512 * 1024 * 1024 });
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
    'gateway.yaml:17:5 channels[0].dialect must be one of chat-completions, messages, generate-content, images, jobs, callback-jobs.',
  ],
  [
    'a key of an upstream that fits into no header',
    'api_key: up',
    'api_key: "up\\n"',
    'gateway.yaml:19:5 channels[0].api_key must be printable ASCII on one line.',
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
    'a longest wait below the first',
    'channels:',
    'tasks: { poll_ms: 2000, poll_most_ms: 1000 }\nchannels:',
    'gateway.yaml:15:25 tasks.poll_most_ms must be at least poll_ms.',
  ],
  [
    'a deadline without end',
    'channels:',
    'tasks: { deadline_ms: 31622400001 }\nchannels:',
    'gateway.yaml:15:10 tasks.deadline_ms must be at most a year.',
  ],
  [
    'an address for callers that is none',
    'key_pepper:',
    'public_url: files.example.com\nkey_pepper:',
    'gateway.yaml:3:1 public_url must be an http or https URL without query.',
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
    'reports from an upstream that makes none',
    'models: { alpha-5-2: native }',
    'models: { alpha-5-2: native }\n    callbacks: true',
    'gateway.yaml:21:5 channels[0].callbacks must be false: only upstreams that speak callback-jobs report back.',
  ],
  [
    'channels of an account that there is not',
    '    users: [',
    '    channels_of: nobody\n    users: [',
    'accounts[0].channels_of must be one of the accounts.',
  ],
  [
    'a grant that is listed twice',
    '    users: [',
    '    grants: [{ id: g, amount: 1 }, { id: g, amount: 2 }]\n    users: [',
    'gateway.yaml:6:38 accounts[0].grants[1].id must be different from every other grant id of acc.',
  ],
  ['broken YAML', 'accounts:', 'accounts: ]', 'is not valid YAML'],
  ['a name twice', 'accounts:', 'listen: {}\naccounts:', 'is not valid YAML (DUPLICATE_KEY)'],
] as const)('names file, line and path of %s', ([, from, to, fault]) => {
  const reading = readConfig(goodConfig.replace(from, to), 'gateway.yaml');
  expect('faults' in reading && reading.faults.join('\n')).toContain(fault);
});

it('reads JSON as it reads YAML, with line and path of a fault', () => {
  const plain: Record<string, unknown> = parse(goodConfig);
  const text = JSON.stringify(plain, null, 1);
  expect(readConfig(text, 'gateway.json')).toEqual(readConfig(goodConfig, 'gateway.yaml'));
  const spoilt = JSON.stringify({ ...plain, listen: { port: -1 } }, null, 1);
  const faults = ['gateway.json:3:3 listen.port must be a port number.'];
  expect(readConfig(spoilt, 'gateway.json')).toEqual({ faults });
  expect(readConfig('{"listen": }', 'gateway.json')).toHaveProperty('faults');
});

it('reports all errors, without any secret', () => {
  const reading = readConfig(
    goodConfig
      .replace('sk-app-12345678', 'SECRET')
      .replace('port: 0', 'port: -1')
      .replace('models: {', 'models: { zzz: x,'),
    'f',
  );
  const faults = 'faults' in reading ? reading.faults : [];
  expect(faults).toHaveLength(3);
  expect(faults.join()).not.toContain('SECRET');
});

it('requires unique ids and secrets', () => {
  const twin = '      - { id: k1, user: u1, app: a1, secret: sk-app-12345678 }\nchannels:';
  const reading = readConfig(goodConfig.replace('channels:', twin), 'f');
  expect('faults' in reading && reading.faults.map((fault) => fault.slice(fault.indexOf(' ') + 1))).toEqual([
    'accounts[0].keys[1].id must be different from every other key id.',
    'accounts[0].keys[1].secret must be different from every other key secret.',
  ]);
});

it('accepts the smallest configuration for production, in which every served model has a price', () => {
  const text = readFileSync(new URL('./one-provider.yaml', import.meta.url), 'utf8');
  const reading = readConfig(text, 'one-provider.yaml');
  if ('faults' in reading) throw new Error(reading.faults.join('\n'));
  const { channels, prices, accounts } = reading.config;
  expect(channels.flatMap(({ models }) => Object.keys(models))).toEqual(Object.keys(prices));
  expect(accounts.every(({ prepaid }) => prepaid)).toBe(true);
});

it('accepts the annotated example, which states the defaults', () => {
  const text = readFileSync(new URL('./example.yaml', import.meta.url), 'utf8');
  const reading = readConfig(text, 'example.yaml');
  if ('faults' in reading) throw new Error(reading.faults.join('\n'));
  const bare = readConfig(goodConfig, 'gateway.yaml');
  if ('faults' in bare) throw new Error(bare.faults.join('\n'));
  expect(reading.config.limits).toEqual(bare.config.limits);
  expect(reading.config.upstream).toEqual(bare.config.upstream);
  expect(reading.config.breaker).toEqual(bare.config.breaker);
  expect(reading.config.tasks).toEqual(bare.config.tasks);
  expect(reading.config.media.most_bytes).toBe(bare.config.media.most_bytes);
  expect(Object.keys(reading.config.fallbacks)).not.toEqual([]);
  // Every dialect is shown, and every model of the catalogue with a native name.
  const { channels, chat_models: configured } = reading.config;
  expect(new Set(channels.map((channel) => channel.dialect))).toEqual(new Set(channelDialects));
  const served = new Set(channels.flatMap((channel) => Object.keys(channel.models)));
  const known = [...catalogueWith(configured).keys(), ...mediaModels.keys()];
  expect([...served].toSorted()).toEqual(known.toSorted());
  // It also shows settings for the priority and capacity of channels.
  for (const name of ['priority', 'weight', 'capacity', 'queue_length', 'queue_wait_ms'] as const) {
    expect(new Set(channels.map((channel) => channel[name])).size).toBeGreaterThan(1);
  }
  expect(configured).not.toEqual([]);
});

it('names aliases that lead nowhere or multiply, instead of a trace', () => {
  const lists = ['a: &a [x, x, x, x, x, x, x, x, x]'];
  for (const [n, name] of [...'bcdefghi'].entries())
    lists.push(`${name}: &${name} [${Array.from({ length: 9 }, () => `*${'abcdefgh'[n]}`).join(', ')}]`);
  for (const text of ['listen: *nowhere', lists.join('\n')])
    expect(readConfig(text, 'gateway.yaml')).toEqual({
      faults: ['gateway.yaml has an alias without its anchor, or too many aliases.'],
    });
});

it('names the first of a hundred thousand unknown settings, and counts the others', () => {
  const unknown = Array.from({ length: 100_000 }, (_, n) => `k${n}: 1`).join('\n');
  const reading = readConfig(`${goodConfig}\n${unknown}\n`, 'gateway.yaml');
  const faults = 'faults' in reading ? reading.faults : [];
  expect(faults).toHaveLength(101);
  expect(faults[99]).toMatch(/k99 is not a known setting\.$/);
  expect(faults.at(-1)).toBe('gateway.yaml has 99900 faults more.');
});

it.each([
  [
    'no YAML',
    (text: string) => text.replace('{', '{,'),
    'a.yaml is no JSON, and too long for YAML, which may have 4 MiB.',
  ],
  ['the same', (text: string) => text, 'a.yaml key_pepper is missing.'],
])('reads megabytes as JSON, with faults without lines: %s', (_what, changed, fault) => {
  const text = JSON.stringify({ ...parse(goodConfig), key_pepper: undefined, k: 'x'.repeat(5_000_000) });
  const reading = readConfig(changed(text), 'a.yaml');
  expect('faults' in reading && reading.faults).toContain(fault);
});
