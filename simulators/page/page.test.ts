import { describe, expect, it } from 'vitest';
import type { ConsoleRow } from '../control/console-shapes.ts';
import { axisOf } from './axis.js';
import { asHex, asSize, asTime } from './bytes.js';
import { framesOf } from './frames.js';
import { maxRows, Rows, spareRows } from './store.js';
import { toolCallsIn } from './tool-calls.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function row(n: number, more: Partial<ConsoleRow> = {}): ConsoleRow {
  return {
    ...{ tenant: 'default', n, channel: 'alpha', method: 'POST', path: '/v1/chat/completions', model: 'm' },
    ...{ agent: null, key: null, call: null, at_ms: n, first_ms: null, ended_ms: null, ended: 'complete' },
    ...{
      says_error: false,
      waiting_at: null,
      status: 200,
      fault: null,
      by: null,
      request_bytes: 1,
      reply_bytes: 1,
      sends: 2,
    },
    ...more,
  };
}

describe('the rows', () => {
  it('replace a request by its newer state, and number the attempts of a call', () => {
    const rows = new Rows();
    rows.put([row(1, { call: 'c', ended: 'open' }), row(2, { call: 'c', tenant: 'other' })]);
    rows.put([row(1, { call: 'c' }), row(2, { call: 'c' }), row(3, { call: 'c', at_ms: 60_000 })]);
    expect(rows.size).toBe(4);
    expect(rows.find('default', 1)?.ended).toBe('complete');
    expect([1, 2, 3].map((n) => rows.tryOf({ tenant: 'default', n }))).toEqual([1, 2, 1]);
    expect(rows.tryOf({ tenant: 'other', n: 2 })).toBe(1);
  });

  it('match all words of a search, and disappear with their tenant', () => {
    const rows = new Rows();
    rows.put([
      row(1, { status: 503 }),
      row(2, { tenant: 'b', channel: 'beta', fault: { id: 'S3', form: null, after: null, applied: true } }),
    ]);
    expect(rows.shown('', 'beta s3').map(({ n }) => n)).toEqual([2]);
    expect(rows.shown('default', '').map(({ n }) => n)).toEqual([1]);
    rows.clear(['b']);
    expect(rows.shown('', '').map(({ n }) => n)).toEqual([1]);
    rows.put([row(2), row(1, { status: 200 })]);
    expect(rows.shown('', '').map(({ status }) => status)).toEqual([200, 200]);
  });

  it('found by a search are updated in order', () => {
    const rows = new Rows();
    const found = (): number[] => rows.shown('', '503').map(({ n }) => n);
    rows.put([1, 2, 3, 4, 5].map((n) => row(n, { status: n % 2 === 0 ? 503 : 200 })));
    expect(found()).toEqual([2, 4]);
    rows.put([row(3, { status: 503 }), row(4, { status: 200 }), row(6, { status: 503 }), row(7)]);
    expect(found()).toEqual([2, 3, 6]);
    rows.put([row(2, { status: 503, channel: 'other' })]);
    expect(found()).toEqual([2, 3, 6]);
    expect(rows.shown('', '503')[0]?.channel).toBe('other');
    rows.clear(['default']);
    expect(found()).toEqual([]);
  });

  it('are limited: the oldest are dropped first', () => {
    const rows = new Rows();
    rows.put([row(1, { status: 503 }), row(2, { status: 503 })]);
    expect(rows.shown('', '503')).toHaveLength(2);
    const most = maxRows + spareRows;
    for (let n = 3; n <= most; n += 1) rows.put([row(n)]);
    expect(rows.shown('', '503').map(({ n }) => n)).toEqual([1, 2]);
    rows.put([row(most + 1)]);
    expect(rows.shown('', '503')).toEqual([]);
    expect([rows.size, rows.gone]).toEqual([maxRows, spareRows + 1]);
    expect(rows.find('default', spareRows + 1)).toBeUndefined();
    expect(rows.find('default', spareRows + 2)?.n).toBe(spareRows + 2);
    rows.put([row(spareRows + 2, { status: 500 })]);
    expect(rows.find('default', spareRows + 2)?.status).toBe(500);
  });
});

describe('the axis', () => {
  it('is even while calls run, and shortens a long pause', () => {
    const even = axisOf([
      { from: 0, to: 100 },
      { from: 100, to: 200 },
    ]);
    expect([0, 50, 200].map(even.place)).toEqual([0, 0.25, 1]);
    const jumped = axisOf([
      { from: 0, to: 100 },
      { from: 3_600_000, to: 3_600_100 },
    ]);
    expect(jumped.cuts).toHaveLength(1);
    expect(jumped.place(100)).toBeGreaterThan(0.45);
    expect(jumped.place(3_600_000)).toBeLessThan(0.55);
    expect(axisOf([]).place(5)).toBe(0);
  });
});

