import { z } from 'zod';
import { isObject, parseJson, sortedMembers } from '../../json/json-body.ts';
import { invalidRequest, type NativeError, unknownModel } from '../chat-completions/errors.ts';
import { memberError } from '../images/errors.ts';
import { findMemberFault } from '../media/native-members.ts';
import { findModel, type NativeModel } from './models.ts';

/** A submit that its model accepts. */
export interface JobRequest {
  readonly model: NativeModel;
  readonly seconds: number;
  /** The content that the result depends on. */
  readonly content: string;
}

export type ParsedRequest = { ok: true; request: JobRequest } | { ok: false; error: NativeError };

/** Longer keys are rejected. */
export const longestKey = 255;

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
  const fault = findMemberFault(json, envelopeMembers);
  if (fault !== null) return { ok: false, error: memberError(fault) };
  const { model: name, input } = envelope.parse(json);
  const model = findModel(name);
  if (model === undefined) return { ok: false, error: unknownModel(name) };
  const wrong = findMemberFault(input, model.members, ['input']);
  if (wrong !== null) return { ok: false, error: memberError(wrong) };
  const { seconds } = timed.parse(input);
  return { ok: true, request: { model, seconds, content: JSON.stringify(sortedMembers(input)) } };
}

const envelopeMembers = { model: z.string().min(1), input: z.looseObject({}) };

const envelope = z.looseObject({ model: z.string(), input: z.looseObject({}) });

/** The member that this upstream evaluates, with its default. */
const timed = z.looseObject({ seconds: z.int().default(4) });
