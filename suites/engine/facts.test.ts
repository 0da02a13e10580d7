import { describe, expect, it } from 'vitest';
import { type ProfileInput, profileSchema } from '../profile/profile.ts';
import { factHints } from '../runner/fact-hints.ts';
import { type Fact, facts } from './facts.ts';
import { missingFacts } from './has-fact.ts';

function has(fact: Fact, more: Partial<ProfileInput>): boolean {
  const profile = profileSchema.parse({ base_url: 'http://127.0.0.1:1', keys: { K1: 'sk-app-1' }, ...more });
  return missingFacts([fact], profile).length === 0;
}

const hook = { url: 'http://127.0.0.1:1/hooks/x', token: 'hook-token' };
const keys = { K1: 'sk-app-1' };

it('each fact has a hint, and there is no other', () => {
  expect(Object.keys(factHints).sort()).toEqual([...facts].sort());
});

it('a profile with nothing but an address and a key has the key and both compat paths', () => {
  expect(facts.filter((fact) => has(fact, {}))).toEqual([
    ...['keys.K1', 'compat.a', 'compat.b'],
    ...['images', 'tasks', 'webhooks', 'billing'],
  ]);
});

const control = 'http://127.0.0.1:2';

describe('media', () => {
  it.for([
    ['media.image_urls', { upstream: { control } }],
    ['media.image_urls', { media: { image_urls: ['https://a.example/a.png'] } }],
    ['media.video_urls', { media: { video_urls: ['https://a.example/a.mp4'] } }],
    ['media.audio_urls', { media: { audio_urls: ['https://a.example/a.mp3'] } }],
    ['media.voices', { media: { voice_ids: ['one'] } }],
    ['media.voices', { upstream: { control } }],
    ['media.styles', { media: { style_ids: ['one'] } }],
    ['tasks.deadline', { tasks: { deadline_ms: 5_000 } }],
    ['tasks.retention', { tasks: { retention_ms: 5_000 } }],
    ['song.actions', { song: { actions: { wav: {} } } }],
    [
      'upstream.media_routes',
      {
        upstream: {
          control,
          media_routes: [
            {
              model: 'kontext-max',
              channels: [
                { name: 'one', dialect: 'images' },
                { name: 'two', dialect: 'images' },
              ],
            },
          ],
        },
      },
    ],
  ] as [Fact, Partial<ProfileInput>][])('%s is there with what it names', ([fact, more]) => {
    expect(has(fact, more)).toBe(true);
  });

  it.for([
    ['media.video_urls', { media: { image_urls: ['https://a.example/a.png'] } }],
    ['media.voices', { media: { style_ids: ['one'] } }],
    ['upstream.media_routes', { upstream: { control } }],
  ] as [Fact, Partial<ProfileInput>][])('%s is not there with less', ([fact, more]) => {
    expect(has(fact, more)).toBe(false);
  });
});

describe('webhooks', () => {
  const [secret, other] = ['whsec_1', 'whsec_2'];
  const tenant = { name: 'lane-01', keys, webhook_secret: other };
  it.for([
    ['webhooks.receiver', { webhooks: { receiver: { control } } }],
    ['webhooks.secret', { webhooks: { secret } }],
    ['webhooks.secret', { tenants: [tenant] }],
    ['webhooks.schedule', { webhooks: { schedule_ms: [0, 5_000] } }],
    ['webhooks.timeout', { webhooks: { timeout_ms: 15_000 } }],
    ['webhooks.kit', { webhooks: { kit: { url: control, secret } } }],
    ['webhooks.guards', { webhooks: { guards: true } }],
    ['media.guards', { media: { guards: true } }],
  ] as [Fact, Partial<ProfileInput>][])('%s is there with what it names', ([fact, more]) => {
    expect(has(fact, more)).toBe(true);
  });

  it.for([
    ['webhooks.secret', { webhooks: { secret }, tenants: [tenant, { name: 'lane-02', keys }] }],
    ['webhooks.guards', { webhooks: { guards: false } }],
    ['media.guards', { media: { guards: false } }],
  ] as [Fact, Partial<ProfileInput>][])('%s is not there with less', ([fact, more]) => {
    expect(has(fact, more)).toBe(false);
  });
});

describe('money', () => {
  it.for([
    ['hooks.ledger', { hooks: { ledger: hook } }],
    ['hooks.balance', { hooks: { balance: { url: hook.url } } }],
    ['hooks.accounts', { hooks: { accounts: hook } }],
    ['charges', { hooks: { ledger: hook } }],
    ['charges', { hooks: { balance: { url: hook.url } } }],
    ['spent', { hooks: { accounts: hook } }],
    ['spent', { keys: { ...keys, no_credits: 'sk-app-2', no_quota: 'sk-app-3' } }],
    ['fuse', { hooks: { accounts: hook } }],
    ['fuse', { keys: { ...keys, fuse: 'sk-app-2' } }],
    ['raised', { hooks: { accounts: hook } }],
    ['raised', { keys: { ...keys, raised: 'sk-app-2' }, cap: { raised: 5 } }],
    ['admin', { admin: { token: 'admin-1', url: 'http://127.0.0.1:1/api/admin/accounts' } }],
    ['pricing.models', { pricing: { models: { 'delta-3': { input: '1', output: '2.000001' } } } }],
    ['pricing.markup', { pricing: { markup_bp: { K1: 0, K5: -100 } } }],
    ['billing.abandoned_stream', { billing: { abandoned_stream: 'nothing' } }],
    ['keys.K5', { keys: { ...keys, K5: 'sk-app-2' } }],
    ['keys.raised', { keys: { ...keys, raised: 'sk-app-2' }, cap: { raised: 5 } }],
  ] as const)('%s is there with what it names', ([fact, more]) => {
    expect(has(fact, more)).toBe(true);
  });

  it.for([
    ['charges', { hooks: { usage: hook } }],
    ['spent', { keys: { ...keys, no_credits: 'sk-app-2' } }],
    ['pricing.models', { pricing: { markup_bp: { K1: 0, K5: 0 } } }],
    ['keys.raised', { keys: { ...keys, raised: 'sk-app-2' } }],
    ['keys.K5', { keys: { ...keys, K5: 'sk-app-2' }, tenants: [{ name: 'lane-01', keys }] }],
  ] as const)('%s is not there with less', ([fact, more]) => {
    expect(has(fact, { ...more, tenants: 'tenants' in more ? [...more.tenants] : [] })).toBe(false);
  });
});
