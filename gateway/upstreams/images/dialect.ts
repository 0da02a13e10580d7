import { classifyError, errorIn, type RequestWords } from '../chat-completions/classify.ts';
import type { UpstreamClient } from '../client.ts';
import { askJson, type MediaTarget } from '../media/ask-json.ts';
import type { ImagesOutcome } from '../media/media-outcome.ts';
import { pageFailure } from '../media/start-outcome.ts';
import { failure } from '../outcome.ts';
import { readImages } from './read-images.ts';

/** A request to an upstream for images. */
export interface ImagesCall extends MediaTarget, RequestWords {
  /** The native body, as JSON text. */
  readonly body: string;
  /** Number of images requested. */
  readonly count: number;
}

/** The images dialect: all images in one answer. Never rejects. */
export async function askImages(client: UpstreamClient, call: ImagesCall): Promise<ImagesOutcome> {
  const { baseUrl, apiKey, gone, isFresh, body, count } = call;
  const target = { baseUrl, apiKey, gone, ...(isFresh !== undefined && { isFresh }) };
  const reply = await askJson(client, { ...target, path: '/images/generations', body });
  if (reply.kind === 'failure' || reply.kind === 'client_left') return reply;
  const { status, headers, value } = reply;
  if (reply.kind === 'refusal') return pageFailure(reply) ?? classifyError(value, status, headers, call);
  if (value === undefined) return failure('unusable', 'the answer is no JSON', { status });
  const read = readImages(value, count, baseUrl);
  const isRefusal = read.kind === 'failure' && read.reason !== 'policy' && errorIn(value) !== null;
  return isRefusal ? classifyError(value, status, headers, call) : read;
}
