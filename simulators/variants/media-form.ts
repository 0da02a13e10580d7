import { z } from 'zod';
import type { NativeAnswer } from '../answers/native-answer.ts';
import { editJson } from '../faults/native/answer-json.ts';
import { isObject } from '../json/json-body.ts';

type Members = Readonly<Record<string, unknown>>;

/** How a provider writes the state and the results of media, where it differs from others of its dialect. */
export const mediaFormSchema = z.strictObject({
  /** The member that has the id of a job. */
  id: z.string().exactOptional(),
  /** The member that has the state, and its values by those of the dialect. */
  state: z
    .strictObject({
      member: z.string(),
      values: z.record(z.string(), z.union([z.string(), z.int()])),
    })
    .exactOptional(),
  /** Members around the record of a job, which is then their `data`. */
  around: z.record(z.string(), z.unknown()).exactOptional(),
  /** The place of the results, with dots between members. */
  at: z.string().exactOptional(),
  /** The form of the results. */
  results: z.enum(['links', 'link-object', 'named-links', 'json-text', 'images']).exactOptional(),
  /** The form of a length: with a decimal point, as text. */
  lengths: z.literal('text').exactOptional(),
});
export type MediaForm = z.infer<typeof mediaFormSchema>;

/** The answer of a media upstream as this provider writes it. Refusals stay as they are. */
export function withMediaForm(given: NativeAnswer, form: MediaForm): NativeAnswer {
  if (given.status >= 400) return given;
  return editJson(given, (document) => {
    if (given.dialect === 'images') return { ...document, data: pictures(document.data) };
    const isWrapped = given.dialect === 'callback-jobs';
    if (!isWrapped) return around(form, record(document, form));
    return isMembers(document.data) ? { ...document, data: record(document.data, form) } : document;
  });
}

function isMembers(value: unknown): value is Members {
  return isObject(value);
}

function around({ around }: MediaForm, data: Members): Members {
  return around === undefined ? data : { ...around, data };
}

function record(job: Members, form: MediaForm): Members {
  const { id, state, at } = form;
  const { id: jobId, taskId, status, output, results, ...rest } = job;
  const made = output ?? results;
  const list = Array.isArray(made) ? made.filter(isMembers) : [];
  const idMember = id ?? (taskId === undefined ? 'id' : 'taskId');
  const named = { [idMember]: taskId ?? jobId };
  const word = state === undefined || typeof status !== 'string' ? status : (state.values[status] ?? status);
  const shown = status === undefined ? {} : { [state?.member ?? 'status']: word };
  // An answer to a submit has no results.
  if (made === undefined) return { ...rest, ...named, ...shown };
  const place = (at ?? (output === undefined ? 'results' : 'output')).split('.');
  const value = list.length === 0 ? null : written(list, form);
  const placed = place.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  return { ...rest, ...named, ...shown, ...(isObject(placed) ? placed : {}) };
}

function written(list: readonly Members[], { results, lengths }: MediaForm): unknown {
  const links = list.map(({ url }) => url);
  switch (results) {
    case 'links':
      return links;
    case 'json-text':
      return JSON.stringify({ resultUrls: links });
    case 'link-object':
      return { ...list[0], duration: list[0]?.duration_seconds };
    case 'named-links':
      return list.map(({ url, kind, durationSec }) => ({ [`${kind}Url`]: url, duration: durationSec }));
    case 'images':
    case undefined:
      return lengths === undefined ? list : list.map(withTextLength);
  }
}

function withTextLength(result: Members): Members {
  const { duration_seconds: seconds } = result;
  return typeof seconds === 'number' ? { ...result, duration_seconds: seconds.toFixed(1) } : result;
}

/** Images as flat lists: of links, or of base64. */
function pictures(data: unknown): Members {
  const list = Array.isArray(data) ? data.filter(isMembers) : [];
  const lists = { image_urls: list.map(({ url }) => url), image_base64: list.map(({ base64 }) => base64) };
  return Object.fromEntries(
    Object.entries(lists)
      .map(([name, values]) => [name, values.filter((value) => value !== undefined)] as const)
      .filter(([, values]) => values.length > 0),
  );
}
