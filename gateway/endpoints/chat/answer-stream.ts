import type { Exchange } from '../../http/exchange.ts';
import { ClientDisconnected } from '../../http/read-body.ts';
import { endEvents, startEvents, writeEvents } from '../../http/send-events.ts';
import type { EventWriter } from '../../protocols/protocol-adapter.ts';
import { normaliseFailure } from '../../routing/normalise-failure.ts';
import { type ChatJob, recordUsage, warnOfEnding } from '../../services/chat/record.ts';
import type { OpenStream } from '../../upstreams/outcome.ts';

/**
 * Forwards a stream as it arrives. The next chunk is read only after the client took the last one, so a slow
 * client slows the upstream down. The usage is durable before the last chunk is sent.
 */
export async function answerStream(
  exchange: Exchange,
  job: ChatJob,
  stream: OpenStream,
  writer: EventWriter,
): Promise<void> {
  const { request, result } = job;
  let isOpen = false;
  const open = (): string => {
    if (isOpen) return '';
    isOpen = true;
    startEvents(exchange);
    return writer.open(stream.lastUsage());
  };
  for (let step = stream.first; ; step = await stream.next()) {
    switch (step.kind) {
      case 'pieces':
        await writeEvents(exchange, open() + step.pieces.map((piece) => writer.piece(piece)).join(''));
        break;
      case 'end':
        warnOfEnding(job, step.unknownEnding);
        await recordUsage(job, 'success', step.usage);
        await endEvents(exchange, open() + writer.last(step));
        return;
      case 'failure': {
        const refusal = normaliseFailure(step, { channelId: result.channelId, waitMs: 0 }, request);
        // A caller who gets a refusal before the stream pays nothing. One who got part of it pays what the
        // upstream has counted so far.
        await recordUsage(job, refusal.code, isOpen ? stream.lastUsage() : null);
        throw refusal;
      }
      case 'client_left':
        await recordUsage(job, 'client_gone', stream.lastUsage());
        throw new ClientDisconnected();
    }
  }
}
