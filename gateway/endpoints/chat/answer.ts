import { ClientDisconnected } from '../../http/read-body.ts';
import { sendJson } from '../../http/send-json.ts';
import type { AnswerHead, Face } from '../../protocols/protocol-adapter.ts';
import { normaliseFailure } from '../../routing/normalise-failure.ts';
import { type ChatJob, recordUsage } from '../../services/chat/record.ts';
import { answerStream } from './answer-stream.ts';

/** Normalises a failure, records the usage durably, then answers: in this order for every outcome. */
export async function answerChat(job: ChatJob, face: Face): Promise<void> {
  const { exchange, gateway, request, result } = job;
  const { outcome } = result;
  const head: AnswerHead = {
    id: gateway.newId(face.idPrefix),
    created: Math.floor(gateway.clock.now() / 1000),
    model: result.served.model.id,
  };
  switch (outcome.kind) {
    case 'completion':
      await recordUsage(job, 'success', outcome.usage);
      await sendJson(exchange, face.whole(head, outcome), gateway.clock);
      return;
    case 'stream':
      return answerStream(job, outcome, face.events(head));
    case 'failure': {
      const refusal = normaliseFailure(
        outcome,
        { channelId: result.channelId, waitMs: result.waitMs },
        request,
      );
      await recordUsage(job, refusal.code, null);
      throw refusal;
    }
    case 'client_left':
      await recordUsage(job, 'client_gone', null);
      throw new ClientDisconnected();
  }
}
