import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { captureFormat, type RecordedExchange, writeCapture } from '../recordings/capture-file.ts';
import { BadFile } from './bad-file.ts';
import { loadScenario, loadScenarioByName } from './load-scenario.ts';
import { readScenario } from './read-scenario.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-scenario-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The mistakes in the text, one line each. */
function faultsOf(text: string): string[] {
  try {
    readScenario(text, 'a.yaml', folder);
  } catch (error) {
    if (error instanceof BadFile) return error.message.split('\n');
    throw error;
  }
  return [];
}

describe('a scenario file', () => {
  it('parses to the same content', () => {
    const text = 'name: a\nchannels:\n  alpha:\n    faults: [{ reply: { status: 503 }, rate: 0.5 }]\n';
    expect(readScenario(text, 'a.yaml', folder)).toEqual({
      name: 'a',
      channels: { alpha: { faults: [{ reply: { status: 503 }, rate: 0.5 }] } },
    });
  });

  it('reports all mistakes at once, with line, column and path, in file order', () => {
    const text = [
      'name: No',
      'channels:',
      '  alpha:',
      '    latency: { first_ms: { uniform: { min: 3 } }, each: 4 }',
      '    phases:',
      '      - for_ms: -1',
      '      - faults: [{ rate: 0.5 }]',
      '  b/c: {}',
      'extra: 1',
    ].join('\n');
    expect(faultsOf(text)).toEqual([
      'a.yaml:1:1: name: expected letters, digits and dashes',
      'a.yaml:4:28: channels.alpha.latency.first_ms.uniform.max: expected a number',
      'a.yaml:4:51: channels.alpha.latency.each: unknown member; there are first_ms, each_ms',
      'a.yaml:6:9: channels.alpha.phases[0].for_ms: expected at least 1',
      'a.yaml:7:18: channels.alpha.phases[1].faults[0]: expected either fault or reply',
      'a.yaml:8:3: channels.b/c: cannot be the name of a channel',
      'a.yaml:9:1: extra: unknown member; there are name, description, seed, rules, channels, drill',
    ]);
  });

  it.each([
    ['what is no YAML', 'name: a\nchannels: [', 'a.yaml:2:12: '],
    ['a member that stands twice', 'name: a\nname: b', 'a.yaml:2:1: Map keys must be unique'],
    ['an alias of nothing', 'name: a\nchannels: *x', 'a.yaml:1:1: Unresolved alias'],
    ['nothing at all', '', 'a.yaml:1:1: expected an object'],
    ['a scalar', '7', 'a.yaml:1:1: expected an object'],
  ])('is rejected for %s', (_, text, beginning) => {
    expect(faultsOf(text)[0]?.slice(0, beginning.length)).toBe(beginning);
  });

  const shares = (...rates: string[]): string =>
    `name: a\nchannels:\n  a:\n    faults: [${rates.map((rate) => `{ reply: { status: 500 }, rate: ${rate} }`).join(', ')}]`;

  it('is rejected if the rates sum up to more than 1', () => {
    expect(faultsOf(shares('0.5', '0.5'))).toEqual([]);
    expect(faultsOf(shares('0.5', '0.6'))).toEqual([
      'a.yaml:4:5: channels.a.faults: the rates sum up to 1.1, more than 1',
    ]);
  });

  it('is rejected for a ramp outside a phase with for_ms', () => {
    expect(faultsOf(shares('{ from: 0, to: 1 }'))).toEqual([
      'a.yaml:4:40: channels.a.faults[0].rate: a ramp needs a phase with for_ms',
    ]);
  });

  it('is rejected for overlapping outages', () => {
    const windows = (...given: string[]): string =>
      `name: a\nchannels:\n  a:\n    outages: [${given.join(', ')}]`;
    const [long, early, late, open] = [
      '{ from_ms: 0, until_ms: 90, reply: {} }',
      '{ from_ms: 10, until_ms: 20, reply: {} }',
      '{ from_ms: 90, until_ms: 99, reply: {} }',
      '{ from_ms: 95, reply: {} }',
    ] as const;
    expect(faultsOf(windows(late, long))).toEqual([]);
    expect(faultsOf(windows(early, long))).toEqual([
      'a.yaml:4:17: channels.a.outages[0].from_ms: begins before outages[1] has ended',
    ]);
    expect(faultsOf(windows(open, late))).toEqual([
      'a.yaml:4:17: channels.a.outages[0].from_ms: begins before outages[1] has ended',
    ]);
  });

  it('is rejected for a second document or a member named __proto__', () => {
    expect(faultsOf('name: a\nchannels: { a: {} }\n---\nname: b')).toEqual([
      'a.yaml:3:1: a second document begins, and a file is one',
    ]);
    expect(faultsOf('name: a\nchannels:\n  a: {}\n  __proto__: { phaes: [] }')).toEqual([
      'a.yaml:4:3: __proto__ cannot be the name of a member',
    ]);
  });

  it('names an unknown fault and its position', () => {
    const [fault] = faultsOf('name: a\nchannels:\n  a:\n    faults:\n      - fault: { id: Z9 }');
    expect(fault).toMatch(/^a\.yaml:5:18: channels\.a\.faults\[0\]\.fault\.id: .*Z9/);
  });

  it('may use anchors, and reports a mistake at its position in the anchored text', () => {
    const text = [
      'name: a',
      'channels:',
      '  a: &one',
      '    flapping: { ok: 0, failing: 1, reply: {} }',
      '  b: *one',
    ];
    expect(faultsOf(text.join('\n'))).toEqual([
      'a.yaml:4:17: channels.a.flapping.ok: expected at least 1',
      'a.yaml:4:17: channels.b.flapping.ok: expected at least 1',
    ]);
  });

  /** Writes a capture with one exchange to the folder, and returns the answer of the exchange. */
  function capture(file: string, n: number): RecordedExchange['response'] {
    const response: RecordedExchange['response'] = {
      chunks: [{ at_ms: 1, text: 'HTTP/1.1 200 OK\r\n\r\n' }],
      ended: 'fin',
      ended_at_ms: 2,
    };
    const request = { method: 'POST', target: '/', headers: [], body: { text: '' } };
    const exchanges = [{ n, request, response }];
    writeCapture(join(folder, file), {
      schema: captureFormat,
      upstream: 'http://a',
      exchanges,
      left_out: [],
    });
    return response;
  }

  it('replays exchanges of captures, with paths relative to its folder', () => {
    const replay = capture('one.json', 2);
    const text = (file: string, exchange: number): string =>
      `name: a\nchannels:\n  a:\n    faults:\n      - { capture: { file: ${file}, exchange: ${exchange} } }`;
    const { channels } = readScenario(text('one.json', 2), 'a.yaml', folder);
    expect(channels).toEqual({ a: { faults: [{ reply: { replay } }] } });
    expect(faultsOf(text('one.json', 1))).toEqual([
      'a.yaml:5:11: channels.a.faults[0].capture: one.json has no exchange 1: only 2',
    ]);
    expect(faultsOf(text('none.json', 1))[0]).toMatch(/^a\.yaml:5:11: .*ENOENT/);
  });

  it('appears in the README as a valid example', () => {
    capture('monday.json', 4);
    const readme = readFileSync(new URL('../scenarios/README.md', import.meta.url), 'utf8');
    const [, text = ''] = /```yaml\n([\s\S]*?)```/.exec(readme) ?? [];
    expect(faultsOf(text)).toEqual([]);
    expect(readScenario(text, 'a.yaml', folder).channels['openai-*']?.phases).toHaveLength(4);
  });

  it('rejects aliases that multiply without limit', () => {
    const bomb = Array.from({ length: 30 }, (_, at) =>
      at === 0
        ? 'a0: &a0 [1]'
        : `a${at}: &a${at} [${Array(9)
            .fill(`*a${at - 1}`)
            .join(', ')}]`,
    );
    expect(faultsOf(bomb.join('\n'))[0]).toMatch(/^a\.yaml:1:1: Excessive alias count/);
  });
});

describe('the folder of scenarios', () => {
  const shelf = new URL('../../fixtures/scenarios/', import.meta.url);
  const files = readdirSync(shelf);

  it.each(files)('has a valid %s that is named after its file', async (file) => {
    const { name, description } = await loadScenario(new URL(file, shelf).pathname);
    expect(`${name}.yaml`).toBe(file);
    expect(description).toMatch(/\.$/);
    expect((await loadScenarioByName(name)).name).toBe(name);
  });

  it('has the file of every outage in the catalogue of faults', () => {
    const outages = JSON.parse(readFileSync(new URL('../faults/outages.json', shelf), 'utf8')) as {
      id: string;
      scenario: string;
    }[];
    expect(outages.map(({ id }) => id)).toEqual(['B1', 'B2', 'B3', 'B4', 'B5', 'B6', 'B7']);
    for (const { scenario } of outages) expect(files).toContain(`${scenario}.yaml`);
  });

  it.each(['../../package', 'b1-brownout.yaml', 'B1', ''])('has nothing under the name %j', async (name) => {
    await expect(loadScenarioByName(name)).rejects.toThrow(BadFile);
  });
});
