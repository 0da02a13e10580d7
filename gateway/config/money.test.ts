import { describe, expect, it } from 'vitest';
import { readConfig } from '../read-config.ts';
import { priceRow, priceSchema } from './list-price.ts';
import { usdAmount } from './money.ts';

describe('a price', () => {
  it.for([
    ['2.5', 2_500_000n],
    [2.5, 2_500_000n],
    ['0', 0n],
    ['0.000001', 1n],
    ['1000000', 1_000_000_000_000n],
    ['0.028', 28_000n],
  ] as const)('of %s dollars per million tokens is %s pico-USD per token', ([text, pico]) => {
    expect(priceSchema.parse({ input: text, output: text })).toMatchObject({ input: pico, output: pico });
  });

  it.for(['-1', '0.0000001', '1e3', '1,5', '', ' 1', '1000000.1', '.5', '5.', 'NaN', true, null, 1e-7])(
    'cannot be %j',
    (value) => {
      expect(priceSchema.safeParse({ input: value, output: '1' }).success).toBe(false);
    },
  );

  it('gets omitted percentages from the family of its model', () => {
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
    expect(priceRow('gamma-3-pro', own)).toMatchObject({ cached_percent: 50 });
  });
});

it.for(['0', '-5', '0.0000000000001', '1e9', 'ten', '1000000000001'])(
  'rejects a grant of %s dollars',
  (amount) => {
    expect(usdAmount.safeParse(amount).success).toBe(false);
  },
);

it('accepts a long amount only as a string, because a number would be rounded', () => {
  expect(usdAmount.parse('123456789012.123456')).toBe(123_456_789_012_123_456_000_000n);
  expect(usdAmount.parse(1234.5)).toBe(1_234_500_000_000_000n);
  expect(usdAmount.safeParse(Number('123456789012.123456')).success).toBe(false);
});

describe('prices in gateway.yaml', () => {
  const faultsOf = (prices: string, pictures: Record<string, string> = {}): readonly string[] => {
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
  - id: pictures
    dialect: images
    base_url: http://127.0.0.1:1/v1
    api_key: secret
    models: ${JSON.stringify(pictures)}
`;
    const reading = readConfig(text, 'g.yaml');
    return 'faults' in reading ? reading.faults : [];
  };

  it('may be left out altogether', () => {
    expect(faultsOf('{}')).toEqual([]);
  });

  it('must cover every served model once there are any', () => {
    expect(faultsOf('{ delta-3: { input: "1", output: "2" } }')).toEqual([
      'g.yaml:5:1 prices must name every model that is served, also alpha-5-2.',
    ]);
  });

  it('must name known models', () => {
    const price = '{ input: "1", output: "2" }';
    expect(faultsOf(`{ delta-3: ${price}, alpha-5-2: ${price}, delta-33: ${price} }`)).toEqual([
      expect.stringMatching(
        /^g\.yaml:5:\d+ prices\.delta-33 must be a model of .*, not delta-33; similar names are delta-3,/,
      ),
    ]);
  });

  it('report the position and the rule of a wrong price', () => {
    expect(
      faultsOf('{ delta-3: { input: "0.0000001", output: "2" }, alpha-5-2: { input: "1", output: "2" } }'),
    ).toEqual([
      expect.stringMatching(
        /^g\.yaml:5:\d+ prices\.delta-3\.input must be dollars with at most 6 decimals\.$/,
      ),
    ]);
  });

  it('may be left out for the models whose price the specification states', () => {
    const price = '{ input: "1", output: "2" }';
    expect(faultsOf(`{ delta-3: ${price}, alpha-5-2: ${price} }`)).toEqual([]);
    expect(
      faultsOf(`{ delta-3: ${price}, alpha-5-2: ${price} }`, { 'kontext-pro': 'kx', 'kontext-max': 'kx' }),
    ).toEqual(['g.yaml:5:1 prices must name every model that is served, also kontext-max.']);
  });

  it.for([
    ['delta-3: { per_image: "1" }', 'delta-3.per_image must be input and output for this model'],
    ['kontext-max: { input: "1", output: "1" }', 'kontext-max.input must be per_image for this model'],
    ['kontext-max: { per_second: "1" }', 'kontext-max.per_second must be per_image for this model'],
    ['vidB2: { per_image: "1" }', 'vidB2.per_image must be per_second or per_task for this model'],
    [
      'kontext-max: { per_image: { low: "1", medium: "1", high: "1", auto: "1" } }',
      'kontext-max.per_image must be one price, because this model has no qualities',
    ],
  ])('must use the unit of the model: %s', ([written, rule]) => {
    const price = '{ input: "1", output: "2" }';
    const faults = faultsOf(
      `{ alpha-5-2: ${price}, ${written}${written?.startsWith('delta') ? '' : `, delta-3: ${price}`} }`,
    );
    expect(faults).toEqual([expect.stringContaining(` prices.${rule}.`)]);
  });
});

describe('a price per unit', () => {
  it.for([
    [{ per_image: '0.04' }, { unit: 'image', pico: 40_000_000_000n, qualities: null }],
    [{ per_second: 0.05 }, { unit: 'second', pico: 50_000_000_000n, qualities: null }],
    [{ per_task: '0.000001' }, { unit: 'task', pico: 1_000_000n, qualities: null }],
    [
      { per_image: { low: '0', medium: '0.07', high: '0.17', auto: '0.1' } },
      {
        unit: 'image',
        pico: 100_000_000_000n,
        qualities: { low: 0n, medium: 70_000_000_000n, high: 170_000_000_000n },
      },
    ],
  ] as const)('is read exactly from %j', ([written, price]) => {
    expect(priceSchema.parse(written)).toEqual(price);
  });

  it.for([
    [{}, ['input']],
    [{ input: '1' }, ['output']],
    [{ per_image: '0.0000001' }, ['per_image']],
    [{ per_image: { low: '1', medium: '1', high: '1' } }, ['per_image']],
    [{ per_second: '-1' }, ['per_second']],
    [{ per_second: '1', per_task: '1' }, ['per_second']],
    [{ per_task: '1', input: '1', output: '1' }, ['per_task']],
    [{ per_image: '1', cached_percent: 5 }, ['per_image']],
    [{ per_song: '1' }, []],
  ] as const)('cannot be %j', ([written, path]) => {
    const { error } = priceSchema.safeParse(written);
    expect(error?.issues[0]?.path).toEqual(path);
  });
});
