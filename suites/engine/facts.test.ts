import { expect, it } from 'vitest';
import { type ProfileInput, profileSchema } from '../profile/profile.ts';
import { factHints } from '../runner/fact-hints.ts';
import { defineCheck } from './check.ts';
import { areaFactsOf, type Fact, facts } from './facts.ts';
import { missingFacts } from './has-fact.ts';

function has(fact: Fact, more: Partial<ProfileInput>): boolean {
  const profile = profileSchema.parse({ base_url: 'http://127.0.0.1:1', keys: { K1: 'sk-app-1' }, ...more });
  return missingFacts([fact], profile).length === 0;
}

const hook = { url: 'http://127.0.0.1:1/hooks/x', token: 'hook-token' };
const keys = { K1: 'sk-app-1' };

it('each fact has a hint, and each hint a fact', () => {
  expect(Object.keys(factHints).sort()).toEqual([...facts].sort());
});

it('a profile with only a URL and a key has the key, chat and both compat paths', () => {
  expect(facts.filter((fact) => has(fact, {}))).toEqual([
    ...['keys.K1', 'admin.routes', 'chat', 'compat.a', 'compat.b'],
    ...['images', 'tasks', 'webhooks', 'billing'],
  ]);
});

const control = 'http://127.0.0.1:2';
const [secret, other] = ['whsec_1', 'whsec_2'];
const tenant = { name: 'lane-01', keys, webhook_secret: other };

it.for([
  ['media.image_urls', { media: { image_urls: ['https://a.example/a.png'] } }],
  ['media.video_urls', { media: { video_urls: ['https://a.example/a.mp4'] } }],
  ['media.audio_urls', { media: { audio_urls: ['https://a.example/a.mp3'] } }],
  ['media.voices', { media: { voice_ids: ['one'] } }],
  ['media.styles', { media: { style_ids: ['one'] } }],
  ['webhooks.secret', { tenants: [tenant] }],
  ['charges', { hooks: { ledger: hook } }],
  ['charges', { hooks: { balance: { url: hook.url } } }],
  ['spent', { keys: { ...keys, no_credits: 'sk-app-2', no_quota: 'sk-app-3' } }],
  ['fuse', { keys: { ...keys, fuse: 'sk-app-2' } }],
  ['raised', { keys: { ...keys, raised: 'sk-app-2' }, cap: { raised: 5 } }],
] as [Fact, Partial<ProfileInput>][])('%s is there with one of those that it may be', ([fact, more]) => {
  expect(has(fact, more)).toBe(true);
});

it.for([
  ['media.video_urls', { media: { image_urls: ['https://a.example/a.png'] } }],
  ['media.voices', { media: { style_ids: ['one'] } }],
  ['upstream.media_routes', { upstream: { control } }],
  ['webhooks.secret', { webhooks: { secret }, tenants: [tenant, { name: 'lane-02', keys }] }],
  ['webhooks.guards', { webhooks: { guards: false } }],
  ['media.guards', { media: { guards: false } }],
  ['charges', { hooks: { usage: hook } }],
  ['spent', { keys: { ...keys, no_credits: 'sk-app-2' } }],
  ['pricing.models', { pricing: { markup_bp: { K1: 0, K5: 0 } } }],
  ['keys.raised', { keys: { ...keys, raised: 'sk-app-2' } }],
  ['keys.K5', { keys: { ...keys, K5: 'sk-app-2' }, tenants: [{ name: 'lane-01', keys }] }],
] as [Fact, Partial<ProfileInput>][])('%s is missing with fewer members', ([fact, more]) => {
  expect(has(fact, more)).toBe(false);
});

it('a check with a fact that is declared absent lacks nothing else', () => {
  const profile = profileSchema.parse({ base_url: 'http://127.0.0.1:1', keys, absent: ['compat.b'] });
  expect(missingFacts(['compat.b', 'upstream.control'], profile)).toEqual(['compat.b']);
  expect(missingFacts(['compat.a', 'upstream.control'], profile)).toEqual(['upstream.control']);
});

it('a check that goes by the protocols that are there needs no chat completions', () => {
  const about = { requirements: ['LIM-003'], needs: [] } as const;
  expect(areaFactsOf(about)).toEqual(['chat']);
  expect(areaFactsOf({ ...about, anyProtocol: true })).toEqual([]);
});

it('rules of keys hold on every route, and those of all protocols on each, so they need no chat completions', () => {
  const needsOf = (id: string, requirement: string): readonly Fact[] =>
    defineCheck({
      id,
      title: id,
      requirements: [requirement],
      kind: 'example',
      needs: [],
      run: async () => {},
    }).needs;
  expect(needsOf('auth.a.b', 'AUTH-001')).toEqual([]);
  expect(needsOf('faces.a.b', 'ROUTE-006')).toEqual([]);
  expect(needsOf('route.a.b', 'ROUTE-006')).toEqual(['chat']);
});
