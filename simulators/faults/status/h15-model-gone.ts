import type { Fault } from '../../fault-contract/fault.ts';
import { parseJson, valueAt } from '../../json/json-body.ts';
import { unknownModel as unknownChatModel } from '../../providers/chat-completions/errors.ts';
import { unknownModel as unknownGenerateModel } from '../../providers/generate-content/errors.ts';
import { unknownModel as unknownMessagesModel } from '../../providers/messages/errors.ts';
import { chatRefusal, generateRefusal, messagesRefusal, refusing } from '../native/refusal.ts';

export const modelGone: Fault = refusing('H15', {
  'chat-completions': ({ request }) => chatRefusal(unknownChatModel(modelOf(request))),
  messages: (context) => messagesRefusal(unknownMessagesModel(modelOf(context.request)), context),
  // This dialect has the model in the URL.
  'generate-content': ({ version }) =>
    generateRefusal(unknownGenerateModel('g3p-2026-09', version === 'current' ? 'v1' : 'v1beta')),
});

function modelOf(request: Buffer): string {
  const model = valueAt(parseJson(request), ['model']);
  return typeof model === 'string' ? model : 'unknown';
}
