import { expect, it } from 'vitest';
import { createTestParts } from '../../testing/create-test-parts.ts';

const items = ['a1', 'a2', 'a3', 'b1', 'b2'];
const groupOf = (item: string): string => item.charAt(0);

it('tries all items; in a smoke run, one of each group drawn by seed', () => {
  expect(createTestParts().target.few(items, groupOf)).toEqual(items);
  const drawn = [1, 2, 3, 4, 5, 6].map((seed) =>
    createTestParts({}, { seed, size: 'smoke' }).target.few(items, groupOf),
  );
  for (const some of drawn) expect(some.map(groupOf)).toEqual(['a', 'b']);
  expect(new Set(drawn.map(String)).size).toBeGreaterThan(1);
});

it('tries each model; in a smoke run, one', () => {
  const models = ['alpha-5-2', 'alpha-5-codex', 'beta-mid-4-5', 'beta-small-4-5'];
  expect(createTestParts({}, { models }).target.eachModel).toEqual(models);
  const few = createTestParts({}, { models, size: 'smoke' }).target.eachModel;
  expect(few).toHaveLength(1);
  expect(models).toContain(few[0]);
});

it('can fill a body with declared files, or with any file where upstreams are simulated', () => {
  const asked = ['kontext-pro', 'edit-image', 'upscale-video', 'voice-v3'];
  const fillable = (profile: object): string[] => {
    const { target } = createTestParts(profile);
    return asked.filter((id) => target.canFill(id));
  };
  expect(fillable({})).toEqual(['kontext-pro']);
  const image = { image_urls: ['https://example.com/a.png'], voice_ids: ['calm-1'] };
  expect(fillable({ media: image })).toEqual(['kontext-pro', 'edit-image', 'voice-v3']);
  expect(fillable({ upstream: { control: 'http://127.0.0.1:1' } })).toEqual(asked.slice(0, 3));
});

it('returns the usable models of an endpoint, or names the file that all of them lack', () => {
  const target = (mediaModels: string[]) => createTestParts({}, { mediaModels }).target;
  expect(target(['edit-image', 'kontext-pro']).mediaModelsOf('images')).toEqual(['kontext-pro']);
  expect(() => target(['edit-image']).mediaModelsOf('images')).toThrow('media.image_urls');
  expect(() => target(['vidB2']).mediaModelsOf('images')).toThrow('models.enabled');
});
