import { describe, expect, it } from 'vitest';
import { fieldsOf } from './fields.ts';
import { type MediaModel, mediaModel, mediaModels } from './models.ts';
import { ruleOf, unknownRule } from './rules.ts';
import { fieldOf, foreignFieldsOf, listedNames, openFieldsOf } from './shared-fields.ts';

const modelOf = (id: string): MediaModel => {
  const model = mediaModel(id);
  if (model === undefined) throw new Error(`no model ${id}`);
  return model;
};
const openOf = (id: string): string[] => openFieldsOf(modelOf(id)).map(({ name }) => name);
const foreignOf = (id: string): string[] => foreignFieldsOf(modelOf(id)).map(({ name }) => name);

describe('the fields that a model does not list', () => {
  it('are open when a shared table of its kind lists them', () => {
    expect(openOf('alpha-image-2')).toEqual(['user']);
    expect(openOf('vector-v3')).toEqual(['n', 'size', 'quality', 'response_format', 'user']);
    expect(openOf('vidB2')).toEqual(['resolution', 'image']);
    expect(openOf('voice-music')).toEqual(['lyrics', 'instrumental']);
    expect(openOf('motion-act-two')).toContain('resolution');
  });

  it('are foreign when only other models of the endpoint list them', () => {
    expect(foreignOf('alpha-image-2')).toEqual(expect.arrayContaining(['seed', 'watermark', 'chaos']));
    expect(foreignOf('vidB2')).toEqual(expect.arrayContaining(['lyrics', 'index', 'parent_task_id']));
    expect(foreignOf('journey-v7')).not.toContain('index');
  });

  it('are never both, and never listed by the model', () => {
    for (const model of mediaModels) {
      const [listed, open, foreign] = [listedNames(model.id), openOf(model.id), foreignOf(model.id)];
      expect(
        [...open, ...foreign].filter((name) => listed.has(name)),
        model.id,
      ).toEqual([]);
      expect(
        open.filter((name) => foreign.includes(name)),
        model.id,
      ).toEqual([]);
    }
  });
});

describe('the rule for a case', () => {
  it("is the general rule for its kind of error if it exists, else the field's own", () => {
    const alpha = modelOf('alpha-image-2');
    expect(ruleOf(alpha, fieldOf('alpha-image-2', 'prompt'), 'required').requirement).toBe('IMG-006');
    expect(ruleOf(alpha, fieldOf('alpha-image-2', 'n'), 'outside').requirement).toBe('IMGM-005');
    const film = modelOf('motion-gen4');
    expect(ruleOf(film, fieldOf('motion-gen4', 'duration'), 'outside', 8).requirement).toBe('VID-003');
    expect(ruleOf(film, fieldOf('motion-gen4', 'duration'), 'outside', 11).requirement).toBe('VID-014');
    expect(unknownRule(modelOf('song-v5')).requirement).toBe('SONG-008');
  });

  it('exists for every field of every model', () => {
    for (const model of mediaModels)
      for (const field of fieldsOf(model.id))
        expect(ruleOf(model, field, 'type').requirement).toMatch(/^[A-Z]+-\d{3}$/);
  });
});
