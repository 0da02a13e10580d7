import { describe, expect, it } from 'vitest';
import { allChecks } from '../../suites/checks/all-checks.ts';
import { loadRegister } from '../../suites/rules/register.ts';
import { source } from '../edits/mutant.ts';
import { areasByPath, areasOf } from './areas.ts';
import { gatewaySources } from './gateway-sources.ts';
import { checksFor, killersByFile } from './order-checks.ts';

const files = gatewaySources().map(({ path }) => path);
const suite = { checks: allChecks, register: loadRegister(), killers: new Map() };

describe('the table of areas', () => {
  it('covers every file of the gateway', () => {
    expect(files.filter((file) => areasOf(file).length === 0)).toEqual([]);
  });

  it('names only existing paths', () => {
    const gone = Object.keys(areasByPath).filter((path) => !files.some((file) => file.startsWith(path)));
    expect(gone).toEqual([]);
  });

  it.each(Object.keys(areasByPath))('names areas with checks: %s', (path) => {
    expect(() => checksFor(`${path}x.ts`, suite)).not.toThrow();
  });

  it('uses the longest matching prefix', () => {
    expect(areasOf('gateway/requests/compat/messages/x.ts')).toEqual(['COMPA', 'faces']);
    expect(areasOf('gateway/requests/x.ts')).toContain('CHAT');
  });
});

describe('the checks for a file', () => {
  const checks = checksFor('gateway/webhooks/sign.ts', suite);

  it('begin with those of its areas, the cheap ones first', () => {
    const areas = checks[0]?.requirements.map((id) => id.split('-')[0]);
    expect(areas?.some((area) => area === 'HOOK' || area === 'STATE')).toBe(true);
    expect(checks[0]?.kind).toBe('example');
  });

  it('start with those that have killed a mutant in the file', () => {
    const mutants = [
      source(['m.a', '', 'HOOK-001', ''], 'webhooks/sign.ts', 'a', 'b'),
      source(['m.b', '', 'HOOK-001', ''], 'webhooks/x.ts', 'a', 'b'),
    ];
    const kills = new Map([
      ['chat.body.any-value', ['m.a', 'm.b']],
      ['auth.header.bearer', ['m.b']],
    ]);
    const killers = killersByFile(mutants, kills);
    expect(killers.get('gateway/webhooks/sign.ts')).toEqual(new Set(['chat.body.any-value']));
    const first = checksFor('gateway/webhooks/sign.ts', { ...suite, killers }).map(({ id }) => id);
    expect(first[0]).toBe('chat.body.any-value');
    expect(new Set(first).size).toBe(allChecks.length);
  });

  it('put those that move the clock at the end of each part', () => {
    const jumps = checks.map(({ clock }) => clock !== undefined);
    expect(jumps.at(-1)).toBe(true);
    expect(jumps[0]).toBe(false);
  });
});
