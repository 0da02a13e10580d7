import type { IncomingMessage } from 'node:http';

/** The largest body that is read. */
const maxBodyBytes = 64 * 1024 * 1024;

/** How the reading of a body ended: at its end, at the limit, or with the connection. */
export type BodyEnd = 'whole' | 'too-large' | 'broken';

/** Reads the body of a request, piece by piece. What is larger than anything accepted here is left unread. */
export async function readBody(request: IncomingMessage, onChunk: (chunk: Buffer) => void): Promise<BodyEnd> {
  let bytes = 0;
  try {
    // Left early, the iterator must not take the connection with it: a refusal is still to be sent.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length;
      if (bytes > maxBodyBytes) break;
      onChunk(chunk);
    }
  } catch {
    return 'broken';
  }
  if (bytes <= maxBodyBytes) return 'whole';
  request.resume();
  return 'too-large';
}
