import type { IncomingHttpHeaders } from 'node:http';
import { isObject, type JsonObject } from '../../http/parse-json.ts';
import { type FailureReason, failure, systemPrompt, type UpstreamFailure } from '../outcome.ts';
import { namedCause } from '../refusal-words.ts';
import { hintedWaitMs, limitResetMs, retryAfterMs } from '../retry-after.ts';
import { statusReason } from '../status-reason.ts';

/** Native error types. */
const nativeTypes: Readonly<Record<string, FailureReason>> = {
  authentication_error: 'credentials',
  permission_error: 'credentials',
  billing_error: 'credentials',
  rate_limit_error: 'busy',
  overloaded_error: 'busy',
  api_error: 'server',
  timeout_error: 'timeout',
  request_too_large: 'bad_request',
  not_found_error: 'unusable',
  invalid_request_error: 'bad_request',
};

/** Our names for the native fields. */
const ourNames: Readonly<Record<string, string>> = {
  messages: 'messages',
  system: systemPrompt,
  tools: 'tools',
  tool_choice: 'tool_choice',
  max_tokens: 'max_tokens',
  temperature: 'temperature',
  top_p: 'top_p',
  stop_sequences: 'stop',
  metadata: 'user',
};

/**
 * Classifies a native error: by the status where that is clear, otherwise by its type. An error inside a 200 has
 * only its type.
 */
export function classifyError(body: unknown, status: number, headers: IncomingHttpHeaders): UpstreamFailure {
  // Some hosts of the models omit the wrapper.
  const bare = isObject(body) ? body : {};
  const error = isObject(bare.error) ? bare.error : bare;
  const text = typeof error.message === 'string' ? error.message : '';
  const isTooLarge = status === 413 || error.type === 'request_too_large';
  return failure(reasonOf(error.type, text, status), `answered ${status} with an error`, {
    status,
    // A request is too large because of its conversation.
    param: isTooLarge ? 'messages' : ourName(text),
    retryAfterMs: waitOf(error, headers),
  });
}

/** The wait that the headers ask for; else until the limit resets; else the wait in the text. */
function waitOf(error: JsonObject, headers: IncomingHttpHeaders): number | null {
  return retryAfterMs(headers) ?? limitResetMs(headers) ?? hintedWaitMs(error, headers);
}

function reasonOf(type: unknown, text: string, status: number): FailureReason {
  const named = typeof type === 'string' && Object.hasOwn(nativeTypes, type) ? nativeTypes[type] : undefined;
  const reason = status >= 400 ? byStatus(status, named, text) : (named ?? 'unusable');
  if (reason !== 'bad_request' && reason !== 'refused') return reason;
  // An `invalid_request_error` has no codes, so only its text shows the cause.
  return namedCause(text) ?? reason;
}

/** Reasons that say only that something went wrong, on our side or on theirs. */
const vague: readonly FailureReason[] = ['bad_request', 'server', 'refused'];

function byStatus(status: number, named: FailureReason | undefined, text: string): FailureReason {
  const reason = statusReason(status, text);
  return vague.includes(reason) && named !== undefined && !vague.includes(named) ? named : reason;
}

/** Rejections of a medium (not fetchable, or of another type) or of the turns may come without a path. */
const messagesText = /\b(?:image|pdf|document|file|video|audio|url|conversation)s?\b/i;

/** Rejections begin with the path of the field, as in `messages.0.content: …`. */
function ourName(text: string): string | null {
  const head = /^([a-z_]{1,40})(?:[.[][^\s:]*)?:/.exec(text)?.[1];
  if (head === undefined) return messagesText.test(text) ? 'messages' : null;
  return Object.hasOwn(ourNames, head) ? (ourNames[head] ?? null) : null;
}
