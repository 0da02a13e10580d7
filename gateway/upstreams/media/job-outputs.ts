import { isObject, type JsonObject } from '../../http/parse-json.ts';
import { parseJson } from '../read-answer.ts';
import type { JobOutput } from './media-outcome.ts';
import { fileIn } from './read-link.ts';

/** How a dialect writes the outputs of a job. */
export interface OutputWords {
  /** The member that has them; it comes before all other places. */
  readonly place: string;
  /** The member of an output that states its length. */
  readonly length: string;
  /** The URL of the upstream, from which links without a host begin. */
  readonly baseUrl: string;
}

/** Maximum number of files of one job. */
const maxOutputs = 16;
/** Maximum duration of an output. */
const maxSeconds = 86_400;

/** Where upstreams put the outputs of a job. Other places may repeat the input. */
const places = [
  ...['output', 'outputs', 'result', 'results', 'task_result', 'response', 'data', 'works'],
  ...['resultJson', 'result_urls', 'resultUrls', 'result_url', 'url', 'download_url'],
  ...['creations', 'videoInfo', 'assets', 'unsigned_urls', 'generated_videos'],
];
const media = ['video', 'audio', 'content'];
const innerPlaces = [
  ...[...places, ...media, 'videos', 'audios', 'image', 'images', 'files', 'urls', 'sample'],
  ...['sunoData', 'generateVideoResponse', 'generatedSamples', 'generatedVideos'],
];
const links = [
  ...['url', 'uri', 'video_url', 'videoUrl', 'audio_url', 'audioUrl', 'image_url', 'imageUrl'],
  ...['download_url', 'downloadUrl'],
];
const maxDepth = 5;

/**
 * The outputs of a job, as far as they can be fetched: links, objects with a link, lists or objects of these, and any of them
 * as JSON text. A medium at the top counts as an object only: as a plain link, it is often the input.
 */
export function outputsIn(record: JsonObject, words: OutputWords): JobOutput[] {
  const found = new Map<string, JobOutput>();
  const look = (value: unknown, depth: number): void => {
    if (depth > maxDepth || found.size >= maxOutputs) return;
    if (Array.isArray(value)) {
      for (const one of value.slice(0, maxOutputs)) look(one, depth + 1);
      return;
    }
    const written = jsonIn(value);
    if (written !== undefined) {
      look(written, depth + 1);
      return;
    }
    if (typeof value !== 'string' && !isObject(value)) return;
    const given = isObject(value) ? value : { url: value };
    const url = links.map((name) => fileIn(given[name], words.baseUrl)).find((link) => link !== null);
    if (url !== undefined) {
      if (!found.has(url)) found.set(url, { url, durationSec: secondsIn(given[words.length]) });
    } else if (isObject(value)) {
      for (const place of innerPlaces) look(value[place], depth + 1);
    }
  };
  for (const place of new Set([words.place, ...places])) if (found.size === 0) look(record[place], 0);
  for (const name of media) if (found.size === 0 && isObject(record[name])) look(record[name], 0);
  return [...found.values()].slice(0, maxOutputs);
}

/** The value that a text of JSON has; undefined for anything else. */
function jsonIn(value: unknown): unknown {
  return typeof value === 'string' && /^\s*[[{]/.test(value) ? parseJson(value) : undefined;
}

/** A duration in whole seconds, also as text, with a unit or as a clock shows it; null when there is none. */
function secondsIn(value: unknown): number | null {
  const length = typeof value === 'string' ? secondsOf(value.trim()) : value;
  const isLength = typeof length === 'number' && length > 0 && length <= maxSeconds;
  return isLength ? Math.max(1, Math.round(length)) : null;
}

function secondsOf(text: string): number | null {
  const plain = /^(\d{1,5}(?:\.\d{1,9})?) ?(?:s|sec|secs|seconds)?$/i.exec(text);
  if (plain !== null) return Number(plain[1]);
  if (!/^(?:\d{1,2}:)?\d{1,2}:\d{2}(?:\.\d{1,9})?$/.test(text)) return null;
  return text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
}
