import type { Clock } from '../clock.ts';
import type { UpstreamReply } from '../upstreams/call.ts';
import type { UpstreamClient } from '../upstreams/client.ts';
import { type ClientLeft, failure, type UpstreamFailure } from '../upstreams/outcome.ts';
import { retryAfterMs } from '../upstreams/retry-after.ts';

/** What files are fetched from upstreams with. */
export interface DownloadDeps {
  readonly upstreams: Pick<UpstreamClient, 'get'>;
  readonly clock: Clock;
  /** Largest file that is taken. */
  readonly maxBytes: number;
  /** Where we know the upstream to be that names the file: one of the same origin may lie wherever that is. */
  readonly upstreamUrl: string | null;
}

/** The bytes of a file on their way; ends early with a `BrokenDownload`. */
export type Download = AsyncGenerator<Buffer, void>;

/** What came of it: what was made of the bytes, or why there is nothing. */
export type Downloaded<Result> = Result | UpstreamFailure | ClientLeft;

/** Tries at one file, and the wait after the first of them, which doubles. */
const maxTries = 3;
const waitMs = 250;
/** An upstream that asks for more patience is not given it here. */
const maxWaitMs = 5_000;

/**
 * Fetches the file behind a link whole and gives its bytes to `take`, which may be called anew with the bytes of another
 * try: whatever went wrong may be over then. Nothing of ours goes there, no redirect is followed, and elsewhere than at the
 * upstream itself only public addresses are. Rejects only when `take` does for a reason of its own.
 */
export async function download<Result extends { readonly kind: string }>(
  deps: DownloadDeps,
  url: string,
  gone: AbortSignal,
  take: (bytes: Download) => Promise<Result | UpstreamFailure>,
): Promise<Downloaded<Result>> {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return failure('unusable', 'a link to nowhere');
  for (let tries = 1; ; tries += 1) {
    const came = await tryOnce(deps, url, gone, take);
    if (!isFailure(came) || tries === maxTries) return came;
    const wait = Math.max(waitMs * 2 ** (tries - 1), came.retryAfterMs ?? 0);
    if (wait > maxWaitMs) return came;
    try {
      await deps.clock.sleep(wait, gone);
    } catch {
      return { kind: 'client_left' };
    }
  }
}

async function tryOnce<Result extends { readonly kind: string }>(
  { upstreams, maxBytes, upstreamUrl }: DownloadDeps,
  url: string,
  gone: AbortSignal,
  take: (bytes: Download) => Promise<Result | UpstreamFailure>,
): Promise<Downloaded<Result>> {
  const isGuarded = upstreamUrl === null || URL.parse(url)?.origin !== URL.parse(upstreamUrl)?.origin;
  const question = { url, headers: {}, accept: '*/*', gone, maxBytes, isGuarded };
  const first = await upstreams.get(question);
  const isDead = isFailure(first) && first.isStale;
  const reply = isDead ? await upstreams.get({ ...question, isFresh: true }) : first;
  if (reply.kind !== 'reply') return reply;
  const { status, headers } = reply;
  try {
    if (status !== 200) {
      return failure('unusable', `a link answered ${status}`, {
        status,
        retryAfterMs: retryAfterMs(headers),
      });
    }
    return await take(bytesOf(reply));
  } catch (error) {
    if (error instanceof BrokenDownload) return error.why;
    throw error;
  } finally {
    reply.close();
  }
}

/** The file did not come to its end. */
class BrokenDownload extends Error {
  readonly why: UpstreamFailure | ClientLeft;
  constructor(why: UpstreamFailure | ClientLeft) {
    super('the file did not come to its end');
    this.why = why;
  }
}

async function* bytesOf(reply: UpstreamReply): Download {
  for (;;) {
    const step = await reply.read();
    if (step.kind === 'done') return;
    if (step.kind !== 'bytes') throw new BrokenDownload(step);
    reply.progress();
    yield step.bytes;
  }
}

function isFailure(came: { readonly kind: string }): came is UpstreamFailure {
  return came.kind === 'failure';
}

/** All of the bytes. */
export async function whole(bytes: Download): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}
