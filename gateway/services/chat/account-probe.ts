import type { Catalogue } from '../../catalogue/chat-models.ts';
import { parseChatRequest } from '../../requests/chat-request.ts';
import type { ProbeResult } from '../../routing/account-doubt.ts';
import { failurePolicy } from '../../routing/failure-policy.ts';
import type { LiveChannel } from '../../routing/live-channel.ts';
import { type Completing, complete } from './dialects.ts';

/**
 * Probes whether the upstream of a channel refuses our account, with a request for one token (B-109). Null for media models, of
 * which any output costs too much.
 */
export function accountProbe(
  service: Completing & { readonly catalogue: Catalogue },
): (live: LiveChannel) => Promise<ProbeResult | null> {
  return async (live) => {
    const model = service.catalogue.get(live.facts.modelId);
    if (model === undefined) return null;
    const body = { model: model.id, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1 };
    const request = parseChatRequest({ value: body, exact: body }, model);
    const way = { channel: live.channel, isFresh: false };
    const outcome = await complete(service, way, request, new AbortController().signal);
    if (outcome.kind === 'completion') return 'works';
    if (outcome.kind !== 'failure') return 'unclear';
    return failurePolicy[outcome.reason].blame === 'account' ? 'refused' : 'unclear';
  };
}
