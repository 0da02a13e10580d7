import { describe, expect, it } from 'vitest';
import { absent } from '../oracle/json-text.ts';
import { fieldsOf } from '../oracle/media/fields.ts';
import { type MediaModel, mediaModel, mediaModels } from '../oracle/media/models.ts';
import { type MediaCell, type MediaInputs, mediaCells, smallestBody } from './media-cells.ts';

const inputs: MediaInputs = {
  prompt: (tag) => `The sea [gc000000000000] ${tag}`,
  link: (medium, tag) => `https://media.example.com/gc000000000000/${tag}/sea.${medium}`,
  hasFile: () => true,
  voiceId: 'calm-1',
  styleId: 'line-1',
  webhookUrl: 'https://hooks.example.com/x',
};

const cellsOf = (id: string): MediaCell[] => mediaCells(modelOf(id), inputs);
const verdictsOf = (id: string, field: string): Map<unknown, string> =>
  new Map(
    cellsOf(id)
      .filter((cell) => cell.field === field)
      .map((cell) => [cell.value, cell.verdict]),
  );

describe('the cells of media models', () => {
  it('differ from the smallest legal body in one member each', () => {
    for (const cell of mediaModels.flatMap((model) => mediaCells(model, inputs))) {
      const { [cell.field]: value, ...rest } = cell.body;
      const { [cell.field]: _, ...plain } = smallestBody(modelOf(cell.model), inputs, cell.tag);
      expect(rest, cell.why).toEqual(plain);
      if (cell.value === absent) expect(Object.hasOwn(cell.body, cell.field)).toBe(false);
      else expect(value, cell.why).toEqual(cell.value);
    }
  });

  it('include no legal value that needs a missing file', () => {
    const link = (): never => {
      throw new Error('there is no file');
    };
    for (const id of ['kontext-pro', 'vidD-02', 'vidA-3.1-quality', 'gamma-3-pro-image']) {
      const cells = mediaCells(modelOf(id), { ...inputs, link, hasFile: () => false });
      const withFile = cells.filter(({ body }) => JSON.stringify(body).includes('//media.example.com/'));
      expect(new Set(withFile.map(({ verdict }) => verdict)), id).toEqual(new Set(['refuse']));
    }
  });

  it('have different tags', () => {
    for (const { id } of mediaModels) {
      const tags = cellsOf(id).map(({ tag }) => tag);
      expect(new Set(tags).size, id).toBe(tags.length);
    }
  });

  it('always include each member of a set, each boundary and both neighbours', () => {
    expect(verdictsOf('alpha-image-2', 'quality').get('high')).toBe('accept');
    expect(verdictsOf('alpha-image-2', 'quality').get('HIGH')).toBe('refuse');
    expect(verdictsOf('alpha-image-2', 'quality').get('hd')).toBe('refuse');
    const weird = cellsOf('journey-v7').filter(({ field, core }) => field === 'weird' && core);
    const byValue = new Map(weird.map(({ value, verdict }) => [value, verdict]));
    expect([-1, 0, 1, 2_999, 3_000, 3_001].map((value) => byValue.get(value))).toEqual([
      'refuse',
      'accept',
      'accept',
      'accept',
      'accept',
      'refuse',
    ]);
    const lengths = verdictsOf('vidD-02', 'duration');
    expect([5, 6, 7, 8, 9, 10, 11].map((value) => lengths.get(value))).toEqual([
      'refuse',
      'accept',
      'refuse',
      'refuse',
      'refuse',
      'accept',
      'refuse',
    ]);
    expect(verdictsOf('voice-v3', 'stability').get(1.01)).toBe('refuse');
  });

  it('accept both outcomes for a field that only a shared table lists, but refuse its wrong types', () => {
    expect(verdictsOf('vector-v3', 'n').get(2)).toBe('either');
    expect(verdictsOf('vector-v3', 'n').get('1')).toBe('refuse');
    expect(verdictsOf('upscale-video', 'duration').get(8)).toBe('either');
    expect(verdictsOf('voice-music', 'lyrics').get('We sail at dawn')).toBe('either');
  });

  it('refuse fields of other models and unknown names', () => {
    expect([...verdictsOf('alpha-image-2', 'aspect_ratio').values()]).toEqual(['refuse']);
    expect([...verdictsOf('voice-music', 'index').values()]).toEqual(['refuse']);
    expect([...verdictsOf('vidB2', '__proto__').values()]).toEqual(['refuse']);
    const named = cellsOf('vidB2').find(({ field }) => field === '__proto__');
    expect(Object.hasOwn(named?.body ?? {}, '__proto__')).toBe(true);
  });

  it('refuse a required field that is missing or null', () => {
    for (const { id } of mediaModels) {
      for (const { name } of fieldsOf(id).filter((field) => field.required)) {
        const verdicts = verdictsOf(id, name);
        expect([verdicts.get(absent), verdicts.get(null)], `${id} ${name}`).toEqual(['refuse', 'refuse']);
      }
    }
  });
});

function modelOf(id: string): MediaModel {
  const model = mediaModel(id);
  if (model === undefined) throw new Error(`no model ${id}`);
  return model;
}
