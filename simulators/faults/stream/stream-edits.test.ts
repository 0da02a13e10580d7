import { describe, expect, it } from 'vitest';
import { type ChatDialectName, chatDialectNames, type NativeAnswer } from '../../answers/native-answer.ts';
import type { Reply } from '../../control/protocol.ts';
import { bodyOf, edited, givenAnswer, scriptedDeltas } from '../../testing/given-answer.ts';
import { useSimulators } from '../../testing/simulators.ts';
import { commentLines } from './s6-comment-lines.ts';
import { errorFirst } from './s7-error-first.ts';
import { errorMid } from './s8-error-mid.ts';
import { errorThenDone } from './s9-error-then-done.ts';
import { badRequestInside } from './s10-400-inside-200.ts';
import { emptyChoicesFirst } from './s11-empty-choices-first.ts';
import { noDeltaChunk } from './s12-no-delta-chunk.ts';
import { lineEnds } from './s20-line-ends.ts';
import { noLastBlank } from './s21-no-last-blank.ts';
import { coalesced } from './s22-coalesced.ts';
import { roleOddities } from './s23-dup-role.ts';
import { dupFrames } from './s25-dup-frames.ts';
import { lateFrames, lateText } from './s26-late-frames.ts';
import { interleavedChoices } from './s27-interleaved-n.ts';
import { finishOdd } from './s28-finish-odd.ts';
import { slowStream } from './s29-client-gone.ts';
import { eventOrder } from './s30-anthropic-order.ts';

const simulators = useSimulators();

const given = (
  dialect: ChatDialectName,
  reply: Reply = { deltas: [...scriptedDeltas] },
): Promise<NativeAnswer> => givenAnswer(simulators, { dialect, call: 'stream' }, reply);

const labels = ({ frames }: NativeAnswer): string[] => frames.map(({ label }) => label);
const textOf = (answer: NativeAnswer): string => bodyOf(answer).toString('utf8');
const lastLabelled = (answer: NativeAnswer, label: string): string =>
  answer.frames.findLast((frame) => frame.label === label)?.bytes.toString('utf8') ?? '';

describe('an error inside a stream', () => {
  const overloaded: Readonly<Record<ChatDialectName, string>> = {
    'chat-completions':
      'data: {"error":{"message":"The servers are overloaded just now. Try again later.","type":"server_error","param":null,"code":"server_is_overloaded"}}\n\n',
    messages:
      'event: error\ndata: {"type":"error","error":{"details":null,"type":"overloaded_error","message":"Overloaded"}}\n\n',
    'generate-content':
      'data: {"error":{"code":503,"message":"The model is overloaded. Try again later.","status":"UNAVAILABLE"}}\r\n\r\n',
  };

  it.each(chatDialectNames)('is the only content of a stream of %s that fails at once', async (dialect) => {
    const answer = await given(dialect);
    expect(textOf(edited(errorFirst, answer))).toBe(overloaded[dialect]);
    const afterRole = edited(errorFirst, answer, { form: 'after-role' });
    expect(labels(afterRole)).toEqual(dialect === 'generate-content' ? ['error'] : ['role', 'error']);
    const bare = textOf(edited(errorFirst, answer, { form: 'bare' }));
    expect(bare).not.toContain('data:');
    expect(JSON.parse(bare)).toHaveProperty('error');
  });

  it.each(chatDialectNames)('follows the given number of deltas and ends the stream: %s', async (dialect) => {
    const answer = await given(dialect);
    const broken = edited(errorMid, answer, { after: 3 });
    const deltas = labels(broken).filter((label) => label.startsWith('delta-'));
    expect(deltas).toEqual(['delta-0', 'delta-1', 'delta-2']);
    expect(lastLabelled(broken, 'error')).toBe(overloaded[dialect]);
    expect(labels(broken).at(-1)).toBe('error');
    expect(lastLabelled(edited(errorMid, answer, { form: 'rate-limited' }), 'error')).toMatch(
      /rate_limit_exceeded|rate_limit_error|RESOURCE_EXHAUSTED/,
    );
  });

  it('has an empty list of choices in the form `in-chunk`', async () => {
    const broken = edited(errorMid, await given('chat-completions'), { form: 'in-chunk' });
    expect(JSON.parse(lastLabelled(broken, 'error').slice(6))).toMatchObject({
      object: 'chat.completion.chunk',
      choices: [],
      error: { code: 502 },
    });
  });

  it('precedes the end mark of a successful stream in errorThenDone', async () => {
    const answer = await given('chat-completions');
    expect(labels(edited(errorThenDone, answer, { form: 'first' }))).toEqual(['error', 'done']);
    expect(labels(edited(errorThenDone, answer, { form: 'mid' }))).toEqual([
      'role',
      'delta-0',
      'delta-1',
      'error',
      'done',
    ]);
    expect(textOf(edited(errorThenDone, answer, { form: 'flat' }))).toMatch(
      /^data: \{"object":"error".*"code":500\}\n\ndata: \[DONE\]\n\n$/,
    );
  });

  it.each([
    ['chat-completions', '"code":"context_length_exceeded"'],
    ['messages', '"prompt is too long:'],
    ['generate-content', 'exceeds the maximum number of tokens allowed'],
  ] as const)('reports a prompt that is too long in the format of %s', async (dialect, words) => {
    const answer = await given(dialect);
    const first = edited(badRequestInside, answer, { form: 'first' });
    expect([labels(first), textOf(first).includes(words)]).toEqual([['error'], true]);
    expect(labels(edited(badRequestInside, answer, { form: 'mid' })).at(-2)).toBe('delta-1');
  });
});

