import type { Gone } from '../../gone.ts';
import { type Downloaded, download, type FileUpstream, whole } from '../../media/download.ts';
import { inspectPicture, isSvg, type Picture as PictureFacts } from '../../media/inspect-picture.ts';
import type { KeptFile } from '../../media/media-files.ts';
import type { MediaRequest } from '../../requests/media/media-request.ts';
import type { UpstreamImage } from '../../upstreams/media/media-outcome.ts';
import { failure, type UpstreamFailure } from '../../upstreams/outcome.ts';
import type { ImageService } from './image-service.ts';

/** A kept image. */
export interface Picture {
  readonly file: KeptFile;
  readonly bytes: Buffer;
  /** The prompt that the upstream really used; null if it is the caller's. */
  readonly revisedPrompt: string | null;
}

/** The requested images, and the upstream that makes them. */
export interface Receiving {
  readonly request: MediaRequest;
  readonly upstream: FileUpstream;
  readonly gone: Gone;
}

/** All images of an answer, in order. */
export interface PicturesReceived {
  readonly kind: 'pictures';
  readonly pictures: readonly Picture[];
}

/** Upper bound of one image: real ones are smaller. */
const maxPictureBytes = 64 * 1024 * 1024;

/** A whole image in memory, not stored yet. */
interface Fetched {
  readonly kind: 'fetched';
  readonly bytes: Buffer;
  readonly facts: PictureFacts;
}

/**
 * Receives every image of an upstream's answer, fetches linked ones, and stores copies, because the links expire soon. The
 * upstream has failed if an image is invalid, incomplete, or larger than the model allows (fault M13). Then nothing is
 * stored.
 */
export async function receivePictures(
  service: ImageService,
  receiving: Receiving,
  images: readonly UpstreamImage[],
): Promise<Downloaded<PicturesReceived>> {
  const fetched: Fetched[] = [];
  for (const one of await Promise.all(images.map((image) => fetchPicture(service, receiving, image)))) {
    if (one.kind !== 'fetched') return one;
    fetched.push(one);
  }
  const keeping = fetched.map(({ bytes, facts }) => service.mediaFiles.keep(facts.extension, bytes));
  const files = await Promise.all(keeping);
  const pictures = files.map((file, at): Picture => {
    const bytes = fetched[at]?.bytes ?? Buffer.alloc(0);
    return { file, bytes, revisedPrompt: images[at]?.revisedPrompt ?? null };
  });
  return { kind: 'pictures', pictures };
}

async function fetchPicture(
  { upstreams, clock, maxMediaBytes }: ImageService,
  { request, upstream, gone }: Receiving,
  image: UpstreamImage,
): Promise<Downloaded<Fetched>> {
  if (image.kind === 'bytes') return inspected(image.bytes, request);
  const maxBytes = Math.min(maxMediaBytes, maxPictureBytes);
  const deps = { upstreams, clock, maxBytes, upstream };
  return download(deps, image.url, gone, async (bytes) => inspected(await whole(bytes), request));
}

function inspected(bytes: Buffer, { model }: MediaRequest): Fetched | UpstreamFailure {
  const facts = inspectPicture(bytes);
  // What a vector style draws, another request does not get: it says nothing of the channel.
  if (facts === null && isSvg(bytes)) return failure('refused', 'an image is a drawing, not a picture');
  if (facts === null) return failure('unusable', 'an image is missing or incomplete');
  const [long, short] = model.maxPixels ?? [Infinity, Infinity];
  const sides = [facts.width, facts.height];
  if (Math.max(...sides) > long || Math.min(...sides) > short) {
    return failure('unusable', 'an image is larger than the model makes');
  }
  return { kind: 'fetched', bytes, facts };
}
