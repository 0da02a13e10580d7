import { z } from 'zod';
import { isObject } from '../../json/json-body.ts';
import type { Pace } from '../../latency/pace.ts';
import { countTokens } from '../../tokens.ts';
import type { ComposedReply } from '../composition/compose.ts';
import { seededVector } from '../composition/vector.ts';
import { type Judged, plainAnswer } from '../dialect.ts';
import { invalidRequest, type NativeError } from './errors.ts';

const tokens = z.array(z.int().nonnegative()).min(1).max(8192);

const requestSchema = z.looseObject({
  model: z.string().min(1),
  input: z.union([
    z.string().min(1),
    z.array(z.string().min(1)).min(1).max(2048),
    tokens,
    z.array(tokens).min(1).max(2048),
  ]),
  dimensions: z.int().min(1).max(8192).nullish(),
  encoding_format: z.enum(['float', 'base64']).nullish(),
  user: z.string().nullish(),
});

type EmbeddingRequest = z.infer<typeof requestSchema>;

const usualDimensions = 1536;

/** Reads a request for embeddings: the first invalid member causes a native 400. */
export function readEmbeddings(
  json: unknown,
): { ok: true; request: EmbeddingRequest } | { ok: false; error: NativeError } {
  const parsed = requestSchema.safeParse(isObject(json) ? json : {});
  if (parsed.success) return { ok: true, request: parsed.data };
  const param = String(parsed.error.issues[0]?.path[0] ?? 'input');
  return {
    ok: false,
    error: invalidRequest(`'${param}' has the wrong type or value.`, param, 'invalid_type'),
  };
}

/** A unit vector for each input. It depends only on seed, model and input. */
export function answerEmbeddings(
  request: EmbeddingRequest,
  reply: ComposedReply,
  seed: number,
  pace: Pace,
): Judged {
  const { model, dimensions, encoding_format: format } = request;
  const inputs = inputsOf(request);
  const data = inputs.map((input, index) => {
    const vector = seededVector(input, dimensions ?? usualDimensions, seed, model);
    const embedding =
      format === 'base64' ? Buffer.from(Float32Array.from(vector).buffer).toString('base64') : vector;
    return { object: 'embedding', index, embedding };
  });
  const counted = inputs.reduce(
    (sum, input) => sum + (typeof input === 'string' ? countTokens(input) : input.length),
    0,
  );
  const prompt_tokens = reply.usage?.prompt_tokens ?? counted;
  const body = {
    object: 'list',
    data,
    model: reply.model ?? model,
    usage: { prompt_tokens, total_tokens: prompt_tokens },
  };
  return plainAnswer(`${JSON.stringify(body)}\n`, 'application/json', pace);
}

function inputsOf({ input }: EmbeddingRequest): (string | number[])[] {
  if (typeof input === 'string') return [input];
  return typeof input[0] === 'number' ? [input as number[]] : (input as (string | number[])[]);
}