describe('events that a reader must skip', () => {
  it.each(chatDialectNames)('comments precede every frame or every data line of %s', async (dialect) => {
    const answer = await given(dialect);
    const commented = edited(commentLines, answer, { form: 'processing' });
    const shown = commented.frames.filter(({ bytes }) =>
      bytes.toString().startsWith(': OPENROUTER PROCESSING'),
    );
    expect(shown).toHaveLength(answer.frames.length);
    const inside = textOf(edited(commentLines, answer, { form: 'inside-events' }));
    expect(inside.match(/^: OPENROUTER PROCESSING\r?\ndata: /gm)).toHaveLength(
      textOf(answer).match(/^data: /gm)?.length ?? 0,
    );
    expect(textOf(edited(commentLines, answer, { form: 'timestamped' }))).toContain(
      ': ping - 2026-11-21 00:00:00.000000',
    );
  });

  it('a filter reports on the prompt first, and on the text in choices without a delta', async () => {
    const answer = await given('chat-completions');
    expect(labels(edited(emptyChoicesFirst, answer)).slice(0, 2)).toEqual(['filter', 'role']);
    expect(textOf(edited(emptyChoicesFirst, answer))).toMatch(
      /^data: \{"choices":\[\],"created":0,"id":"","model":"","object":"","prompt_filter_results":/,
    );
    const annotated = edited(noDeltaChunk, answer);
    expect(labels(annotated).filter((label) => label === 'filter')).toHaveLength(2);
    expect(lastLabelled(annotated, 'filter')).not.toContain('"delta"');
  });

  it('late text follows the finish reason or the end mark', async () => {
    for (const dialect of chatDialectNames) {
      const answer = await given(dialect);
      const afterFinish = edited(lateFrames, answer, { form: 'after-finish' });
      expect(labels(afterFinish)[labels(afterFinish).indexOf('finish') + 1]).toBe('late-0');
      const afterDone = edited(lateFrames, answer, { form: 'after-done' });
      expect(labels(afterDone).slice(-2)).toEqual(['done', 'late-0']);
      expect(lastLabelled(afterDone, 'late-0')).toContain(lateText);
    }
  });

  it('a second choice alternates with the first and has its own ending', async () => {
    const answer = await given('chat-completions');
    const both = textOf(edited(interleavedChoices, answer)).match(/"choices":\[\{"index":\d/g) ?? [];
    const indexes = both.map((choice) => choice.at(-1)).join('');
    expect(indexes).toBe(`0${'01'.repeat(scriptedDeltas.length)}10`);
  });

  it.each(chatDialectNames)('one chunk is sent twice, or the whole stream again, in %s', async (dialect) => {
    const answer = await given(dialect);
    const repeated = edited(dupFrames, answer, { form: 'repeated' });
    expect(labels(repeated)).toContain('again-delta-1');
    expect(lastLabelled(repeated, 'again-delta-1')).toBe(lastLabelled(answer, 'delta-1'));
    const again = labels(edited(dupFrames, answer, { form: 'restarted' })).filter((label) =>
      label.startsWith('again-'),
    );
    expect(again).toEqual(
      [...(dialect === 'generate-content' ? [] : ['role']), 'delta-0', 'delta-1'].map(
        (label) => `again-${label}`,
      ),
    );
  });
});

describe('an unusual encoding of events', () => {
  it.each(chatDialectNames)('uses every kind of line end in %s', async (dialect) => {
    const answer = await given(dialect);
    const ends = (form: string): string[] => [
      ...new Set(textOf(edited(lineEnds, answer, { form })).match(/\r\n|\n|\r/g)),
    ];
    expect([ends('cr'), ends('lf'), ends('crlf')]).toEqual([['\r'], ['\n'], ['\r\n']]);
    expect(ends('mixed').toSorted()).toEqual(['\n', '\r', '\r\n']);
    expect(textOf(edited(lineEnds, answer, { form: 'no-space' }))).not.toMatch(/^data: /m);
    const lines = textOf(edited(lineEnds, answer, { form: 'multi-line' })).match(/^data: /gm)?.length ?? 0;
    expect(lines).toBeGreaterThan(10 * scriptedDeltas.length);
  });

  it.each(chatDialectNames)('leaves the last event of %s open', async (dialect) => {
    const answer = await given(dialect);
    expect(textOf(edited(noLastBlank, answer, { form: 'line-end' }))).toMatch(/[^\r\n]\r?\n$/);
    expect(textOf(edited(noLastBlank, answer, { form: 'bare' }))).toMatch(/[\]}]$/);
    const unmarked = textOf(edited(noLastBlank, answer, { form: 'no-mark' }));
    expect(unmarked).not.toMatch(/\[DONE\]|message_stop/);
    expect(unmarked).toMatch(/\}\r?\n$/);
  });

  it.each(chatDialectNames)('sends all events of %s in one write, or one event of 1 MB', async (dialect) => {
    const answer = await given(dialect);
    const one = edited(coalesced, answer, { form: 'one-write' });
    const events = textOf(one).match(/^data: /gm)?.length ?? 0;
    expect(one.frames).toHaveLength(1);
    expect(events).toBeGreaterThanOrEqual([...scriptedDeltas.join('')].length);
    const sizes = edited(coalesced, answer, { form: 'one-megabyte' }).frames.map(({ bytes }) => bytes.length);
    expect(Math.max(...sizes)).toBeGreaterThan(2 ** 20);
  });

  it('sends one character every 100 ms', async () => {
    for (const dialect of chatDialectNames) {
      const slow = edited(slowStream, await given(dialect));
      const due = slow.frames.filter(({ label }) => label.startsWith('delta-')).map(({ dueMs }) => dueMs);
      expect(due).toEqual([...scriptedDeltas.join('')].map((_, k) => k * 100));
      expect(slow.frames.at(-1)?.dueMs).toBe(due.length * 100);
    }
  });
});

