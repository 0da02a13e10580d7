import { isObject, parseJson, valueAt } from '../../json/json-body.ts';
import type { Pace } from '../../latency/pace.ts';
import { decodeRequest, userText } from '../../requests/decode-request.ts';
import { seededVector } from '../composition/vector.ts';
import { type Judged, plainAnswer } from '../dialect.ts';
import type { NamedModel } from './accept.ts';
import { badRequest, jsonType, renderError, unknownModel } from './errors.ts';
import { findModel } from './models.ts';

const usualDimensions = 768;

/** A vector for the content of a request, or one for each of its requests. */
export function embed(
  body: Buffer,
  { name, version, isStrict }: NamedModel,
  isBatch: boolean,
  { seed, pace }: { readonly seed: number; readonly pace: Pace },
): Judged {
  if (findModel(name, isStrict) === undefined) return refused(unknownModel(name, version));
  const json = parseJson(body);
  const requests = isBatch ? valueAt(json, ['requests']) : [json];
  if (!Array.isArray(requests) || requests.length === 0 || !requests.every(hasContent))
    return refused(badRequest('* EmbedContentRequest.content: contents is not specified\n'));
  const embeddings = requests.map((request) => {
    const dimensions = valueAt(request, ['outputDimensionality']);
    const length = typeof dimensions === 'number' && dimensions > 0 ? dimensions : usualDimensions;
    return { values: seededVector(userText(decodeRequest(request)), length, seed, name) };
  });
  const answer = isBatch ? { embeddings } : { embedding: embeddings[0] };
  return plainAnswer(`${JSON.stringify(answer, null, 2)}\n`, jsonType, pace);
}

function hasContent(request: unknown): boolean {
  return isObject(request) && Array.isArray(valueAt(request, ['content', 'parts']));
}

function refused(error: Parameters<typeof renderError>[0]): Judged {
  return { ok: false, refusal: renderError(error, false) };
}
