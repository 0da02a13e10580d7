import type { ErrorCode } from '../../errors/codes.ts';
import type { Exchange } from '../../http/exchange.ts';
import { ClientDisconnected } from '../../http/read-body.ts';
import { type ChatJob, recordUsage } from '../../services/chat/record.ts';
import type { Usage } from '../../upstreams/outcome.ts';

/**
 * Records how a request ended, before the answer ends.
 * @throws ClientDisconnected when the caller has left; the charge is the same
 */
export async function recordEnd(
  { gone }: Pick<Exchange, 'gone'>,
  job: ChatJob,
  outcome: 'success' | 'client_gone' | ErrorCode,
  usage: Usage | null,
): Promise<void> {
  const hasLeft = gone.aborted || outcome === 'client_gone';
  await recordUsage(job, hasLeft ? 'client_gone' : outcome, usage);
  if (hasLeft) throw new ClientDisconnected();
}
