import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Capture, exchangeOf, parseCapture, readCapture, writeCapture } from './capture-file.ts';

const capture: Capture = {
  schema: 'gatecheck.capture/1',
  upstream: 'http://127.0.0.1:1',
  exchanges: [
    {
      n: 1,
      request: { method: 'POST', target: '/v1/x', headers: [['host', 'x']], body: { text: '' } },
      response: {
        chunks: [
          { at_ms: 1, text: 'HTTP/1.1 200 OK\r\n\r\n' },
          { at_ms: 2.5, base64: 'gA==' },
        ],
        ended: 'rst',
        ended_at_ms: 3,
      },
    },
  ],
  left_out: [],
};

/** The file with one member replaced, found by its path. */
function withMember(path: readonly (string | number)[], value: unknown): string {
  const copy: unknown = structuredClone(capture);
  const last = path.at(-1) ?? '';
  const holder = path.slice(0, -1).reduce<unknown>((at, key) => Reflect.get(at as object, key), copy);
  Reflect.set(holder as object, last, value);
  return JSON.stringify(copy);
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'gatecheck-capture-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

describe('a capture file', () => {
  it('is read back unchanged, and only its owner can read it', () => {
    const path = join(folder(), 'capture.json');
    writeCapture(path, capture);
    expect(readCapture(path)).toEqual(capture);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['another format', ['schema'], 'gatecheck.capture/2', 'schema: expected "gatecheck.capture/1"'],
    [
      'a member that there is not',
      ['exchanges', 0, 'response', 'ende'],
      1,
      'exchanges[0].response.ende: unknown member',
    ],
    ['an unknown end', ['exchanges', 0, 'response', 'ended'], 'bang', 'exchanges[0].response.ended: '],
    [
      'bytes that are no base64',
      ['exchanges', 0, 'response', 'chunks', 1],
      { at_ms: 2, base64: '%' },
      'chunks[1].base64: ',
    ],
    [
      'times that run backwards',
      ['exchanges', 0, 'response', 'chunks', 1, 'at_ms'],
      0.5,
      'chunks[1].at_ms: lies before',
    ],
    [
      'an end before the last bytes',
      ['exchanges', 0, 'response', 'ended_at_ms'],
      2,
      'ended_at_ms: lies before',
    ],
  ])('is rejected with the position of the mistake: %s', (_, path, value, message) => {
    expect(() => parseCapture(withMember(path, value), 'some.json')).toThrow(
      new RegExp(`^some\\.json is not a capture: .*${message.replaceAll(/[[\].]/g, '\\$&')}`),
    );
  });

  it('is rejected by name if it is missing or not JSON', () => {
    const path = join(folder(), 'capture.json');
    expect(() => readCapture(path)).toThrow(`cannot read the capture ${path}: ENOENT`);
    writeFileSync(path, '{');
    expect(() => readCapture(path)).toThrow(`${path} is not JSON`);
  });

  it('lists its exchanges if a missing one is requested', () => {
    expect(exchangeOf(capture, 1, 'some.json')).toBe(capture.exchanges[0]);
    expect(() => exchangeOf(capture, 7, 'some.json')).toThrow('some.json has no exchange 7: only 1');
  });
});
