import { describe, expect, it } from 'vitest';
import { type ChatDialectName, chatDialectNames, type NativeAnswer } from '../../answers/native-answer.ts';
import type { Step } from '../../answers/wire-program.ts';
import { bodyOf, givenAnswer, scriptedDeltas, stepsOf } from '../../testing/given-answer.ts';
import { readChunks } from '../../testing/raw-call.ts';
import { useSimulators } from '../../testing/simulators.ts';
import { withLineEnds } from '../native/line-ends.ts';
import { noDone } from './s1-no-done.ts';
import { truncated } from './s2-truncated.ts';
import { resetMid } from './s3-reset-mid.ts';
import { stallMid } from './s4-stall-mid.ts';
import { pingsOnly } from './s5-pings-only.ts';
import { splitUtf8 } from './s18-split-utf8.ts';
import { splitLine } from './s19-split-line.ts';
import { arrayStream } from './s31-gemini-array.ts';

const simulators = useSimulators();

const given = (dialect: ChatDialectName): Promise<NativeAnswer> =>
  givenAnswer(simulators, { dialect, call: 'stream' }, { deltas: [...scriptedDeltas] });

const writesIn = (steps: readonly Step[]): Extract<Step, { do: 'write' }>[] =>
  steps.filter((step) => step.do === 'write');

/** The bytes that the steps write after the head. */
const written = (steps: readonly Step[]): Buffer =>
  Buffer.concat(
    writesIn(steps)
      .slice(1)
      .map(({ bytes }) => bytes),
  );

const framesTo = ({ frames }: NativeAnswer, label: string): Buffer =>
  bodyOf({
    frames: frames.slice(
      0,
      frames.findIndex((frame) => frame.label === label),
    ),
  });

describe.each(chatDialectNames)('a truncated stream of %s', (dialect) => {
  it('has exactly the frames before the cut, no length in its head, and ends by FIN', async () => {
    const answer = await given(dialect);
    for (const k of [0, 1, 2, 5]) {
      const steps = stepsOf(truncated, answer, { form: 'between-frames', after: k });
      expect(written(steps)).toEqual(framesTo(answer, `delta-${k}`));
      expect(steps.at(-1)).toEqual({ do: 'end', by: 'fin' });
      expect(writesIn(steps)[0]?.bytes.toString()).not.toMatch(/content-length|transfer-encoding/i);
    }
  });

  it('is cut at its ending if it has too few deltas', async () => {
    const answer = await given(dialect);
    expect(written(stepsOf(truncated, answer, { after: 99 }))).toEqual(framesTo(answer, 'finish'));
  });

  it('breaks inside a character, inside JSON, inside a line end and before the blank line', async () => {
    const answer = await given(dialect);
    const before = framesTo(answer, 'delta-2');
    const tail = (form: string): Buffer => {
      const body = written(stepsOf(truncated, answer, { form }));
      const begin =
        form === 'between-cr-lf'
          ? framesTo(
              withLineEnds(answer, () => '\r\n'),
              'delta-2',
            )
          : before;
      expect(body.subarray(0, begin.length)).toEqual(begin);
      return body.subarray(begin.length);
    };
    expect(tail('inside-utf8').at(-1)).toBe(0xc3);
    expect(() => JSON.parse(/data: (.*)/.exec(tail('inside-json').toString())?.[1] ?? '{}')).toThrow(
      SyntaxError,
    );
    expect(tail('between-cr-lf').toString()).toMatch(/[^\r\n]\r$/);
    expect(tail('before-blank-line').toString()).toMatch(/[^\r\n]\r?\n$/);
  });

  it('lacks the last chunk in the form `unfinished-chunks`', async () => {
    const answer = await given(dialect);
    const { chunks, ended } = readChunks(written(stepsOf(truncated, answer, { form: 'unfinished-chunks' })));
    expect([Buffer.concat(chunks), ended]).toEqual([framesTo(answer, 'delta-2'), false]);
  });

  it('is reset 250 ms after its last byte', async () => {
    const answer = await given(dialect);
    const steps = stepsOf(resetMid, answer, { form: 'between-frames' });
    expect(Buffer.concat(readChunks(written(steps)).chunks)).toEqual(framesTo(answer, 'delta-2'));
    expect(steps.slice(-2)).toEqual([
      { do: 'wait', untilMs: 250 },
      { do: 'end', by: 'rst' },
    ]);
  });
});

describe.each(['chat-completions', 'messages'] as const)('a stream of %s without its mark', (dialect) => {
  it('has all other frames', async () => {
    const answer = await given(dialect);
    const steps = stepsOf(noDone, answer, { form: 'before-done' });
    expect(written(steps)).toEqual(framesTo(answer, 'done'));
    expect(steps.at(-1)).toEqual({ do: 'end', by: 'fin' });
  });

  it('can break off inside a frame of its ending', async () => {
    const answer = await given(dialect);
    const place = dialect === 'messages' ? 'done' : 'usage';
    for (const [form, label] of [
      ['inside-usage', place],
      ['inside-done', 'done'],
    ] as const) {
      const body = written(stepsOf(noDone, answer, { form }));
      const whole = bodyOf(answer);
      expect(whole.subarray(0, body.length)).toEqual(body);
      expect(body.length).toBeGreaterThan(framesTo(answer, label).length);
      expect(body.toString()).not.toMatch(/\n\n$/);
    }
  });
});

