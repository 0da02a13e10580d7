import type { Reply } from 'gatecheck-simulators/client';
import type { Dialect } from '../profile/dialects.ts';
import { allOf, asStream, type NativeCounts } from './native/answer.ts';
import { native } from './native-answer.ts';

/** An answer with these counts, in one of the forms in which its dialect can report them. */
export interface UsageForm {
  readonly label: string;
  readonly counts: NativeCounts;
  readonly reply: (stream: boolean) => Reply;
}

/** Counts with reads, writes, both and neither; with reasoning if the dialect reports it. */
const countsOf: Readonly<Record<Dialect, readonly NativeCounts[]>> = {
  'chat-completions': [
    { prompt_tokens: 1237, completion_tokens: 89, cached_tokens: 64 },
    { prompt_tokens: 1237, completion_tokens: 89, cached_tokens: 1237, reasoning_tokens: 60 },
    { prompt_tokens: 12, completion_tokens: 7 },
  ],
  messages: [
    {
      prompt_tokens: 12_457,
      completion_tokens: 89,
      cached_tokens: 12_304,
      cache_write_tokens: 150,
      cache_write_1h_tokens: 40,
    },
    { prompt_tokens: 12_307, completion_tokens: 5, cache_write_tokens: 12_304 },
    { prompt_tokens: 12_304, completion_tokens: 5, cached_tokens: 12_304 },
    { prompt_tokens: 100, completion_tokens: 5, cache_write_tokens: 99, cache_write_1h_tokens: 99 },
    { prompt_tokens: 12, completion_tokens: 7 },
  ],
  'generate-content': [
    { prompt_tokens: 4705, completion_tokens: 3088, cached_tokens: 2048, reasoning_tokens: 2999 },
    { prompt_tokens: 1237, completion_tokens: 89, cached_tokens: 1237 },
    { prompt_tokens: 12, completion_tokens: 7, reasoning_tokens: 7 },
    { prompt_tokens: 12, completion_tokens: 7 },
  ],
};

/** Members that an upstream of the dialect may omit or repeat without a change of meaning. */
const wordings: Readonly<Record<Dialect, Readonly<Record<string, (text: string) => string>>>> = {
  'chat-completions': {
    'in full': (text) => text,
    'without their sum': (text) => text.replaceAll(/,"total_tokens":\d+/g, ''),
    'with details that are null': (text) =>
      text.includes('prompt_tokens_details')
        ? text
        : text.replace('"total_tokens"', '"prompt_tokens_details":null,"total_tokens"'),
    'with a count of the prompt at the start, and no word of the cache': promptAtStart,
    'beside the end of its choice': besideTheEnd,
    'beside an empty delta behind the end': (text) =>
      text.replace('"choices":[],', '"choices":[{"index":0,"delta":{},"finish_reason":null}],'),
    'beside each delta': besideEachDelta,
  },
  messages: {
    'in full': (text) => text,
    'with null for nothing': (text) =>
      text.replaceAll(/"(cache_(?:read|creation)_input_tokens)":0(?=[,}])/g, '"$1":null'),
    'with all counts once more at the end': repeatAtEnd,
    'with all counts at the end, and fewer before': growAtEnd,
    'without a word of an empty slot': (text) =>
      text.replaceAll(/"ephemeral_5m_input_tokens":0,|,"ephemeral_1h_input_tokens":0(?=\})/g, ''),
    'without the share of each slot': (text) => text.replaceAll(/,"cache_creation":\{[^}]*\}/g, ''),
  },
  'generate-content': {
    'in full': (text) => text,
    'without their sum': (text) => text.replaceAll(/,"totalTokenCount":\d+/g, ''),
    'with a count of nothing for what is nothing': (text) =>
      text.includes('cachedContentTokenCount')
        ? text
        : text.replaceAll('"totalTokenCount"', '"cachedContentTokenCount":0,"totalTokenCount"'),
    'at the end alone': (text) => lastOnly(text),
    'at the end alone, behind the end of the answer': (text) => apartAtEnd(lastOnly(text)),
    'with a part of the input from the use of tools': (text) =>
      text.replaceAll(
        /"promptTokenCount":(\d+)/g,
        (_, all) => `"promptTokenCount":${Number(all) - 5},"toolUsePromptTokenCount":5`,
      ),
  },
};

