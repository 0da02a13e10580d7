import { type AnswerKind, chatDialect, type DialectName } from '../../answers/native-answer.ts';
import { chatCallDeltas, type providerForms, withEncodedArguments } from './chat-calls.ts';
import { firstChunk } from './content.ts';
import { mapEvents, mapFrame } from './edit-answer.ts';
import { withEndWord } from './endings.ts';
import { isJsonObject, type JsonObject, type JsonPath, readPath, withMember } from './json-path.ts';
import type { NativeEvent, OpenFrame } from './open-answer.ts';
import {
  inSnakeCase,
  usageInParts,
  withChoiceIndex,
  withReasonNumbers,
  withTextInParts,
  withTextSoFar,
} from './other-forms.ts';
import { firstContent, insertAt, isDelta, placeAfter, placeOf } from './places.ts';
import { finalUsage, mapUsage, usageMember, usagesOf, withoutUsage } from './usage-places.ts';
import { recount } from './usage-sums.ts';

/** How a provider differs from the others of its dialect. Paths are members and indexes with dots between: `choices.0.usage`. */
export interface Variation {
  readonly usage?: {
    /** Native counts by path, each a sum of counts: `prompt - cached`. They replace all counts of the dialect. */
    readonly counts?: Readonly<Record<string, string>>;
    /** The place of the counts in a stream, instead of the dialect's own. */
    readonly at?: string;
    /** In a stream, the counts come with the finish reason, not in their own chunk. */
    readonly on?: 'finish';
    /** The value of the counts in earlier chunks. */
    readonly before?: 'null' | 'zero';
    /** The report in a stream that has zeros for the counts of the other: the start, or the later one. */
    readonly zero?: 'start' | 'end';
    /** In a stream, each piece of text has the counts of its own tokens only. */
    readonly parts?: true;
  };
  readonly end?: {
    /** The word that replaces every finish reason; null for none. */
    readonly word?: string | null;
    /** The finish reason before the end: an empty string, or no member. */
    readonly pending?: 'empty' | 'absent';
    /** Where the finish reason also appears: in an empty piece before the text, on every piece, or in one behind every piece. */
    readonly early?: 'first' | 'every' | 'behind-every';
    /** Finish reasons are the numbers of the protocol buffer. */
    readonly numbers?: true;
  };
  /** The index of the only choice in a stream: always 1, or the number of the chunk. */
  readonly choice?: 'one' | 'counting';
  /** Members have the names of the protocol buffer. */
  readonly names?: 'snake';
  /** Members that are null where other providers omit them. */
  readonly nulls?: readonly string[];
  /** Renamed members. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Events of a stream that others do not send: before its text, within, or before its end. Members are added to those of a chunk. */
  readonly extra?: { readonly at: 'start' | 'middle' | 'end'; readonly data: JsonObject | string | null };
  /** Pieces of text in a stream have the whole text so far, or all texts are lists of parts. */
  readonly text?: 'so-far' | 'parts';
  /** The form of the fragments of tool calls. */
  readonly calls?: (typeof providerForms)[number];
}

/** The properties of the answer that an edit needs. */
interface Answer {
  readonly dialect: DialectName;
  readonly call: AnswerKind;
}

/** The frames of an answer as this variant sends them. */
export function vary(given: readonly OpenFrame[], answer: Answer, variation: Variation): OpenFrame[] {
  const { usage, end, choice, names, nulls = [], renamed = {}, extra, calls, text } = variation;
  const isStream = answer.call === 'stream';
  let frames = [...given];
  if (calls !== undefined && isStream) frames = chatCallDeltas(frames, calls);
  if (calls === 'encoded-twice' && !isStream) frames = withEncodedArguments(frames);
  if (text === 'so-far' && isStream) frames = withTextSoFar(frames);
  if (text === 'parts') frames = withTextInParts(frames);
  if (usage !== undefined) frames = varyUsage(frames, answer, usage);
  if (end !== undefined) frames = varyEnd(frames, answer, end);
  if (nulls.length > 0) frames = mapEvents(frames, (data) => withNulls(data, nulls));
  for (const [from, to] of Object.entries(renamed))
    frames = mapEvents(frames, (data) => moved(data, pathOf(from), pathOf(to)));
  if (isStream && choice !== undefined) frames = withChoiceIndex(frames, choice);
  if (names !== undefined) frames = inSnakeCase(frames);
  return isStream && extra !== undefined ? insertAt(frames, ...extraFrame(frames, extra)) : frames;
}

function varyUsage(
  given: OpenFrame[],
  { dialect, call }: Answer,
  { counts, at, on, before, zero, parts }: NonNullable<Variation['usage']>,
): OpenFrame[] {
  let frames = given;
  if (counts !== undefined) frames = mapUsage(frames, dialect, (usage) => recount(usage, dialect, counts));
  if (call === 'stream' && on === 'finish') frames = onFinish(frames, dialect);
  if (call === 'stream' && zero !== undefined) frames = withZeros(frames, dialect, zero);
  if (call === 'stream' && before !== undefined) frames = withBefore(frames, dialect, before);
  if (call === 'stream' && parts === true) frames = usageInParts(frames, dialect);
  if (call !== 'stream' || at === undefined) return frames;
  return mapEvents(frames, (data) => moved(data, [usageMember(dialect)], pathOf(at)));
}

/** Sends the counts only with the finish reason. */
function onFinish(frames: OpenFrame[], dialect: DialectName): OpenFrame[] {
  const usage = finalUsage(frames, dialect);
  if (usage === undefined) return frames;
  return mapFrame(withoutUsage(frames, dialect), 'finish', (data) => ({
    ...data,
    [usageMember(dialect)]: usage,
  }));
}

