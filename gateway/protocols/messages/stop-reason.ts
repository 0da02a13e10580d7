import type { Completion, FinishReason, StreamEnd } from '../../upstreams/outcome.ts';

/** The native reason for each of ours. */
const nativeReasons: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
};

/** Native reasons that say more than ours. All others follow from our reason, which fits the answer. */
const finerReasons: readonly string[] = ['stop_sequence', 'pause_turn', 'model_context_window_exceeded'];

/** Why an answer ended, in the protocol's terms; the upstream's own reason if it uses the protocol. */
export interface Stop {
  readonly stop_reason: string;
  readonly stop_sequence: string | null;
}

export function stopOf({ finish, native = {}, stop }: Completion | StreamEnd): Stop {
  if (stop !== undefined) return { stop_reason: 'stop_sequence', stop_sequence: stop };
  const { stop_reason: reason, stop_sequence: sequence } = native;
  const isFiner = typeof reason === 'string' && finish !== 'tool_calls' && finerReasons.includes(reason);
  return {
    stop_reason: isFiner ? reason : nativeReasons[finish],
    stop_sequence: isFiner && reason === 'stop_sequence' && typeof sequence === 'string' ? sequence : null,
  };
}
