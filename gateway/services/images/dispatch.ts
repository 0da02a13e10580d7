import type { Caller } from '../../access/caller.ts';
import type { GatewayError } from '../../errors/gateway-error.ts';
import type { Gone } from '../../gone.ts';
import type { MediaRequest } from '../../requests/media/media-request.ts';
import { fieldFinder } from '../../requests/native-body/field-names.ts';
import { imagesBody, imagesNames } from '../../requests/native-body/images.ts';
import { type Attempted, attempt, watchComplete } from '../../routing/attempt.ts';
import type { Channel } from '../../routing/channel.ts';
import type { FailureContext } from '../../routing/normalise-failure.ts';
import { witnessOf } from '../../routing/witness.ts';
import type { OutlivingCall } from '../../upstreams/abandoned-calls.ts';
import { askImages } from '../../upstreams/images/dialect.ts';
import type { ClientLeft, UpstreamFailure } from '../../upstreams/outcome.ts';
import { largestOf, normaliseMediaFailure } from '../media/normalise-media.ts';
import type { ImageService } from './image-service.ts';
import { type PicturesReceived, receivePictures } from './receive-pictures.ts';

/** An image request after its upstream calls. */
export type ImagesResult = Omit<Attempted<PicturesReceived>, 'kind'>;

export interface ImagesDispatching {
  readonly service: ImageService;
  readonly caller: Caller;
  readonly request: MediaRequest;
  readonly gone: Gone;
  /** The upstream call, which may outlive its caller. */
  readonly call: OutlivingCall;
}

/** Makes the attempts at a model. Throws the refusal if none of its channels was called. */
export async function dispatchImages(dispatching: ImagesDispatching): Promise<ImagesResult> {
  const { service, caller, request, gone, call } = dispatching;
  const result = await attempt<PicturesReceived>({
    channels: service.channels.serving(request.model.id, caller.channelsOf),
    preferred: null,
    kind: 'plain',
    random: service.random,
    standing: service.standing,
    gone,
    witness: witnessOf(caller),
    cut: call.end,
    call: (channel, isFresh) => make(dispatching, channel, isFresh),
    watch: watchComplete,
  });
  if (result.kind === 'untried') throw result.refusal;
  return result;
}

/** The caller's view of an upstream failure. */
export function normaliseImagesFailure(
  failure: UpstreamFailure,
  place: FailureContext,
  { given }: MediaRequest,
): GatewayError {
  return normaliseMediaFailure(failure, place, given);
}

/**
 * Makes the images on a channel, and fetches them. An upstream whose answer is not an image has failed (fault M13). It is not
 * called again: it has done the work and charges for it.
 */
async function make(
  { service, request, call: { cut: gone } }: ImagesDispatching,
  upstream: Channel,
  isFresh: boolean,
): Promise<PicturesReceived | UpstreamFailure | ClientLeft> {
  const { fields } = request;
  const { baseUrl, apiKey, nativeModel } = upstream;
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
  const received = await receivePictures(service, { request, upstream, gone }, made.images);
  return received.kind === 'failure' ? { ...received, reason: 'unusable', isStale: false } : received;
}
