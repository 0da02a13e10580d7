import type { Caller } from '../../access/caller.ts';
import type { GatewayError } from '../../errors/gateway-error.ts';
import type { MediaRequest } from '../../requests/media/media-request.ts';
import { fieldFinder } from '../../requests/native-body/field-names.ts';
import { imagesBody, imagesNames } from '../../requests/native-body/images.ts';
import { type Attempted, attempt, watchComplete } from '../../routing/attempt.ts';
import type { Channel } from '../../routing/channel.ts';
import type { FailureContext } from '../../routing/normalise-failure.ts';
import { askImages } from '../../upstreams/images/dialect.ts';
import type { ClientLeft, UpstreamFailure } from '../../upstreams/outcome.ts';
import { largestOf, normaliseMediaFailure } from '../media/normalise-media.ts';
import type { ImageService } from './image-service.ts';
import { type PicturesReceived, receivePictures } from './receive-pictures.ts';

/** A request for pictures that has been at an upstream. */
export type ImagesResult = Omit<Attempted<PicturesReceived>, 'kind'>;

export interface ImagesDispatching {
  readonly service: ImageService;
  readonly caller: Caller;
  readonly request: MediaRequest;
  readonly gone: AbortSignal;
}

/** The attempts at a model. Throws the refusal when none of its channels was called. */
export async function dispatchImages(dispatching: ImagesDispatching): Promise<ImagesResult> {
  const { service, caller, request, gone } = dispatching;
  const result = await attempt<PicturesReceived>({
    channels: service.channels.serving(request.model.id, caller.channelsOf),
    preferred: null,
    kind: 'plain',
    random: service.random,
    gone,
    call: (channel, isFresh) => make(dispatching, channel, isFresh),
    watch: watchComplete,
  });
  if (result.kind === 'untried') throw result.refusal;
  return result;
}

/** The caller's view of what an upstream failed with. */
export function normaliseImagesFailure(
  failure: UpstreamFailure,
  place: FailureContext,
  { given }: MediaRequest,
): GatewayError {
  return normaliseMediaFailure(failure, place, given);
}

/**
 * Has the pictures made behind a channel, and fetches them: an upstream that gives what is no picture has failed (fault
 * M13). It is not asked again then, for it has had its work and wants its money.
 */
async function make(
  { service, request, gone }: ImagesDispatching,
  { baseUrl, apiKey, nativeModel }: Channel,
  isFresh: boolean,
): Promise<PicturesReceived | UpstreamFailure | ClientLeft> {
  const { fields } = request;
  const made = await askImages(service.upstreams, {
    baseUrl,
    apiKey,
    body: imagesBody(fields, nativeModel),
    count: typeof fields.n === 'number' ? fields.n : 1,
    fieldOf: fieldFinder(fields, imagesNames),
    largest: largestOf(fields),
    gone,
    isFresh,
  });
  if (made.kind !== 'images') return made;
  const received = await receivePictures(service, { request, upstreamUrl: baseUrl, gone }, made.images);
  return received.kind === 'failure' ? { ...received, reason: 'unusable', isStale: false } : received;
}