it('before-usage also omits counts that have their own frame', async () => {
  const answer = await given('chat-completions');
  expect(written(stepsOf(noDone, answer, { form: 'before-usage' }))).toEqual(framesTo(answer, 'usage'));
});

describe.each(chatDialectNames)('a silent stream of %s', (dialect) => {
  it.each([
    ['between-frames', 'delta-2'],
    ['before-content', 'delta-0'],
    ['before-finish', 'finish'],
  ])('stalls %s', async (form, label) => {
    const answer = await given(dialect);
    const steps = stepsOf(stallMid, answer, { form });
    expect(Buffer.concat(readChunks(written(steps)).chunks)).toEqual(framesTo(answer, label));
    expect(steps.at(-1)).toEqual({ do: 'end', by: 'silence' });
  });

  it('sends pings at the interval of its deltas, without end', async () => {
    const answer = await given(dialect);
    const paced = {
      ...answer,
      frames: answer.frames.map((frame, at) => ({ ...frame, dueMs: at * 70 })),
    };
    const pings = writesIn(stepsOf(pingsOnly, paced, {}, 50)).filter(({ label }) => label === 'ping');
    expect(pings.length).toBeGreaterThan(40);
    expect(pings.map(({ dueMs }) => dueMs - (pings[0]?.dueMs ?? 0))).toEqual(pings.map((_, at) => at * 70));
    const said = readChunks(Buffer.concat(pings.map(({ bytes }) => bytes))).chunks.join('');
    expect(said).toMatch(
      dialect === 'messages' ? /^(event: ping\ndata: .*\n\n)+$/ : /^(: keep-alive\r?\n\r?\n)+$/,
    );
  });
});

describe.each(chatDialectNames)('a stream of %s in split writes', (dialect) => {
  it.each(['two-chunks', 'one-chunk'])('splits every multi-byte character (%s)', async (form) => {
    const answer = await given(dialect);
    const steps = stepsOf(splitUtf8, answer, { form });
    expect(Buffer.concat(readChunks(written(steps)).chunks)).toEqual(bodyOf(answer));
    // ü has two bytes, – three, 🌊 four.
    const extra = writesIn(steps).length - 2 - answer.frames.filter(({ bytes }) => bytes.length > 0).length;
    expect(extra).toBe(1 + 2 + 3);
    const torn = writesIn(steps).filter(({ bytes }) => isTorn(bytes));
    expect(torn.length).toBeGreaterThan(0);
  });

  it('splits field names, line ends, JSON or everything', async () => {
    const answer = await given(dialect);
    const pieces = (form: string): string[] =>
      readChunks(written(stepsOf(splitLine, answer, { form }))).chunks.map((chunk) =>
        chunk.toString('latin1'),
      );
    const whole = bodyOf(answer).toString('latin1');
    for (const form of ['in-field', 'in-json', 'seven-bytes']) expect(pieces(form).join('')).toBe(whole);
    expect(pieces('in-field').filter((piece) => /^ta:/.test(piece)).length).toBe(
      whole.match(/^data:/gm)?.length,
    );
    expect(pieces('in-line-end').filter((piece) => piece.startsWith('\n')).length).toBeGreaterThan(10);
    const frame = answer.frames.find(({ label }) => label === 'delta-2')?.bytes.toString('latin1') ?? '';
    const split = pieces('in-json');
    const from = split.findIndex((_, at) => split.slice(at, at + 6).join('') === frame);
    expect(from).toBeGreaterThan(-1);
    expect(Math.max(...pieces('seven-bytes').map(({ length }) => length))).toBe(7);
  });
});

function isTorn(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return false;
  } catch {
    return true;
  }
}

it('an array replaces events: pretty, one line per element, or split anywhere', async () => {
  const answer = await given('generate-content');
  const plainly = stepsOf(arrayStream, answer, { form: 'pretty' });
  for (const form of ['pretty', 'one-line', 'anywhere']) {
    const steps = stepsOf(arrayStream, answer, { form });
    expect(writesIn(steps)[0]?.bytes.toString()).toContain('application/json; charset=UTF-8');
    const text = Buffer.concat(readChunks(written(steps)).chunks).toString();
    expect(JSON.parse(text)).toHaveLength(scriptedDeltas.length + 1);
    expect(/\n {2}"/.test(text)).toBe(form === 'pretty');
    expect(writesIn(steps).length > 2 * writesIn(plainly).length).toBe(form === 'anywhere');
  }
});
