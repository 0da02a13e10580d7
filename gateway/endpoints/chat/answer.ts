import type { Exchange } from '../../http/exchange.ts';
import { sendJson } from '../../http/send-json.ts';
import type { AnswerHead, ProtocolAdapter } from '../../protocols/protocol-adapter.ts';
import { normaliseFailure } from '../../routing/normalise-failure.ts';
import { type ChatJob, warnOfEnding } from '../../services/chat/record.ts';
import { answerStream } from './answer-stream.ts';
import { recordEnd } from './record-end.ts';

/** Normalises a failure, records the usage durably, then answers: in this order for every outcome. */
export async function answerChat(exchange: Exchange, adapter: ProtocolAdapter, job: ChatJob): Promise<void> {
  const { service, request, result } = job;
  const { outcome } = result;
  const head: AnswerHead = {
    id: service.newId(adapter.idPrefix),
    created: Math.floor(exchange.clock.now() / 1000),
    model: result.served.model.id,
  };
  switch (outcome.kind) {
    case 'completion':
      warnOfEnding(job, outcome.unknownEnding);
      await recordEnd(exchange, job, 'success', outcome.usage);
      return sendJson(exchange, adapter.whole(head, outcome));
    case 'stream':
      return answerStream(exchange, job, outcome, adapter.events(head));
    case 'failure': {
      const refusal = normaliseFailure(
        outcome,
        { channelId: result.channelId, waitMs: result.waitMs },
        request,
      );
      await recordEnd(exchange, job, refusal.code, null);
      throw refusal;
    }
    case 'client_left':
      return recordEnd(exchange, job, 'client_gone', null);
  }
}
