import { describe, expect, it } from 'vitest';
import { fieldsOf } from '../oracle/media/fields.ts';
import { mediaModels } from '../oracle/media/models.ts';
import { createRng } from '../values/seed.ts';
import { type MediaInputs, valueSourcesOf } from './media-cells.ts';
import { drawnRound, legalRounds, roundsWithout } from './media-rounds.ts';
import { valuesOf } from './media-values.ts';

const inputs: MediaInputs = {
  prompt: (tag) => `The sea ${tag}`,
  link: (medium, tag) => `https://media.example.com/${tag}/sea.${medium}`,
  hasFile: () => true,
  voiceId: 'calm-1',
  styleId: 'line-1',
  webhookUrl: 'https://hooks.example.com/x',
};

describe('rounds of legal media requests', () => {
  it('together contain every member and boundary of every field', () => {
    for (const model of mediaModels) {
      const rounds = legalRounds(model, inputs);
      for (const { name, form } of fieldsOf(model.id)) {
        // Only the upstream knows the values of these fields, so each has one value.
        if (name === 'style' || name === 'voice_id' || name === 'model_id') continue;
        const wanted = valuesOf(form, valueSourcesOf(inputs, 'r1', name)).filter(
          ({ verdict, core }) => verdict === 'accept' && core,
        );
        const sent = new Set(rounds.map(({ body }) => JSON.stringify(body[name])));
        sent.delete(JSON.stringify(undefined));
        expect(sent.size, `${model.id} ${name}`).toBeGreaterThanOrEqual(wanted.length);
      }
    }
  });

  it('leave out each optional field once, beside all the others', () => {
    for (const model of mediaModels) {
      const all = fieldsOf(model.id);
      for (const { body } of roundsWithout(model, inputs)) {
        const missing = all.filter(({ name }) => body[name] === undefined);
        expect(missing, model.id).toHaveLength(1);
        expect(missing[0]?.required, model.id).toBe(false);
      }
    }
  });

  it('leave out a field whose file is missing, but keep an inline image', () => {
    const without: MediaInputs = { ...inputs, hasFile: () => false };
    const sent = (id: string, name: string): unknown[] =>
      mediaModels
        .filter((model) => model.id === id)
        .flatMap((model) => legalRounds(model, without).map(({ body }) => body[name]))
        .filter((value) => value !== undefined);
    expect(sent('kontext-pro', 'reference_image_url')).toEqual([]);
    expect(sent('kontext-pro', 'aspect_ratio')).toContain('21:9');
    const pictures = sent('vidA-3.1-quality', 'image').map(String);
    expect(pictures.length).toBeGreaterThan(0);
    expect(pictures.every((picture) => picture.startsWith('data:'))).toBe(true);
  });

  it('begin with only the required fields', () => {
    for (const model of mediaModels) {
      const [smallest] = legalRounds(model, inputs);
      const needed = fieldsOf(model.id).filter(({ required }) => required);
      expect(Object.keys(smallest?.body ?? {})).toEqual(['model', ...needed.map(({ name }) => name)]);
    }
  });

  it('can be drawn, and then contain the required fields and only legal values', () => {
    const rng = createRng(1, 'rounds');
    for (const model of mediaModels) {
      const { body } = drawnRound(model, inputs, 'd', rng);
      const listed = fieldsOf(model.id);
      for (const { name, required } of listed) if (required) expect(body, model.id).toHaveProperty(name);
      expect(
        Object.keys(body).every((name) => name === 'model' || listed.some((one) => one.name === name)),
      ).toBe(true);
    }
  });
});
