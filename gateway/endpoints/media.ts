import { errorBody, errorHeaders } from '../errors/error-body.ts';
import { GatewayError, invalidParam } from '../errors/gateway-error.ts';
import { byteRange } from '../http/byte-range.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Endpoint } from '../http/route.ts';
import { sendPlain } from '../http/send.ts';
import { sendFile } from '../http/send-file.ts';
import type { MediaFiles, OpenedFile } from '../media/media-files.ts';

const rangeNotSatisfiable = 416;

/**
 * GET /media/{file}: a kept file, for every client that knows its name. It takes no key and no slot, because links are passed
 * on to players and pages without a key.
 */
export function showMedia(mediaFiles: Pick<MediaFiles, 'open'>): Endpoint {
  return async (exchange, { file: name = '' }) => {
    const file = await mediaFiles.open(name);
    if (file === null) throw new GatewayError('not_found', { message: 'There is no such file.' });
    try {
      await send(exchange, file);
    } finally {
      await file.close();
    }
  };
}

async function send(exchange: Exchange, file: OpenedFile): Promise<void> {
  const { range: asked, 'if-range': condition } = exchange.incoming.headers;
  // A condition on a range names a version of the file. Files have no versions, so the whole file is sent.
  const range = condition === undefined ? byteRange(asked, file.bytes) : null;
  if (range === 'unsatisfiable') return refuseRange(exchange, file.bytes);
  await sendFile(exchange, { ...file, range });
}

async function refuseRange(exchange: Exchange, bytes: number): Promise<void> {
  const refusal = invalidParam('Range', `Range must begin within the ${bytes} bytes of the file.`);
  exchange.facts.code = refusal.code;
  const headers = { ...errorHeaders(refusal), 'content-range': `bytes */${bytes}` };
  const body = JSON.stringify(errorBody(refusal));
  await sendPlain(exchange, { status: rangeNotSatisfiable, headers, body });
}
