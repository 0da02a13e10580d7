import type { NativeRequest } from '../dialect.ts';
import {
  type ApiVersion,
  badField,
  badKey,
  badRequest,
  inputTooLong,
  missingKey,
  type NativeError,
  unknownModel,
  unknownToken,
} from './errors.ts';
import { findModel } from './models.ts';
import { type GenerateRequest, parseCount, parseGenerate } from './request.ts';
import { findBrokenRule } from './rules.ts';
import { findBrokenTurn } from './turns.ts';
import { countPrompt, sumOf } from './usage.ts';

/** The model in the URL, and the version in front of it. */
export interface NamedModel {
  readonly name: string;
  readonly version: ApiVersion;
  /** Whether only the models of this upstream exist. */
  readonly isStrict: boolean;
}

export type Accepted = { ok: true; request: GenerateRequest } | { ok: false; error: NativeError };

/** The key is in the header `x-goog-api-key` or the query parameter `key`. Any plain word is accepted. */
export function refuseKey({ headers, query }: NativeRequest): NativeError | null {
  const key = headers.get('x-goog-api-key') ?? query.get('key') ?? '';
  if (key === '') return headers.get('authorization') !== undefined ? unknownToken() : missingKey();
  return /^[\w.-]+$/.test(key) ? null : badKey();
}

/** The native checks of a generation after the key, in order: form, model, values, turns, window. */
export function acceptGenerate(
  body: Buffer,
  { name, version, isStrict: hasStrictModels }: NamedModel,
  isStrict = false,
): Accepted {
  const parsed = parseGenerate(body);
  if (!parsed.ok) return parsed;
  const request = parsed.payload;
  const model = findModel(name, hasStrictModels);
  if (model === undefined) return refuse(unknownModel(name, version));
  const error =
    refuseOtherModel(request, name, false) ??
    findBrokenRule(request, model.outputTokens, isStrict) ??
    findBrokenTurn(request.contents ?? [], isStrict);
  if (error !== null) return refuse(error);
  const tokens = sumOf(countPrompt(request));
  return tokens > model.inputTokens ? refuse(inputTooLong(tokens, model.inputTokens)) : { ok: true, request };
}

/** Reads a request to count tokens. Its values are not checked, and it may exceed the model's limit. */
export function acceptCount(body: Buffer, { name, version, isStrict }: NamedModel): Accepted {
  const parsed = parseCount(body);
  if (!parsed.ok) return parsed;
  if (findModel(name, isStrict) === undefined) return refuse(unknownModel(name, version));
  const { contents, generateContentRequest: whole } = parsed.payload;
  if (contents !== undefined && whole !== undefined) {
    return refuse(badRequest('contents and generate_content_request exclude each other.'));
  }
  const request = whole ?? { contents: contents ?? [] };
  const error = whole === undefined ? null : refuseOtherModel(whole, name, true);
  if (error !== null) return refuse(error);
  return (request.contents ?? []).length === 0
    ? refuse(badField('contents', 'contents is not specified'))
    : { ok: true, request };
}

function refuseOtherModel({ model }: GenerateRequest, name: string, isRequired: boolean): NativeError | null {
  if (model === undefined && !isRequired) return null;
  // Some clients repeat the model of the URL in the body, with or without the `models/` prefix.
  const isSame = model === `models/${name}` || (!isRequired && model === name);
  return isSame ? null : badField('model', 'it must be the model of the address');
}

function refuse(error: NativeError): { ok: false; error: NativeError } {
  return { ok: false, error };
}
