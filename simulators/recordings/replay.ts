import type { Step } from '../answers/wire-program.ts';
import { bytesOf, type RecordedResponse } from './recorded.ts';

/**
 * A recorded answer once more: the same bytes in the same pieces, each at its time after the request, and the same end
 * at its time. Where the client had left, it stands still until the client leaves again.
 */
export function* replaySteps({ chunks, ended, ended_at_ms: endedAtMs }: RecordedResponse): Generator<Step> {
  for (const [at, chunk] of chunks.entries()) {
    yield { do: 'write', label: `chunk-${at}`, bytes: bytesOf(chunk), dueMs: chunk.at_ms };
  }
  yield { do: 'wait', untilMs: endedAtMs };
  // Without a last step a program ends with FIN, as an answer that is whole.
  if (ended !== 'fin') yield { do: 'end', by: ended === 'client-left' ? 'silence' : ended };
}