/** Every form of the dialect with each of its counts. */
export function usageForms(dialect: Dialect): UsageForm[] {
  const { completion, stream } = native(dialect);
  return countsOf[dialect].flatMap((usage) =>
    Object.entries(wordings[dialect]).map(([label, word]) => ({
      label: `${JSON.stringify(usage)} ${label}`,
      counts: usage,
      reply: (streamed): Reply =>
        streamed
          ? asStream(word(allOf(stream(['Counted ', 'elsewhere.'], { usage })).join('')))
          : {
              status: 200,
              headers: { 'content-type': 'application/json' },
              body: word(JSON.stringify(completion({ text: 'Counted elsewhere.', usage }).body)),
            },
    })),
  );
}

/** A stream that reports its usage with each chunk knows its cached tokens only at the end. */
function promptAtStart(text: string): string {
  const [, prompt] = /"prompt_tokens":(\d+)/.exec(text) ?? [];
  if (prompt === undefined || !text.startsWith('data: {')) return text;
  const usage = `{"prompt_tokens":${prompt},"completion_tokens":0,"total_tokens":${prompt}}`;
  const end = text.indexOf('\n');
  const bare = text.slice(0, end).replace(/,"usage":null/, '');
  return bare.replace('data: {', `data: {"usage":${usage},`) + text.slice(end);
}

const usageChunk = /data: \{[^\n]*"choices":\[\],("usage":\{[^\n]*\})\}\n\n/;

/** A stream has its usage on the chunk that ends the choice, and no chunk for it alone. */
function besideTheEnd(text: string): string {
  const [alone = '', usage = ''] = usageChunk.exec(text) ?? [];
  const bare = text.replace(alone, '');
  return alone === '' ? text : bare.replace(/("finish_reason":"\w+"\}\])/, `$1,${usage}`);
}

/** A stream counts in each chunk, so that the last count is in the one that ends the choice. */
function besideEachDelta(text: string): string {
  const [alone = '', usage = ''] = usageChunk.exec(text) ?? [];
  if (alone === '') return text;
  return text.replace(alone, '').replaceAll(/("finish_reason":(?:null|"\w+")\}\])/g, `$1,${usage}`);
}

const usageMetadata = /"usageMetadata":\{.*?\},(?="modelVersion")/g;

/** A stream reports its usage only in its last event. */
function lastOnly(text: string): string {
  let left = text.match(usageMetadata)?.length ?? 0;
  return text.replaceAll(usageMetadata, (usage) => {
    left -= 1;
    return left > 0 ? '' : usage;
  });
}

/** A stream reports its usage in an event behind the one that ends the answer. */
function apartAtEnd(text: string): string {
  const [usage = ''] = text.match(usageMetadata) ?? [];
  if (usage === '' || !text.startsWith('data: {')) return text;
  return `${text.replace(usage, '').trimEnd()}\n\ndata: {${usage.slice(0, -1)}}\n\n`;
}

/** A stream repeats its input counts at the end, with the output. A whole answer has only one report. */
function repeatAtEnd(text: string): string {
  const [, input = ''] = /"usage":\{(.*?),"output_tokens":1\}/.exec(text) ?? [];
  const end = text.indexOf('event: message_delta');
  if (input === '' || end < 0) return text;
  return text.slice(0, end) + text.slice(end).replace('"usage":{', `"usage":{${input},`);
}

/** As above, but the counts at the start are partial. The counts at the end are those of the whole call. */
function growAtEnd(text: string): string {
  const repeated = repeatAtEnd(text);
  return repeated === text
    ? text
    : repeated.replace(/"usage":\{.*?,"output_tokens":1\}/, '"usage":{"input_tokens":1,"output_tokens":1}');
}
