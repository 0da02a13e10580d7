import type { Clock } from '../clock.ts';
import type { Gone } from '../gone.ts';
import type { UpstreamReply } from '../upstreams/call.ts';
import type { UpstreamClient } from '../upstreams/client.ts';
import { bytesInLink } from '../upstreams/media/read-link.ts';
import { type ClientLeft, failure, type UpstreamFailure } from '../upstreams/outcome.ts';
import { retryAfterMs } from '../upstreams/retry-after.ts';

/** Dependencies for fetching files from upstreams. */
export interface DownloadDeps {
  readonly upstreams: Pick<UpstreamClient, 'get'>;
  readonly clock: Clock;
  /** Maximum file size. */
  readonly maxBytes: number;
  /** The upstream that names the file. Files of its origin may be at any address; null if it is not known any more. */
  readonly upstream: FileUpstream | null;
}

export interface FileUpstream {
  readonly baseUrl: string;
  /** Sent to no other origin, and only after a request without it was refused. */
  readonly apiKey: string;
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
/** Redirects that are followed, each to an address that a link may have. */
const maxRedirects = 3;
const redirects: readonly number[] = [301, 302, 303, 307, 308];

/**
 * Fetches the whole file behind a link and passes its bytes to `take`. After any failure it tries again and calls
 * `take` anew, because the cause may be gone. Unless the link or a redirect leads to the upstream itself, only public addresses
 * are allowed. Rejects only when `take` fails for a reason of its own.
 */
export async function download<Result extends { readonly kind: string }>(
  deps: DownloadDeps,
  url: string,
  gone: Gone,
  take: (bytes: Download) => Promise<Result | UpstreamFailure>,
): Promise<Downloaded<Result>> {
  const written = bytesInLink(url);
  if (written !== null)
    return written.length > deps.maxBytes ? failure('unusable', 'a file is too large') : take(only(written));
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
  deps: DownloadDeps,
  url: string,
  gone: Gone,
  take: (bytes: Download) => Promise<Result | UpstreamFailure>,
): Promise<Downloaded<Result>> {
  const reply = await reach(deps, url, gone);
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

type Reached = UpstreamReply | UpstreamFailure | ClientLeft;

/** The answer at the end of a link's redirects. An upstream that refuses its own link to anybody is asked with its key. */
async function reach(deps: DownloadDeps, link: string, gone: Gone): Promise<Reached> {
  let url = link;
  let key: string | null = null;
  for (let followed = 0; ; ) {
    const reply = await ask(deps, url, gone, key);
    if (reply.kind !== 'reply') return reply;
    const { status, headers } = reply;
    const own = isOwn(deps, url) ? (deps.upstream?.apiKey ?? null) : null;
    if (status === 401 && key === null && own !== null) {
      key = own;
      reply.close();
      continue;
    }
    const next = redirects.includes(status) ? URL.parse(headers.location ?? '', url) : null;
    if (next === null || followed === maxRedirects) return reply;
    reply.close();
    if (next.protocol !== 'https:' && next.protocol !== URL.parse(url)?.protocol)
      return failure('unusable', 'a redirect to a less secure place', { status });
    followed += 1;
    url = next.href;
    key = null;
  }
}

async function ask(deps: DownloadDeps, url: string, gone: Gone, key: string | null): Promise<Reached> {
  const { upstreams, maxBytes } = deps;
  const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
  const question = { url, headers, accept: '*/*', gone, maxBytes, isGuarded: !isOwn(deps, url) };
  const first = await upstreams.get(question);
  const isDead = isFailure(first) && first.isStale;
  return isDead ? await upstreams.get({ ...question, isFresh: true }) : first;
}

function isOwn({ upstream }: DownloadDeps, url: string): boolean {
  return upstream !== null && URL.parse(url)?.origin === URL.parse(upstream.baseUrl)?.origin;
}

/** The file ended early. */
class BrokenDownload extends Error {
  readonly why: UpstreamFailure | ClientLeft;
  constructor(why: UpstreamFailure | ClientLeft) {
    super('the file did not come to its end');
    this.why = why;
  }
}

async function* only(bytes: Buffer): Download {
  yield bytes;
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
