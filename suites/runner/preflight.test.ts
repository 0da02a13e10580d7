import { expect, it } from 'vitest';
import { type ProfileInput, profileSchema } from '../profile/profile.ts';
import { assertKnownWords } from './preflight.ts';

function judged(more: Partial<ProfileInput>, listed: readonly string[] = []): () => void {
  const profile = profileSchema.parse({ base_url: 'http://127.0.0.1:1', keys: { K1: 'k' }, ...more });
  return () => assertKnownWords(profile, listed);
}

it.each<[string, Partial<ProfileInput>, RegExp]>([
  ['a fact', { absent: ['hooks.clok'] }, /absent: hooks\.clok \(did you mean hooks\.clock\?\)/],
  [
    'a model',
    { models: { enabled: ['delta-3', 'alpha-5.2'] } },
    /models\.enabled: alpha-5\.2 \(did you mean alpha-5-2\?\)/,
  ],
  [
    'the model that is not enabled',
    { models: { disabled_for_no_model: 'delta3' } },
    /did you mean delta-3\?/,
  ],
  ['a model with a capability', { chat: { json_schema_models: ['alfa-5-2'] } }, /did you mean alpha-5-2\?/],
])('%s that nothing knows is refused with the nearest that is known', (_, more, words) => {
  expect(judged(more)).toThrow(words);
});

it('all such words are named at once', () => {
  expect(judged({ absent: ['one', 'two'] })).toThrow(/one.*; absent: two/);
});

it('models of the deployment itself are known: those that it lists, and those of the profile', () => {
  const own: Partial<ProfileInput> = {
    models: { enabled: ['house-1', 'plain-1'] },
    chat: { extra_models: [{ id: 'plain-1', capabilities: [] }] },
    absent: ['compat.a'],
  };
  expect(judged(own, ['house-1'])).not.toThrow();
  expect(judged(own)).toThrow(/house-1/);
});

it('a price list may have more models than the deployment lists, which may be its defect', () => {
  expect(judged({ pricing: { models: { 'house-1': { input: '1', output: '2' } } } })).not.toThrow();
});
