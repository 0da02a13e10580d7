import type { Fault } from '../../fault-contract/fault.ts';
import { chatRefusal, refusing } from '../native/refusal.ts';

/** No header states a wait: only a payment ends this. */
export const insufficientQuota: Fault = refusing('H4', {
  'chat-completions': ({ form }) =>
    chatRefusal({
      status: 429,
      message: 'The quota of this account is used up. See plan and billing details.',
      type: 'insufficient_quota',
      param: null,
      code: form,
    }),
});
