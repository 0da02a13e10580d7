import { describe, expect, it } from 'vitest';
import { allChecks } from '../checks/all-checks.ts';
import { loadRegister } from '../rules/register.ts';
import { type Selection, selectChecks, selectedAreas, selectForRun } from './select.ts';

const register = loadRegister();
const ids = (only: string | null): string[] =>
  selectChecks(allChecks, register, only).map((check) => check.id);

describe('--only', () => {
  it('selects all checks without a value', () => {
    expect(ids(null)).toHaveLength(allChecks.length);
  });

  it('accepts areas, requirements, checks, prefixes of checks and kinds, and joins them', () => {
    expect(ids('sse')).toContain('sse.unbuffered');
    expect(ids('CHAT-012')).toContain('chat.field.temperature');
    expect(ids('CHAT-012')).not.toContain('chat.field.stop');
    expect(ids('chat.field')).toContain('chat.field.stop');
    expect(ids('chat.field.stop,sse.unbuffered').sort()).toEqual(['chat.field.stop', 'sse.unbuffered']);
    expect(ids('property').length).toBeGreaterThan(0);
  });

  it('accepts faults of the catalogue by id and by name', () => {
    const [id] = ids('faults.s8');
    expect(id).toMatch(/^faults\.s8\./);
    for (const word of ['S8', 's8', 'error-mid', 'faults.error-mid']) expect(ids(word), word).toEqual([id]);
  });

  it('also selects checks of other areas that cover a rule of a named area', () => {
    const ofChat = ids('CHAT');
    const covering = allChecks.filter(
      (check) => check.kind !== 'passive' && check.requirements.some((id) => id.startsWith('CHAT-')),
    );
    expect(covering.some((check) => !check.id.startsWith('chat.'))).toBe(true);
    expect(ofChat).toEqual(covering.map((check) => check.id));
  });

  it('returns the areas that were selected as a whole', () => {
    expect([...selectedAreas(register, 'chat,MSG-004,sse.unbuffered')]).toEqual(['CHAT']);
    expect(selectedAreas(register, null).size).toBeGreaterThan(20);
  });

  it('suggests the nearest known word for a mistake', () => {
    expect(() => ids('chat.field.temprature')).toThrow('did you mean chat.field.temperature?');
    expect(() => ids('CHTA')).toThrow('did you mean CHAT?');
  });

  it('reports a requirement or an area without a check', () => {
    const others = allChecks.filter(({ requirements }) => !requirements.some((id) => id.startsWith('HOOK')));
    const among = (only: string) => selectChecks(others, register, only);
    expect(() => among('HOOK-001')).toThrow('no check covers HOOK-001: it has none yet');
    expect(() => among('HOOK')).toThrow('no check covers the area HOOK yet');
  });

  it('refuses an empty list', () => {
    expect(() => ids(' , ')).toThrow('at least one');
  });
});

describe('the checks of a run', () => {
  const whole: Selection = { only: null, exclude: null, ids: null, shard: null };
  const idsFor = (more: Partial<Selection>): string[] =>
    selectForRun(allChecks, register, { ...whole, ...more }).map(({ id }) => id);

  it('leave out the excluded checks, by any word that --only accepts', () => {
    expect(idsFor({ only: 'SSE', exclude: 'timing,SSE-001' })).not.toEqual(ids('SSE'));
    const kept = idsFor({ exclude: 'sse,property' });
    expect(kept.filter((id) => ids('sse').includes(id) || ids('property').includes(id))).toEqual([]);
    expect(kept).toHaveLength(allChecks.length - new Set([...ids('sse'), ...ids('property')]).size);
  });

  it('are the checks of an earlier report that still exist', () => {
    expect(idsFor({ ids: ['sse.unbuffered', 'gone.since'] })).toEqual(['sse.unbuffered']);
  });

  it.each([
    { name: 'nothing is left', more: { only: 'sse.unbuffered', exclude: 'sse' }, says: 'select no check' },
    {
      name: 'an excluded word is unknown',
      more: { exclude: 'sse.unbufered' },
      says: '--exclude sse.unbufered',
    },
  ])('are refused when $name', ({ more, says }) => {
    expect(() => idsFor(more)).toThrow(says);
  });
});
