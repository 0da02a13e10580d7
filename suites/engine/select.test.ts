import { describe, expect, it } from 'vitest';
import { allChecks } from '../checks/all-checks.ts';
import { loadRegister } from './register.ts';
import { selectChecks } from './select.ts';

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

  it('answers a mistake with the nearest right word', () => {
    expect(() => ids('chat.field.temprature')).toThrow('did you mean chat.field.temperature?');
    expect(() => ids('CHTA')).toThrow('did you mean CHAT?');
  });

  it('says which slice a row waits for when no check covers it yet', () => {
    expect(() => ids('HOOK-001')).toThrow('waits for the slice "webhooks"');
    expect(() => ids('SONG')).toThrow('no check covers the area SONG yet');
  });

  it('refuses an empty list', () => {
    expect(() => ids(' , ')).toThrow('at least one');
  });
});
