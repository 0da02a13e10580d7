import type { Clock } from '../clock.ts';
import type { Gone } from '../gone.ts';
import type { UpstreamReply } from '../upstreams/call.ts';
import type { UpstreamClient } from '../upstreams/client.ts';
import { type ClientLeft, failure, type UpstreamFailure } from '../upstreams/outcome.ts';
import { retryAfterMs } from '../upstreams/retry-after.ts';

/** Dependencies for fetching files from upstreams. */
export interface DownloadDeps {
  readonly upstreams: Pick<UpstreamClient, 'get'>;
  readonly clock: Clock;
  /** Maximum file size. */
  readonly maxBytes: number;
  /** The known URL of the upstream that names the file. Files of the same origin may be at any address. */
  readonly upstreamUrl: string | null;
}

/** The bytes of a file as they arrive; fails with a `BrokenDownload` if they end early. */
export type Download = AsyncGenerator<Buffer, void>;

/** The outcome: the result of `take`, or why there is none. */
export type Downloaded<Result> = Result | UpstreamFailure | ClientLeft;

/** Attempts per file, and the wait after the first; the wait doubles each time. */
const maxTries = 3;
const waitMs = 250;
/** If an upstream requests a longer wait than this, the download fails. */
const maxWaitMs = 5_000;

/**
 * Fetches the whole file behind a link and passes its bytes to `take`. After any failure it tries again and calls
 * `take` anew, because the cause may be gone. No credentials are sent and no redirect is followed. Unless the link
 * leads to the upstream itself, only public addresses are allowed. Rejects only when `take` fails for a reason of
 * its own.
 */
export async function download<Result extends { readonly kind: string }>(
  deps: DownloadDeps,
  url: string,
  gone: Gone,
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
  gone: Gone,
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

/** The file ended early. */
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

/** Collects all bytes. */
export async function whole(bytes: Download): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}