/**
 * Puts zeros into one of the two reports of a messages stream. In other dialects, it inserts one more report of zeros, at the
 * start or the end.
 */
function withZeros(frames: OpenFrame[], dialect: DialectName, zero: 'start' | 'end'): OpenFrame[] {
  if (dialect === 'messages') {
    const whole = usagesOf(frames, dialect)[0] ?? {};
    return mapUsage(frames, dialect, (usage, isStart) => {
      const inputs = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== 'output_tokens'));
      if (isStart === (zero === 'start')) return { ...usage, ...zeros(inputs) };
      return zero === 'start' ? { ...inputs, ...usage } : usage;
    });
  }
  const last = finalUsage(frames, dialect);
  if (last === undefined) return frames;
  const data = {
    ...firstChunk(frames),
    ...emptyChunk[chatDialect(dialect)],
    [usageMember(dialect)]: zeros(last),
  };
  const place = zero === 'start' ? firstContent(frames) : endPlace(frames);
  return insertAt(frames, place, frameOf('usage-zero', frames[place - 1], data));
}

function withBefore(frames: OpenFrame[], dialect: DialectName, before: 'null' | 'zero'): OpenFrame[] {
  const member = usageMember(dialect);
  const usage = finalUsage(frames, dialect) ?? {};
  return mapEvents(frames, (data) =>
    isJsonObject(data[member]) ? data : { ...data, [member]: before === 'null' ? null : zeros(usage) },
  );
}

function varyEnd(
  given: OpenFrame[],
  { dialect, call }: Answer,
  { word, pending, early, numbers }: NonNullable<Variation['end']>,
): OpenFrame[] {
  const isStream = call === 'stream';
  let frames = given;
  if (word !== undefined)
    frames = withEndWord(frames, dialect, call, (known) => (known === null ? known : word));
  if (numbers === true) frames = withReasonNumbers(frames);
  if (isStream && early === 'every') frames = onEveryPiece(frames, dialect);
  if (isStream && early === 'behind-every')
    frames = frames.flatMap((frame) =>
      isDelta(frame) ? [frame, frameOf('early-end', frame, emptyEnd(frames, dialect))] : [frame],
    );
  if (isStream && early === 'first') {
    const place = firstContent(frames);
    frames = insertAt(frames, place, frameOf('early-end', frames[place - 1], emptyEnd(frames, dialect)));
  }
  if (!isStream || pending === undefined) return frames;
  return withEndWord(frames, dialect, call, (known) => known ?? (pending === 'empty' ? '' : undefined));
}

const stop = { 'chat-completions': 'stop', messages: 'end_turn', 'generate-content': 'STOP' } as const;

function onEveryPiece(frames: OpenFrame[], dialect: DialectName): OpenFrame[] {
  const word = stop[chatDialect(dialect)];
  return frames.map((frame) =>
    isDelta(frame) ? { ...frame, ...withEndWord([frame], dialect, 'stream', () => word)[0] } : frame,
  );
}

/** A piece without text that ends the answer. */
function emptyEnd(frames: readonly OpenFrame[], dialect: DialectName): JsonObject {
  if (dialect === 'generate-content') {
    const content = { parts: [], role: 'model' };
    return {
      ...firstChunk(frames),
      candidates: [{ content, finishReason: stop['generate-content'], index: 0 }],
    };
  }
  const delta = { role: 'assistant', content: '' };
  return { ...firstChunk(frames), choices: [{ index: 0, delta, finish_reason: stop['chat-completions'] }] };
}

const emptyChunk = {
  'chat-completions': { choices: [] },
  messages: {},
  'generate-content': { candidates: [] },
} as const;

function extraFrame(
  frames: readonly OpenFrame[],
  { at, data }: NonNullable<Variation['extra']>,
): [place: number, frame: OpenFrame] {
  const place =
    at === 'start' ? firstContent(frames) : at === 'middle' ? placeAfter(frames, 1) : endPlace(frames);
  return [
    place,
    frameOf(
      'extra',
      frames[place - 1],
      data === null || typeof data === 'string' ? (data ?? 'null') : { ...firstChunk(frames), ...data },
    ),
  ];
}

/** The position before the end mark, or the end if the dialect has no mark. */
function endPlace(frames: readonly OpenFrame[]): number {
  const mark = placeOf(frames, 'done');
  return mark === -1 ? frames.length : mark;
}

function frameOf(label: string, before: OpenFrame | undefined, data: NativeEvent['data']): OpenFrame {
  return { label, dueMs: before?.dueMs ?? 0, events: [{ name: null, data }] };
}

/** Sets null at every path whose parent exists and lacks the member. */
function withNulls(data: JsonObject, paths: readonly string[]): JsonObject {
  return paths.map(pathOf).reduce((changed, path) => {
    const isThere =
      isJsonObject(readPath(changed, path.slice(0, -1))) && readPath(changed, path) === undefined;
    return isThere ? withMember(changed, path, null) : changed;
  }, data);
}

function moved(data: JsonObject, from: JsonPath, to: JsonPath): JsonObject {
  const value = readPath(data, from);
  return value === undefined ? data : withMember(withMember(data, from, undefined), to, value);
}

function pathOf(path: string): JsonPath {
  return path.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

/** The same counts, all of them zero. */
function zeros(usage: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(usage).map(([name, value]) => [name, isJsonObject(value) ? zeros(value) : 0]),
  );
}
