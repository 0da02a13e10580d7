import { describe, expect, it } from 'vitest';
import { profileLines } from './profile-lines.ts';

const known = {
  'keys.K2': { hint: 'a second key', yaml: 'keys:\n  K2: env:SECOND' },
  'keys.K3': { hint: 'a third key', yaml: 'keys:\n  K3: env:THIRD' },
  'upstream.routes.pair': { hint: 'a pair', yaml: 'upstream:\n  routes:\n    - model: a' },
  'upstream.routes.trio': { hint: 'a trio', yaml: 'upstream:\n  routes:\n    - model: b' },
  'compat.a': { hint: 'never declared', yaml: null },
};

describe('the lines of a profile for several facts', () => {
  it('share sections and lists', () => {
    expect(profileLines({ facts: ['keys.K2', 'keys.K3'] }, known)).toEqual([
      'keys:',
      '  K2: env:SECOND',
      '  K3: env:THIRD',
    ]);
    expect(profileLines({ facts: ['upstream.routes.pair', 'upstream.routes.trio'] }, known)).toEqual([
      'upstream:',
      '  routes:',
      '    - model: a',
      '    - model: b',
    ]);
  });

  it('are empty if one fact has no lines or is unknown', () => {
    expect(profileLines({ facts: ['keys.K2', 'compat.a'] }, known)).toEqual([]);
    expect(profileLines({ facts: ['keys.K9'] }, known)).toEqual([]);
    expect(profileLines({ facts: [] }, known)).toEqual([]);
    expect(profileLines({ facts: ['keys.K2'] }, undefined)).toEqual([]);
  });
});
