import { expect, it } from 'vitest';
import { fieldsOf } from '../oracle/media/fields.ts';
import { mediaModels } from '../oracle/media/models.ts';
import { createRng } from '../values/seed.ts';
import { type MediaInputs, mediaCells } from './media-cells.ts';
import { cellsInCompany } from './media-company.ts';
import { legalRounds } from './media-rounds.ts';

const inputs: MediaInputs = {
  prompt: (tag) => `The sea ${tag}`,
  link: (medium, tag) => `https://media.example.com/${tag}/sea.${medium}`,
  hasFile: () => true,
  voiceId: 'calm-1',
  styleId: 'line-1',
  webhookUrl: 'https://hooks.example.com/x',
};

it('combines each kind of fault with every other field, and changes no other field', () => {
  for (const model of mediaModels) {
    const refused = mediaCells(model, inputs).filter(({ verdict }) => verdict === 'refuse');
    const [, ...rounds] = legalRounds(model, inputs);
    const crossed = cellsInCompany(refused, rounds, createRng(1, model.id));
    const kinds = new Set(refused.map(({ aspect }) => aspect));
    expect(new Set(crossed.map(({ aspect }) => aspect)), model.id).toEqual(kinds);
    for (const { field, body } of crossed) {
      const { [field]: _, ...others } = body;
      const known = rounds.map(({ body: { [field]: __, ...rest } }) => JSON.stringify(rest));
      expect(known, `${model.id} ${field}`).toContain(JSON.stringify(others));
    }
    expect(crossed.length).toBeGreaterThanOrEqual(fieldsOf(model.id).length);
  }
});