describe('roles, endings and order', () => {
  it('the role is in every delta, in none, or empty', async () => {
    for (const dialect of chatDialectNames) {
      const answer = await given(dialect);
      const roles = (form: string): string[] =>
        textOf(edited(roleOddities, answer, { form })).match(/"role":"\w*"/g) ?? [];
      const holders =
        dialect === 'messages' ? 1 : scriptedDeltas.length + (dialect === 'generate-content' ? 1 : 2);
      expect([roles('every').length, roles('none').length, roles('empty').length]).toEqual([
        holders,
        0,
        holders,
      ]);
      expect(new Set(roles('empty'))).toEqual(new Set(['"role":""']));
    }
  });

  it.each([
    ['chat-completions', 'insufficient_system_resource', '"finish_reason":"length"', '"finish_reason":"'],
    ['messages', 'pause_turn', '"stop_reason":"max_tokens"', '"stop_reason":"'],
    ['generate-content', 'OTHER', '"finishReason":"MAX_TOKENS"', '"finishReason":"'],
  ] as const)(
    'the ending of %s reports lack of capacity, an empty answer, or no reason',
    async (dialect, ...words) => {
      const [gaveUp, limit, reason] = words;
      const answer = await given(dialect);
      expect(textOf(edited(finishOdd, answer, { form: 'no-resource' }))).toContain(`"${gaveUp}"`);
      const empty = edited(finishOdd, answer, { form: 'length-empty' });
      expect(textOf(empty)).toContain(limit);
      expect(labels(empty).some((label) => label.startsWith('delta-'))).toBe(false);
      expect(textOf(edited(finishOdd, answer, { form: 'never' }))).not.toContain(reason);
    },
  );

  it('named events are out of order, missing or doubled', async () => {
    const answer = await given('messages');
    const names = (form: string): string =>
      (textOf(edited(eventOrder, answer, { form })).match(/^event: \w+/gm) ?? [])
        .map((line) => line.replace('event: ', '').replace('content_block_', 'block-'))
        .join(' ');
    expect(names('delta-before-start')).toMatch(/^message_start ping block-delta block-start block-delta/);
    expect(names('no-block-stop')).not.toContain('block-stop');
    expect(names('no-stop')).toMatch(/message_delta$/);
    expect(names('two-deltas')).toMatch(/message_delta message_delta message_stop$/);
  });
});
