import { describe, expect, it } from 'vitest';
import { readConfig } from '../read-config.ts';
import { goodConfig } from '../testing/good-config.ts';
import { adminAccess, adminTokensIn } from './admin.ts';

const [one, other] = ['1', '2'].map((digit) => digit.repeat(32)) as [string, string];
const access = (value: unknown) => adminAccess.parse(value);

describe('admin tokens', () => {
  it('are either one token called admin, or several with names', () => {
    expect(adminTokensIn(undefined, {})).toEqual({ tokens: [] });
    expect(adminTokensIn(access({ token: one }), {})).toEqual({ tokens: [{ name: 'admin', token: one }] });
    const tokens = [
      { name: 'ops', token: one },
      { name: 'billing', env: 'BILLING' },
    ];
    expect(adminTokensIn(access({ tokens }), { BILLING: other })).toEqual({
      tokens: [tokens[0], { name: 'billing', token: other }],
    });
  });

  it.each([
    [undefined, 'is not set'],
    ['', 'must have 32'],
    ['short', 'must have 32'],
    [one, 'token of another name'],
  ])('are rejected without being shown when the environment variable is %j', (BILLING, words) => {
    const tokens = [
      { name: 'ops', token: one },
      { name: 'billing', env: 'BILLING' },
    ];
    const result = adminTokensIn(access({ tokens }), { BILLING });
    expect(result).toEqual({ faults: [expect.stringContaining(words)] });
    expect(JSON.stringify(result)).not.toContain(one);
  });

  it.each([
    [{ token: 'a'.repeat(31) }, 'admin.token must have 32'],
    [{ token: `${'a'.repeat(31)} b` }, 'admin.token must have 32'],
    [{ token: 'ä'.repeat(40) }, 'admin.token must have 32'],
    [{}, 'admin must have either token or tokens'],
    [{ token: one, tokens: [{ name: 'ops', token: other }] }, 'admin must have either token or tokens'],
    [{ tokens: [] }, 'admin.tokens must name at least one token'],
    [{ tokens: [{ name: 'ops' }] }, 'admin.tokens[0] must have either token or env'],
    [{ tokens: [{ name: 'ops', token: 'short' }] }, 'admin.tokens[0].token must have 32'],
    [
      {
        tokens: [
          { name: 'ops', token: one },
          { name: 'ops', token: other },
        ],
      },
      'admin.tokens[1].name must be different',
    ],
  ])('are refused in the configuration as %j', (admin, words) => {
    const reading = readConfig(`${goodConfig}admin: ${JSON.stringify(admin)}\n`, 'gateway.yaml');
    expect(reading).toEqual({ faults: [expect.stringContaining(words)] });
  });
});
