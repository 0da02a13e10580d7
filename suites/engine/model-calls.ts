import type { ModelCalls } from 'gatecheck-reports/evidence';
import { fieldsOf } from '../oracle/media/fields.ts';
import { mediaModel } from '../oracle/media/models.ts';
import type { Made } from '../oracle/media/price.ts';
import type { UsageCounts } from '../oracle/price.ts';
import type { WireRequest } from '../wire/client.ts';
import { decodedPart } from '../wire/curl.ts';
import type { Exchange } from '../wire/exchange.ts';
import { statedUsage } from './stated-usage.ts';
import type { WayName } from './way-of.ts';

/** One generation that a deployment accepted and charges for: tokens of a chat call, or the images and seconds of media. */
export type Generation =
  | { readonly model: string; readonly tokens: UsageCounts }
  | { readonly model: string; readonly made: Made };

type Json = Readonly<Record<string, unknown>>;

/** Larger bodies are not searched for a model, bytes. The fuzzer generates them, and gateways must refuse them. */
const longestRead = 1_000_000;

/** Length assumed for a task whose request and model state none, seconds. */
const usualSeconds = 8;

/** The most images, or seconds, that any model makes in one call. */
const mostMade = 10_000;

/** The number of images in the first step of a model with several steps. */
const picturesOfGrid = 4;

/** A call that names a model. */
export interface ModelCall {
  readonly model: string;
  readonly way: WayName;
  /** Empty where the path names the model. */
  readonly body: Json;
}

/** The model call in a request; null when `way` is null or no model can be read. */
export function modelCallOf(
  { path, body }: Pick<WireRequest, 'path' | 'body'>,
  way: WayName | null,
): ModelCall | null {
  if (way === null) return null;
  const inPath = /^\/compat-b\/v1beta\/models\/([^:/?]+):/.exec(path)?.[1];
  const read = inPath === undefined ? (bodyOf(body) ?? {}) : {};
  const model = inPath === undefined ? read.model : decodedPart(inPath);
  return typeof model === 'string' && model !== '' ? { model, way, body: read } : null;
}

/**
 * The generation that an answered call is charged for; null when the call was not accepted. An accepted task counts as paid,
 * because most succeed and tasks under way must not overrun the budget.
 */
export function generationOf({ model, way, body }: ModelCall, exchange: Exchange): Generation | null {
  const { status = 500 } = exchange.response ?? {};
  if (status >= 300) return null;
  return way === 'images' || way === 'tasks'
    ? { model, made: madeBy(model, body) }
    : { model, tokens: statedUsage(exchange) };
}

/** The calls of a model, plus one call and what it generated. */
export function addGeneration(calls: ModelCalls, generation: Generation | null): ModelCalls {
  if (generation === null) return calls;
  const counts: Readonly<Record<string, number | string>> =
    'tokens' in generation ? { ...generation.tokens } : { ...generation.made };
  const sums: Record<string, number> = { ...calls, paid: (calls.paid ?? 0) + 1 };
  for (const [name, count] of Object.entries(counts))
    if (typeof count === 'number' && count > 0) sums[name] = (sums[name] ?? 0) + count;
  return sums as unknown as ModelCalls;
}

function madeBy(model: string, { n, duration, quality, action }: Json): Made {
  const known = mediaModel(model);
  const level = (['low', 'medium', 'high', 'auto'] as const).find((one) => one === quality);
  if (known !== undefined && known.medium !== 'image') {
    const preset = fieldsOf(model).find(({ name }) => name === 'duration')?.default;
    return { images: 0, seconds: firstCount([duration, preset]) ?? usualSeconds };
  }
  const firstStep = action === 'upscale' ? 1 : picturesOfGrid;
  const images = known?.endpoint === 'tasks' ? firstStep : (firstCount([n]) ?? 1);
  return { images, seconds: 0, ...(level === undefined ? {} : { quality: level }) };
}

/** The first value that can be a number of images or seconds. Generated requests have values of all kinds. */
function firstCount(values: readonly unknown[]): number | undefined {
  const found = values.find((value) => typeof value === 'number' && value > 0 && value <= mostMade);
  return found === undefined ? undefined : Math.ceil(Number(found));
}

function bodyOf(body: WireRequest['body']): Json | null {
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return (body ?? null) as Json | null;
  if (body.length > longestRead) return null;
  try {
    return JSON.parse(String(body)) as Json | null;
  } catch {
    return null;
  }
}
