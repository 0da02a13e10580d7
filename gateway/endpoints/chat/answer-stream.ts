import { ClientGone } from '../../http/read-body.ts';
import { dataEvent, endEvents, startEvents, writeEvents } from '../../http/send-events.ts';
import { normaliseFailure } from '../../routing/normalise-failure.ts';
import type { OpenStream } from '../../upstreams/outcome.ts';
import { type AnswerHead, createChunkWriter } from './answer-shape.ts';
import { type ChatJob, recordUsage } from './record.ts';

/**
 * Passes a stream on as it comes. The next piece is read only when the client took the last one, so a slow client
 * slows the upstream down. The usage is durable before the last chunk leaves.
 */
export async function answerStream(job: ChatJob, stream: OpenStream, head: AnswerHead): Promise<void> {
  const { exchange, gateway, request, result } = job;
  const chunks = createChunkWriter(head);
  let opening = dataEvent(chunks.role());
  const open = (): string => {
    if (opening !== '') startEvents(exchange);
    const events = opening;
    opening = '';
    return events;
  };
  for (let step = stream.first; ; step = await stream.next()) {
    switch (step.kind) {
      case 'pieces':
        await writeEvents(
          exchange,
          open() + step.pieces.map((piece) => dataEvent(chunks.piece(piece))).join(''),
          gateway.clock,
        );
        break;
      case 'end':
        await recordUsage(job, 'success', step.usage);
        endEvents(exchange, open() + dataEvent(chunks.last(step.finish, step.usage)));
        return;
      case 'failure': {
        const refusal = normaliseFailure(step, { channelId: result.channelId, waitMs: 0 }, request.given);
        await recordUsage(job, refusal.code, stream.lastUsage());
        throw refusal;
      }
      case 'client_left':
        await recordUsage(job, 'client_gone', stream.lastUsage());
        throw new ClientGone();
    }
  }
}
