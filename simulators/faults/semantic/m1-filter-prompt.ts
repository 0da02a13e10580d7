import { chatDialect, type NativeAnswer } from '../../answers/native-answer.ts';
import type { Fault, FaultContext } from '../../fault-contract/fault.ts';
import { renderError } from '../../providers/chat-completions/errors.ts';
import { withReason } from '../native/endings.ts';
import { isJsonObject, type JsonObject, readPath, withMember } from '../native/json-path.ts';
import { closeAnswer, type OpenFrame, openAnswer } from '../native/open-answer.ts';
import { finalUsage, mapUsage } from '../native/usage-places.ts';

/**
 * The prompt is blocked, and nothing was generated. Depending on the dialect, this is a 400, an answer that ends in a
 * refusal, or an answer without candidates. Forms: the dialect's reasons.
 */
export const filterPrompt: Fault = { id: 'M1', kind: 'edit', answer };

function answer(given: NativeAnswer, { dialect, form }: FaultContext): NativeAnswer {
  switch (chatDialect(dialect)) {
    case 'chat-completions':
      return refusedPrompt(given, form);
    case 'messages':
      return refusedAnswer(given);
    case 'generate-content':
      return blockedPrompt(given, form);
  }
}

function refusedPrompt({ dialect, headers }: NativeAnswer, form: string | null): NativeAnswer {
  const message = 'The prompt was refused by the safety system of the provider.';
  const code = form === 'blocklist' ? 'content_filter' : 'content_policy_violation';
  const refusal = renderError({ status: 400, message, type: 'invalid_request_error', param: null, code });
  return {
    dialect,
    call: 'plain',
    status: 400,
    headers: { ...headers, ...refusal.headers },
    frames: [{ label: 'body', bytes: refusal.body, dueMs: 0 }],
  };
}

/** A message without content; the prompt is still counted. */
function refusedAnswer(given: NativeAnswer): NativeAnswer {
  const { call, dialect } = given;
  const frames = openAnswer(given).filter(({ label }) => !label.startsWith('delta-'));
  const silent = frames.map((frame) => ({
    ...frame,
    events: frame.events
      .filter(({ name }) => name === null || !name.startsWith('content_block'))
      .map((event) =>
        call === 'plain' && isJsonObject(event.data)
          ? { ...event, data: { ...event.data, content: [] } }
          : event,
      ),
  }));
  const refused = withReason(silent, dialect, call, 'refusal');
  return closeAnswer(
    given,
    mapUsage(refused, dialect, (usage) => ({ ...usage, output_tokens: 0 })),
  );
}

/** One chunk without candidates; in a stream it is the whole answer, too. */
function blockedPrompt(given: NativeAnswer, form: string | null): NativeAnswer {
  const { dialect } = given;
  const frames = openAnswer(given);
  const data = frames.flatMap(({ events }) => events.map((event) => event.data)).find(isJsonObject) ?? {};
  const prompt = readPath(finalUsage(frames, dialect), ['promptTokenCount']);
  const usageMetadata = { promptTokenCount: prompt, totalTokenCount: prompt };
  const { candidates: _none, ...rest } = withMember(data, ['usageMetadata'], usageMetadata);
  const blocked: JsonObject = { promptFeedback: { blockReason: blockReasonOf(form) }, ...rest };
  const whole: OpenFrame = {
    label: given.call === 'plain' ? 'body' : 'finish',
    dueMs: frames[0]?.dueMs ?? 0,
    events: [{ name: null, data: blocked }],
  };
  const done = frames.filter(({ label }) => label === 'done');
  return closeAnswer(given, [whole, ...done]);
}

function blockReasonOf(form: string | null): string {
  if (form === 'blocklist') return 'BLOCKLIST';
  return form === 'prohibited' ? 'PROHIBITED_CONTENT' : 'SAFETY';
}