describe('bytes', () => {
  it('are shown with offset, codes and characters', () => {
    expect(asHex(bytes('0123456789abcdef\n'))).toBe(
      '00000000  30 31 32 33 34 35 36 37  38 39 61 62 63 64 65 66  0123456789abcdef\n' +
        '00000010  0a                                                .',
    );
  });

  it.each([
    [999, '999 B'],
    [1500, '1.5 kB'],
    [2_000_000, '2.0 MB'],
  ])('%i are shown as a size', (count, said) => expect(asSize(count)).toBe(said));

  it.each([
    [23.4, '23 ms'],
    [1500, '1.50 s'],
    [59_990, '1 min 0 s'],
    [3_720_000, '1 h 2 min'],
  ])('%d ms are shown as a time', (ms, said) => expect(asTime(ms)).toBe(said));
});

describe('frames', () => {
  const body = 'data: {"a":1}\n\nevent: x\r\ndata: two\r\ndata: lines\r\n\r\n: ping\n\ndata: cut';
  const send = (label: string, actual_ms: number, count: number) => ({
    label,
    intended_ms: 0,
    actual_ms,
    bytes: count,
  });

  it('have the time of the write that ended them', () => {
    const sends = [
      send('head', 5, 0),
      send('delta-0', 10, 9),
      send('delta-1', 20, 6),
      send('rest', 30, body.length - 15),
    ];
    expect(framesOf(bytes(body), sends).map(({ atMs, event, data }) => [atMs, event, data])).toEqual([
      [20, null, '{"a":1}'],
      [30, 'x', 'two\nlines'],
      [30, null, ':ping'],
      [30, null, 'cut'],
    ]);
  });

  it('are found in raw bytes with head and chunk sizes, even if the last chunk is cut', () => {
    const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
    const parts = [head, '9\r\ndata: a\n\n\r\n', '6\r\ndata: \r\n', 'ff\r\nb\n\n'];
    const sends = parts.map((part, at) => send(`part-${at}`, at * 10, part.length));
    expect(framesOf(bytes(parts.join('')), sends).map(({ atMs, data }) => [atMs, data])).toEqual([
      [10, 'a'],
      [30, 'b'],
    ]);
  });

  it.each(['{"choices": []}', '', 'HTTP/1.1 200 OK\r\n\r\n'])('do not exist in %j', (text) => {
    expect(framesOf(bytes(text), [send('body', 1, text.length)])).toEqual([]);
  });
});

describe('tool calls', () => {
  const call = { id: 'c1', name: 'weather', arguments: '{"city":"Rome"}' };
  it.each([
    [
      'plain, chat-completions',
      JSON.stringify({
        choices: [
          {
            message: {
              tool_calls: [{ id: 'c1', function: { name: 'weather', arguments: '{"city":"Rome"}' } }],
            },
          },
        ],
      }),
      [],
    ],
    [
      'plain, messages',
      JSON.stringify({ content: [{ type: 'tool_use', id: 'c1', name: 'weather', input: { city: 'Rome' } }] }),
      [],
    ],
    [
      'streamed, chat-completions',
      '',
      [
        {
          choices: [
            { delta: { tool_calls: [{ index: 0, id: 'c1', function: { name: 'weather', arguments: '' } }] } },
          ],
        },
        { choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: '{"city":' } }] } }] },
        { choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: '"Rome"}' } }] } }] },
      ],
    ],
    [
      'streamed, messages',
      '',
      [
        {
          type: 'content_block_start',
          index: 1,
          content_block: { type: 'tool_use', id: 'c1', name: 'weather', input: {} },
        },
        {
          type: 'content_block_delta',
          index: 1,
          delta: { type: 'input_json_delta', partial_json: '{"city":"Rome"}' },
        },
      ],
    ],
    [
      'streamed, generate-content',
      '',
      [
        {
          candidates: [
            { content: { parts: [{ functionCall: { id: 'c1', name: 'weather', args: { city: 'Rome' } } }] } },
          ],
        },
      ],
    ],
  ])('are put together: %s', (_, text, events) => {
    const frames = events.map((event) => ({ data: JSON.stringify(event) }));
    expect(toolCallsIn(text, frames)).toEqual([call]);
  });
});
