import type { Completion, FinishReason, StreamEnd } from '../../upstreams/outcome.ts';

/** The native reason for one of ours. */
const NATIVE_REASONS: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
};

/** Native reasons that say more than ours; those that say the same follow from ours, which fit the answer. */
const FINER_REASONS: readonly string[] = ['stop_sequence', 'pause_turn', 'model_context_window_exceeded'];

/** Why an answer ended, in the words of the protocol: the upstream's own where it speaks it. */
export interface Stop {
  readonly stop_reason: string;
  readonly stop_sequence: string | null;
}

export function stopOf({ finish, native = {}, stop }: Completion | StreamEnd): Stop {
  if (stop !== undefined) return { stop_reason: 'stop_sequence', stop_sequence: stop };
  const { stop_reason: reason, stop_sequence: sequence } = native;
  const isFiner = typeof reason === 'string' && finish !== 'tool_calls' && FINER_REASONS.includes(reason);
  return {
    stop_reason: isFiner ? reason : NATIVE_REASONS[finish],
    stop_sequence: isFiner && reason === 'stop_sequence' && typeof sequence === 'string' ? sequence : null,
  };
}
