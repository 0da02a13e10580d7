import type { ProbeResult } from '../../routing/account-doubt.ts';
import type { Channel } from '../../routing/channel.ts';
import { failurePolicy } from '../../routing/failure-policy.ts';
import { askJson, shortAnswerBytes } from '../../upstreams/media/ask-json.ts';
import type { Calling } from '../calling.ts';
import { jobPartsOf } from './job-dialects.ts';

/**
 * Looks whether the upstream of a media channel knows our account, without a cost (B-109): it asks for a job that does not
 * exist, or for the list of models. So two accounts of one attacker do not close the channel for all.
 */
export function accountLook(
  service: Pick<Calling, 'upstreams'> & { readonly newId: (prefix: string) => string },
): (channel: Channel) => Promise<ProbeResult> {
  return ({ dialect, baseUrl, apiKey }) => {
    const target = { baseUrl, apiKey, gone: new AbortController().signal };
    return dialect === 'images' ? askForModels(service, target) : askForJob(service, dialect, target);
  };
}

type Service = Parameters<typeof accountLook>[0];
type Target = Pick<Channel, 'baseUrl' | 'apiKey'> & { readonly gone: AbortSignal };

async function askForJob(
  { upstreams, newId }: Service,
  dialect: Channel['dialect'],
  target: Target,
): Promise<ProbeResult> {
  const outcome = await jobPartsOf(dialect).dialect.poll(upstreams, target, newId('none_'));
  if (outcome.kind !== 'failure') return 'known';
  // A key that may not read jobs serves none either.
  return failurePolicy[outcome.reason].blame === 'account' ? 'refused' : 'unclear';
}

/** A list shows that the key is good. Anything else shows nothing: not every upstream, nor every good key, has such a list. */
async function askForModels({ upstreams }: Service, target: Target): Promise<ProbeResult> {
  const reply = await askJson(upstreams, { ...target, path: '/models', maxBytes: shortAnswerBytes });
  const isList =
    reply.kind === 'answer' &&
    typeof reply.value === 'object' &&
    reply.value !== null &&
    'data' in reply.value;
  return isList ? 'known' : 'unclear';
}
