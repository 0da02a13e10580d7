import { describe, expect, it } from 'vitest';
import { readConfig } from '../read-config.ts';
import { priceRow, priceSchema, usdAmount } from './money.ts';

describe('a price', () => {
  it.for([
    ['2.5', 2_500_000n],
    [2.5, 2_500_000n],
    ['0', 0n],
    ['0.000001', 1n],
    ['1000000', 1_000_000_000_000n],
    ['0.028', 28_000n],
  ] as const)('of %s dollars a million tokens is %s pico-USD a token', ([text, pico]) => {
    expect(priceSchema.parse({ input: text, output: text })).toMatchObject({ input: pico, output: pico });
  });

  it.for(['-1', '0.0000001', '1e3', '1,5', '', ' 1', '1000000.1', '.5', '5.', 'NaN', true, null, 1e-7])(
    'cannot be %j',
    (value) => {
      expect(priceSchema.safeParse({ input: value, output: '1' }).success).toBe(false);
    },
  );

  it('has the rates of its family where it says nothing else', () => {
    const price = priceSchema.parse({ input: '1', output: '1' });
    expect(priceRow('beta-mid-4-5', price)).toMatchObject({
      cached_percent: 10,
      write_5m_percent: 125,
      write_1h_percent: 200,
    });
    expect(priceRow('gamma-3-pro', price)).toMatchObject({
      cached_percent: 25,
      write_5m_percent: 100,
      write_1h_percent: 100,
    });
    const own = priceSchema.parse({ input: '1', output: '1', cached_percent: 50 });
    expect(priceRow('gamma-3-pro', own).cached_percent).toBe(50);
  });
});

it.for(['0', '-5', '0.0000000000001', '1e9', 'ten', '1000000000001'])('grants no %s dollars', (amount) => {
  expect(usdAmount.safeParse(amount).success).toBe(false);
});

it('takes a long amount only as a text, because a number would be rounded', () => {
  expect(usdAmount.parse('123456789012.123456')).toBe(123_456_789_012_123_456_000_000n);
  expect(usdAmount.parse(1234.5)).toBe(1_234_500_000_000_000n);
  expect(usdAmount.safeParse(Number('123456789012.123456')).success).toBe(false);
});

describe('prices in gateway.yaml', () => {
  const faultsOf = (prices: string): readonly string[] => {
    const text = `
key_pepper: a pepper for tests
listen: {}
accounts: []
prices: ${prices}
channels:
  - id: one
    dialect: chat-completions
    base_url: http://127.0.0.1:1/v1
    api_key: secret
    models: { delta-3: d3, alpha-5-2: a52 }
`;
    const reading = readConfig(text, 'g.yaml');
    return 'faults' in reading ? reading.faults : [];
  };

  it('may be left out altogether', () => {
    expect(faultsOf('{}')).toEqual([]);
  });

  it('must be there for every model that is served once there are any', () => {
    expect(faultsOf('{ delta-3: { input: "1", output: "2" } }')).toEqual([
      'g.yaml:5:1 prices must name every model that is served, also alpha-5-2.',
    ]);
  });

  it('name models that exist', () => {
    const price = '{ input: "1", output: "2" }';
    expect(faultsOf(`{ delta-3: ${price}, alpha-5-2: ${price}, delta-33: ${price} }`)).toEqual([
      expect.stringMatching(/^g\.yaml:5:\d+ prices\.delta-33 must be one of /),
    ]);
  });

  it('tell where one is wrong, and why', () => {
    expect(
      faultsOf('{ delta-3: { input: "0.0000001", output: "2" }, alpha-5-2: { input: "1", output: "2" } }'),
    ).toEqual([
      expect.stringMatching(
        /^g\.yaml:5:\d+ prices\.delta-3\.input must be dollars with at most 6 decimals\.$/,
      ),
    ]);
  });
});
