import type { Exchange } from '../../http/exchange.ts';
import { endEvents, startEvents, writeEvents } from '../../http/send-events.ts';
import type { EventWriter } from '../../protocols/protocol-adapter.ts';
import { estimatedPrompt } from '../../requests/estimate-prompt.ts';
import { failurePolicy } from '../../routing/failure-policy.ts';
import { normaliseFailure } from '../../routing/normalise-failure.ts';
import { type ChatJob, warnOfEnding } from '../../services/chat/record.ts';
import type { OpenStream, StreamPiece, UpstreamFailure, Usage } from '../../upstreams/outcome.ts';
import { bytesOf, cutUsage, estimatedTokens } from '../../upstreams/usage/estimate-usage.ts';
import { recordEnd } from './record-end.ts';

/** A caller who keeps a stream waiting for so long in all may have caused its failure, ms. */
const slowCallerMs = 5_000;

/**
 * Forwards a stream as it arrives. The next chunk is read only after the client took the last one, so a slow client slows the
 * upstream down. The usage is durable before the last chunk is sent. When the client leaves, the gateway still reads the
 * stream for the upstream's token counts.
 */
export async function answerStream(
  exchange: Exchange,
  job: ChatJob,
  stream: OpenStream,
  writer: EventWriter,
): Promise<void> {
  const { request, result } = job;
  let isOpen = false;
  let passedBytes = 0;
  let heldUpMs = 0;
  const open = (): string => {
    if (isOpen) return '';
    isOpen = true;
    startEvents(exchange);
    return writer.open(stream.lastUsage());
  };
  const piecesOf = (pieces: readonly StreamPiece[]): string => {
    let events = '';
    for (const piece of pieces) {
      passedBytes += bytesOf(piece);
      events += writer.piece(piece);
    }
    return events;
  };
  /** Of a stream that we cut: what was passed on, or thought for it, counts where its upstream has not counted it. */
  const cut = (reported: Usage | null): Usage | null =>
    passedBytes === 0
      ? reported
      : cutUsage(reported, {
          promptTokens: estimatedPrompt(request),
          completionTokens: estimatedTokens(passedBytes + stream.hiddenBytes()),
        });
  const isOwnDoing = ({ reason, isHalted }: UpstreamFailure): boolean =>
    exchange.gone.aborted ||
    heldUpMs >= slowCallerMs ||
    // Whoever asks for more than a limit allows has all of it up to there.
    isHalted === true ||
    failurePolicy[reason].blame === 'nobody';
  for (let step = stream.first; ; step = await stream.next()) {
    switch (step.kind) {
      case 'pieces':
        if (exchange.gone.aborted) break;
        heldUpMs -= exchange.elapsedMs();
        await writeEvents(exchange, open() + piecesOf(step.pieces));
        heldUpMs += exchange.elapsedMs();
        break;
      case 'end': {
        warnOfEnding(job, step.unknownEnding);
        const usage = step.isCut === true ? cut(step.usage) : step.usage;
        await recordEnd(exchange, job, 'success', usage);
        await endEvents(exchange, open() + writer.last({ ...step, usage }));
        return;
      }
      case 'failure': {
        const refusal = normaliseFailure(step, { channelId: result.channelId, waitMs: 0 }, request);
        // A caller who gets a refusal before the stream pays nothing. One who got part of it pays what the
        // upstream has counted so far, and what was passed on where the failure may be the caller's own doing.
        const usage = isOpen ? stream.lastUsage() : null;
        await recordEnd(exchange, job, refusal.code, isOwnDoing(step) ? cut(usage) : usage);
        throw refusal;
      }
      case 'client_left':
        return recordEnd(exchange, job, 'client_gone', cut(stream.lastUsage()));
    }
  }
}
