import { z } from 'zod';
import { isObject, parseJson, sortedMembers } from '../../json/json-body.ts';
import { invalidRequest, type NativeError, unknownModel } from '../chat-completions/errors.ts';
import { findMemberFault } from '../media/native-members.ts';
import { memberError } from './errors.ts';
import { findModel, type NativeModel } from './models.ts';

/** A request that its model accepts. */
export interface ImagesRequest {
  readonly model: NativeModel;
  readonly prompt: string;
  readonly count: number;
  readonly output: 'url' | 'base64';
  readonly size: string | undefined;
  readonly ratio: string | undefined;
  readonly seed: number | null;
  /** Whether the model rewrites the prompt. */
  readonly rewrites: boolean;
  /** The whole request in a canonical order of members. The images depend on it. */
  readonly content: string;
}

export type ParsedRequest = { ok: true; request: ImagesRequest } | { ok: false; error: NativeError };

/**
 * Reads a body as strictly as the real upstream: the first invalid field causes a native 400, an unknown model a
 * 404.
 */
export function parseRequest(body: Buffer): ParsedRequest {
  const json = parseJson(body);
  if (!isObject(json)) {
    const message = 'The body of the request could not be read: it must be one JSON object.';
    return { ok: false, error: invalidRequest(message, null, null) };
  }
  const named = z.looseObject({ model: z.string() }).safeParse(json);
  if (!named.success) {
    const fault = { member: 'model', why: 'missing', message: "the parameter 'model' is required" } as const;
    return { ok: false, error: memberError(fault) };
  }
  const model = findModel(named.data.model);
  if (model === undefined) return { ok: false, error: unknownModel(named.data.model) };
  const fault = findMemberFault(json, model.members);
  if (fault !== null) return { ok: false, error: memberError(fault) };
  const { prompt, count, output, size, ratio, seed, rewrite_prompt } = typed.parse(json);
  const { model: _model, count: _count, output: _output, ...content } = json as Record<string, unknown>;
  const request: ImagesRequest = {
    model,
    prompt,
    count,
    output,
    size,
    ratio,
    seed,
    rewrites: model.rewrites && rewrite_prompt,
    content: JSON.stringify(sortedMembers(content)),
  };
  return { ok: true, request };
}

/** The members that this upstream evaluates, with its defaults. */
const typed = z.looseObject({
  prompt: z.string(),
  count: z.int().default(2),
  output: z.enum(['url', 'base64']).default('base64'),
  size: z.string().optional(),
  ratio: z.string().optional(),
  seed: z.int().nullable().default(null),
  rewrite_prompt: z.boolean().default(true),
});
