import { describe, expect, it } from 'vitest';
import { allChecks } from '../checks/all-checks.ts';
import { loadRegister } from '../rules/register.ts';
import { type Selection, selectChecks, selectedAreas, selectForRun } from './select.ts';

const register = loadRegister();
const ids = (only: string | null): string[] =>
  selectChecks(allChecks, register, only).map((check) => check.id);

describe('--only', () => {
  it('selects all when it is not given', () => {
    expect(ids(null)).toHaveLength(allChecks.length);
  });

  it('takes areas, requirements, checks, beginnings of checks and kinds, and joins them', () => {
    expect(ids('sse')).toContain('sse.unbuffered');
    expect(ids('CHAT-012')).toContain('chat.field.temperature');
    expect(ids('CHAT-012')).not.toContain('chat.field.stop');
    expect(ids('chat.field')).toContain('chat.field.stop');
    expect(ids('chat.field.stop,sse.unbuffered').sort()).toEqual(['chat.field.stop', 'sse.unbuffered']);
    expect(ids('property').length).toBeGreaterThan(0);
  });

  it('takes faults of the catalogue by id and by name', () => {
    const [id] = ids('faults.s8');
    expect(id).toMatch(/^faults\.s8\./);
    for (const word of ['S8', 's8', 'error-mid', 'faults.error-mid']) expect(ids(word), word).toEqual([id]);
  });

  it('takes with an area also the checks of other areas that cover one of its rows', () => {
    const ofChat = ids('CHAT');
    const covering = allChecks.filter(
      (check) => check.kind !== 'passive' && check.requirements.some((id) => id.startsWith('CHAT-')),
    );
    expect(covering.some((check) => !check.id.startsWith('chat.'))).toBe(true);
    expect(ofChat).toEqual(covering.map((check) => check.id));
  });

  it('knows which areas were asked for as a whole', () => {
    expect([...selectedAreas(register, 'chat,MSG-004,sse.unbuffered')]).toEqual(['CHAT']);
    expect(selectedAreas(register, null).size).toBeGreaterThan(20);
  });

  it('answers a mistake with the nearest right word', () => {
    expect(() => ids('chat.field.temprature')).toThrow('did you mean chat.field.temperature?');
    expect(() => ids('CHTA')).toThrow('did you mean CHAT?');
  });

  it('says that a row or an area has no check yet', () => {
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

  it('leave out what is excluded, by any word that --only takes', () => {
    expect(idsFor({ only: 'SSE', exclude: 'timing,SSE-001' })).not.toEqual(ids('SSE'));
    const kept = idsFor({ exclude: 'sse,property' });
    expect(kept.filter((id) => ids('sse').includes(id) || ids('property').includes(id))).toEqual([]);
    expect(kept).toHaveLength(allChecks.length - new Set([...ids('sse'), ...ids('property')]).size);
  });

  it('are those of an earlier report that are still there', () => {
    expect(idsFor({ ids: ['sse.unbuffered', 'gone.since'] })).toEqual(['sse.unbuffered']);
  });

  it.each([
    { name: 'nothing is left', more: { only: 'sse.unbuffered', exclude: 'sse' }, says: 'select no check' },
    {
      name: 'an excluded word is unknown',
      more: { exclude: 'sse.unbufered' },
      says: '--exclude sse.unbufered',
    },
  ])('are refused where $name', ({ more, says }) => {
    expect(() => idsFor(more)).toThrow(says);
  });
});
