import { expect, it } from 'vitest';
import type { NativeAnswer } from './native-answer.ts';
import { cutSteps, headBytes, standardSteps } from './wire-form.ts';
import type { Step } from './wire-program.ts';

const stream: NativeAnswer = {
  dialect: 'generate-content',
  call: 'stream',
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  frames: [
    { label: 'delta-0', bytes: Buffer.from('data: {"a":"ä"}\r\n\r\n'), dueMs: 5 },
    { label: 'finish', bytes: Buffer.from('data: {}\r\n\r\n'), dueMs: 10 },
    { label: 'done', bytes: Buffer.alloc(0), dueMs: 10 },
  ],
};

const plain: NativeAnswer = {
  ...stream,
  call: 'plain',
  status: 529,
  headers: { 'content-type': 'application/json' },
  frames: [{ label: 'body', bytes: Buffer.from('{"b":12}'), dueMs: 7 }],
};

const wireOf = (steps: readonly Step[]): string =>
  steps.map((step) => (step.do === 'write' ? step.bytes.toString() : `<${step.do}>`)).join('');

const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n';

it('writes an ordinary stream in chunks, each frame when it is due, and skips empty frames', () => {
  const steps = standardSteps(stream);
  expect(wireOf(steps)).toBe(
    `${head}transfer-encoding: chunked\r\n\r\n14\r\ndata: {"a":"ä"}\r\n\r\n\r\nc\r\ndata: {}\r\n\r\n\r\n0\r\n\r\n`,
  );
  const due = steps.map((step) => (step.do === 'write' ? [step.label, step.dueMs] : []));
  expect(due).toEqual([
    ['head', 0],
    ['delta-0', 5],
    ['finish', 10],
    ['last-chunk', 10],
  ]);
});

it('writes a plain answer with its length, head and body together, even if the status has no name', () => {
  const steps = standardSteps(plain);
  expect(wireOf(steps)).toBe(
    'HTTP/1.1 529 \r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: 8\r\n\r\n{"b":12}',
  );
  expect(steps).toMatchObject([{ dueMs: 7 }, { dueMs: 7 }]);
});

it('ends a body by closing the connection on request', () => {
  expect(wireOf(standardSteps(stream, 'none'))).toBe(`${head}\r\ndata: {"a":"ä"}\r\n\r\ndata: {}\r\n\r\n`);
});

it('cuts an answer but keeps the head of the whole answer', () => {
  expect(wireOf(cutSteps(plain, { after: 'inside-json' }, 'rst'))).toMatch(
    /content-length: 8\r\n\r\n\{"b<end>$/,
  );
  const torn = cutSteps(stream, { after: 'inside-utf8' }, 'fin', 'length');
  const [, part, end] = torn;
  expect(wireOf(torn)).toContain('content-length: 32\r\n');
  expect(part?.do === 'write' ? [...part.bytes.subarray(-2)] : null).toEqual([0x22, 0xc3]);
  expect(end).toEqual({ do: 'end', by: 'fin' });
});

it('keeps the order of repeated headers', () => {
  const twice = headBytes(200, [
    ['A', '1'],
    ['b', '2'],
    ['A', '3'],
  ]);
  expect(twice.toString()).toBe('HTTP/1.1 200 OK\r\nA: 1\r\nb: 2\r\nA: 3\r\n\r\n');
});
