import type { NativeAnswer } from '../../answers/native-answer.ts';
import type { Fault } from '../../fault-contract/fault.ts';
import { invalidRequest } from '../../providers/messages/errors.ts';
import { chatRefusal, messagesRefusal, oneBody, refusing } from '../native/refusal.ts';

/** The codes of one dialect; the other has only a message, the same for every form. */
export const policyRefusal: Fault = refusing('H18', {
  'chat-completions': ({ form }) => {
    if (form === 'inner-error') return filtered();
    return chatRefusal({
      status: 400,
      message: 'The request was refused by the safety system: it may hold text that is not allowed.',
      type: form === 'moderation' ? 'image_generation_user_error' : 'invalid_request_error',
      param: null,
      code: form === 'moderation' ? 'moderation_blocked' : 'content_policy_violation',
    });
  },
  messages: (context) =>
    messagesRefusal(invalidRequest('Output blocked by content filtering policy'), context),
});

/** The error of a cloud that hosts the models, with the result of each of its filters. */
function filtered(): NativeAnswer {
  const safe = { filtered: false, severity: 'safe' };
  const error = {
    message: 'The prompt triggered the content management policy of the service.',
    type: null,
    param: 'prompt',
    code: 'content_filter',
    status: 400,
    innererror: {
      code: 'ResponsibleAIPolicyViolation',
      content_filter_result: {
        hate: safe,
        jailbreak: { filtered: false, detected: false },
        self_harm: safe,
        sexual: safe,
        violence: { filtered: true, severity: 'high' },
      },
    },
  };
  const headers = { 'content-type': 'application/json' };
  return oneBody('chat-completions', { status: 400, headers, body: Buffer.from(JSON.stringify({ error })) });
}
