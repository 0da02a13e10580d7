import { brotliDecompressSync, constants, gunzipSync, inflateSync } from 'node:zlib';

/** The maximum number of decoded bytes to search. No answer worth searching is larger. */
const maxDecodedBytes = 256 * 1024 * 1024;

/**
 * Every decoding of an answer's body: unchunked, and decompressed in each way that works.
 * Only for searching: labels may be wrong, and broken bodies are decoded as far as possible.
 */
export function readingsOf(response: Buffer): Buffer[] {
  const end = response.indexOf('\r\n\r\n');
  if (end === -1) return [response];
  const head = response.subarray(0, end).toString('latin1');
  const raw = response.subarray(end + 4);
  const body = /^transfer-encoding:.*chunked/im.test(head) ? unchunked(raw) : raw;
  return [body, ...decompressed(body)];
}

function unchunked(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const lineEnd = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.subarray(at, lineEnd === -1 ? at : lineEnd).toString('latin1'), 16);
    if (Number.isNaN(size) || size === 0) break;
    parts.push(body.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return Buffer.concat(parts);
}

function decompressed(body: Buffer): Buffer[] {
  const limits = { maxOutputLength: maxDecodedBytes };
  const partial = { ...limits, finishFlush: constants.Z_SYNC_FLUSH };
  const decoders = [
    () => gunzipSync(body, partial),
    () => inflateSync(body, partial),
    () => brotliDecompressSync(body, { ...limits, finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  ];
  return decoders.flatMap((decode) => {
    try {
      return [decode()];
    } catch {
      return [];
    }
  });
}
