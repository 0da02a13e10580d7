import { chatCatalogue, chatModel } from '../oracle/chat-catalogue.ts';
import { mediaModel, mediaModels } from '../oracle/media/models.ts';
import type { Exchange } from '../wire/exchange.ts';
import { type WayName, wayNames, wayOf } from './way-of.ts';

/** Models are named near the beginning of a body, and bodies can hold images, bytes. */
const longestRead = 65_536;

/**
 * Where an exchange took place, so that a defect in one place does not hide a defect in another. A call has its endpoint and
 * the family of its chat model, or the kind of media. A read has the list of models, or tasks. Null for all other exchanges.
 */
export function placeOf(exchange: Exchange | undefined, known?: WayName | null): string | null {
  if (exchange === undefined) return null;
  const { method, url, body } = exchange.request;
  // The deployment may have a path prefix.
  const path = /\/(?:api\/v1|compat-[ab])\/.*$/.exec(url)?.[0];
  if (path === undefined) return null;
  const way = known ?? wayOf({ method, path, body });
  if (way === null) return readIn(method, path);
  const model = /\/models\/([^:/?]+):/.exec(path)?.[1] ?? modelIn(body);
  const kind = model === null ? undefined : kindOf(model, way);
  return kind === undefined ? way : `${way}, ${kind}`;
}

const reads = ['models', 'task reads'] as const;
const kinds: readonly string[] = [
  ...chatCatalogue.map(({ family }) => family),
  ...mediaModels.map(({ medium }) => medium),
];

/** The endpoint of a place, without the kind of model: `core, stream` of `core, stream, alpha`. */
export function endpointIn(place: string): string {
  const kind = /, ([^,]+)$/.exec(place)?.[1] ?? '';
  return kinds.includes(kind) ? place.slice(0, -(kind.length + 2)) : place;
}

/** Whether {@link placeOf} has this word for a place. */
export function isPlace(place: string): boolean {
  const endpoint = endpointIn(place);
  return [...wayNames, ...reads].some((one) => one === endpoint);
}

function kindOf(model: string, way: WayName): string | undefined {
  return way === 'tasks' ? mediaModel(model)?.medium : chatModel(model)?.family;
}

function readIn(method: string, path: string): (typeof reads)[number] | null {
  if (method !== 'GET') return null;
  if (/^\/api\/v1\/models\b/.test(path)) return 'models';
  return /^\/api\/v1\/tasks\b/.test(path) ? 'task reads' : null;
}

/** The model that a body names, found even when the body is not valid JSON. */
function modelIn(body: Buffer): string | null {
  return /"model"\s*:\s*"([^"\\]{1,100})"/.exec(body.toString('utf8', 0, longestRead))?.[1] ?? null;
}
