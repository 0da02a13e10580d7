import { MessageReader } from '../upstreams/messages/stream.ts';
import { readPieces } from './fake-reply.ts';

/**
 * The output of a reader of the messages dialect for the events of one stream; calls without an id are named `made-1` and so
 * on.
 */
export async function readMessages(
  events: readonly string[],
  textTool: string | null = null,
  keepNative = false,
): ReturnType<typeof readPieces> {
  let made = 0;
  const reader = new MessageReader({ textTool, newCallId: () => `made-${++made}`, keepNative });
  return await readPieces(reader, [Buffer.from(events.join(''))]);
}
