import { choiceOf, inPlain, messageOf } from '../../edits/chat-edits.ts';
import { front, type Mutant, source } from '../../edits/mutant.ts';

/** Parts that a gateway makes itself, and gets wrong. */
export const ownParts: readonly Mutant[] = [
  // Second mutants of their aspects: JSON mode and stops are the gateway's own work in some dialects.
  front(
    [
      'every.cut-json-as-stop',
      'JSON that was cut off says that it ended by itself',
      'RESP-011',
      'cut-by-max-tokens',
    ],
    inPlain((completion, request) => {
      const choice = choiceOf(completion);
      if (request.response_format !== undefined && choice.finish_reason === 'length')
        choice.finish_reason = 'stop';
    }),
  ),
  front(
    [
      'every.end-held-back',
      'beside stops, an answer that was cut off lacks its end',
      'RESP-024',
      'text-unchanged',
    ],
    inPlain((completion, request) => {
      const message = messageOf(completion);
      if (
        request.stop !== undefined &&
        typeof message.content === 'string' &&
        choiceOf(completion).finish_reason === 'length'
      )
        message.content = message.content.slice(0, -1);
    }),
  ),
];

/** Refusals whose details mislead. */
export const misled: readonly Mutant[] = [
  source(
    [
      'every.first-channel-named',
      'each failure names the channel of the first one',
      'ERR-006',
      'channel-was-asked',
    ],
    'routing/normalise-failure.ts',
    'const at = { channel: channelId, cause: failure };',
    'const at = { channel: (globalThis.firstFailed ??= channelId), cause: failure };',
  ),
  source(
    [
      'every.full-hint-in-ms',
      'a full queue of images states its Retry-After in milliseconds',
      'ROUTE-017',
      'full-hint-in-seconds',
    ],
    'routing/normalise-failure.ts',
    "return new GatewayError('channel_queue_full', { ...at, retryAfterS });",
    "return new GatewayError('channel_queue_full', { ...at, retryAfterS: retryAfterS * (asked.prompt === 'prompt' ? 1000 : 1) });",
  ),
];
