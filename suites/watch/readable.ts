import { promisify } from 'node:util';
import {
  type BrotliOptions,
  brotliDecompress,
  constants,
  gunzip,
  inflate,
  inflateRaw,
  type ZlibOptions,
  type ZstdOptions,
  zstdDecompress,
} from 'node:zlib';
import { type Exchange, header } from '../wire/exchange.ts';

const [gunzipped, inflated, inflatedRaw] = [promisify(gunzip), promisify(inflate), promisify(inflateRaw)];
const [unbrotlied, unzstded] = [promisify(brotliDecompress), promisify(zstdDecompress)];

/** Why the bodies of an exchange cannot be read. */
export type Unreadable = 'in a coding that is not read' | 'too large';

/**
 * The exchange with both bodies decoded. Real clients request codings that the checks never offer, so more codings are
 * supported here. A broken-off body is read as far as it came.
 * @param mostBytes the longest decoded body
 */
export async function readable(exchange: Exchange, mostBytes: number): Promise<Exchange | Unreadable> {
  const { request, response } = exchange;
  const [, sentIn = null] = request.headers.find(([name]) => name.toLowerCase() === 'content-encoding') ?? [];
  const answeredIn = header(exchange, 'content-encoding');
  try {
    const sent = await decoded(request.body, { coding: sentIn, isWhole: true, mostBytes });
    if (response === null) return { ...exchange, request: { ...request, body: sent } };
    const isWhole = response.complete;
    const answered = await decoded(response.body, { coding: answeredIn, isWhole, mostBytes });
    return {
      ...exchange,
      request: { ...request, body: sent },
      response: { ...response, body: answered },
    };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ERR_BUFFER_TOO_LARGE' ? 'too large' : 'in a coding that is not read';
  }
}

interface Coded {
  readonly coding: string | null;
  readonly isWhole: boolean;
  readonly mostBytes: number;
}

async function decoded(body: Buffer, { coding, isWhole, mostBytes }: Coded): Promise<Buffer> {
  if (body.length === 0) return body;
  const cut = isWhole ? {} : { finishFlush: constants.Z_SYNC_FLUSH };
  const usual: ZlibOptions = { maxOutputLength: mostBytes, ...cut };
  switch (coding?.trim().toLowerCase() ?? '') {
    case '':
    case 'identity':
      return body;
    case 'gzip':
    case 'x-gzip':
      return gunzipped(body, usual);
    case 'deflate':
      // Some servers omit the zlib frame of this coding.
      return isFramed(body) ? inflated(body, usual) : inflatedRaw(body, usual);
    case 'br': {
      const flush = isWhole ? {} : { finishFlush: constants.BROTLI_OPERATION_FLUSH };
      return unbrotlied(body, { maxOutputLength: mostBytes, ...flush } satisfies BrotliOptions);
    }
    case 'zstd': {
      const flush = isWhole ? {} : { finishFlush: constants.ZSTD_e_flush };
      return unzstded(body, { maxOutputLength: mostBytes, ...flush } satisfies ZstdOptions);
    }
    default:
      throw new Error(`the content encoding ${coding} cannot be read`);
  }
}

/** Whether the first bytes are a zlib header (RFC 1950). */
function isFramed([method = 0, flags = 0]: Buffer): boolean {
  return (method & 0x0f) === 8 && (method * 256 + flags) % 31 === 0;
}
