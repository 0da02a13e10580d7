// The body of an answer without its compression, as far as it can be read.

import { fromBase64 } from './bytes.js';

/** Names of codings in the platform, by those of HTTP. @type {Readonly<Record<string, string>>} */
const formats = { gzip: 'gzip', deflate: 'deflate', br: 'brotli' };

/**
 * Null where the body is not compressed, or in a way that the browser does not know. Of a broken one, what comes before the break.
 * @param {{ headers: [string, string][], body_base64: string }} reply
 * @returns {Promise<Uint8Array | null>}
 */
export async function decodedBody({ headers, body_base64: body }) {
  const coding = headers.find(([name]) => name.toLowerCase() === 'content-encoding')?.[1] ?? '';
  const format = formats[coding.toLowerCase()];
  if (format === undefined) return null;
  /** @type {Uint8Array[]} */
  const pieces = [];
  try {
    const stream = new DecompressionStream(/** @type {CompressionFormat} */ (format));
    const source = new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (fromBase64(body))]).stream();
    const reader = source.pipeThrough(stream).getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) pieces.push(next.value);
  } catch {
    if (pieces.length === 0) return null;
  }
  return new Uint8Array(await new Blob(/** @type {Uint8Array<ArrayBuffer>[]} */ (pieces)).arrayBuffer());
}
