import { describe, expect, it } from 'vitest';
import {
  type Completion,
  failure,
  type OpenStream,
  type StreamPiece,
  type StreamStep,
  type UpstreamOutcome,
  type Usage,
} from '../outcome.ts';
import { enforceStops } from './enforce-stops.ts';

const usageOf = (completionTokens: number): Usage => ({
  promptTokens: 11,
  completionTokens,
  cachedTokens: 0,
  cacheWrite5mTokens: 0,
  cacheWrite1hTokens: 0,
});
const finalUsage = usageOf(7);
const text = (value: string): StreamPiece => ({ kind: 'text', text: value });
const pieces = (...values: (string | StreamPiece)[]): StreamStep => ({
  kind: 'pieces',
  pieces: values.map((value) => (typeof value === 'string' ? text(value) : value)),
});
const call: StreamPiece = { kind: 'tool_start', index: 0, id: 'a', name: 'f' };
const end: StreamStep = { kind: 'end', finish: 'tool_calls', usage: finalUsage };
const broken = failure('connection', 'reset');

/** A stream of these steps, and the calls made on it. */
function streamOf(first: StreamStep, ...rest: StreamStep[]): { stream: OpenStream; asked: string[] } {
  const asked: string[] = [];
  const stream: OpenStream = {
    kind: 'stream',
    first,
    next: () => Promise.resolve(rest.shift() ?? broken),
    lastUsage: () => usageOf(1),
    hiddenBytes: () => 0,
    hurry: (withinMs) => void asked.push(`hurry ${withinMs}`),
    close: () => void asked.push('close'),
  };
  return { stream, asked };
}

async function stepsOf(outcome: UpstreamOutcome): Promise<StreamStep[]> {
  if (outcome.kind !== 'stream') throw new Error(`no stream: ${outcome.kind}`);
  const steps = [outcome.first];
  for (let step = outcome.first; step.kind === 'pieces'; steps.push(step)) step = await outcome.next();
  return steps;
}

const stopped = (usage: Usage, more: { isCut?: true } = {}): StreamStep => ({
  ...{ kind: 'end', finish: 'stop', usage, stop: '\n\n' },
  ...more,
});

describe('a stream with a stop sequence of the gateway', () => {
  it.for<[string, StreamStep[], StreamStep[]]>([
    [
      'ends before it, however it goes on',
      [pieces('one\n\n', 'two'), pieces('three', call), end],
      [pieces('one'), stopped(finalUsage)],
    ],
    [
      'ends before a stop over two steps',
      [pieces('a\n'), pieces('\nb'), end],
      [pieces('a'), stopped(finalUsage)],
    ],
    [
      'keeps the calls before it',
      [pieces(call, 'a\n\nb', call), end],
      [pieces(call, 'a'), stopped(finalUsage)],
    ],
    ['may have no text at all', [pieces('\n\nb'), pieces('c'), end], [stopped(finalUsage)]],
    [
      'ends well when the upstream breaks behind it',
      [pieces('a\n\n'), pieces('b'), broken],
      [pieces('a'), stopped(usageOf(1), { isCut: true })],
    ],
    [
      'and a caller who leaves behind it ends with that',
      [pieces('a\n\n'), { kind: 'client_left' }],
      [pieces('a'), { kind: 'client_left' }],
    ],
  ])('%s', async ([, [first, ...rest], steps]) => {
    const { stream, asked } = streamOf(first ?? end, ...rest);
    expect(await stepsOf(await enforceStops(['\n\n'], stream))).toEqual(steps);
    expect(asked).toEqual(['hurry 2000']);
  });
});

describe('a stream without the stop sequence', () => {
  it.for<[string, StreamStep[], StreamStep[]]>([
    [
      'is whole, what was held back included',
      [pieces('a\n'), pieces(call), pieces('b\n'), end],
      [pieces('a'), pieces(call), pieces('\nb'), pieces('\n'), end],
    ],
    ['has its own end', [end], [end]],
    ['fails as it does', [pieces('a\n'), broken], [pieces('a'), broken]],
  ])('%s', async ([, [first, ...rest], steps]) => {
    const { stream, asked } = streamOf(first ?? end, ...rest);
    expect(await stepsOf(await enforceStops(['\n\n'], stream))).toEqual(steps);
    expect(asked).toEqual([]);
  });

  it('that fails before any output is a failure, which may be retried', async () => {
    expect(await enforceStops(['\n\n'], streamOf(pieces('\n'), broken).stream)).toBe(broken);
  });
});

describe('a non-streamed answer', () => {
  const answer: Completion = {
    kind: 'completion',
    text: 'a \n\nb',
    toolCalls: [{ id: '1', name: 'f', arguments: '{}' }],
    finish: 'tool_calls',
    usage: finalUsage,
  };

  it('ends before the stop sequence, without later calls, and keeps its usage', async () => {
    expect(await enforceStops(['x', '\n'], answer)).toEqual({
      ...answer,
      text: 'a ',
      toolCalls: [],
      finish: 'stop',
      stop: '\n',
    });
  });

  it('without the stop sequence is unchanged', async () => {
    expect(await enforceStops(['\t'], answer)).toBe(answer);
    const silent = { ...answer, text: null };
    expect(await enforceStops(['\n'], silent)).toBe(silent);
  });

  it('that failed stays a failure', async () => {
    expect(await enforceStops(['\n'], broken)).toBe(broken);
  });
});
