import { chatDialect, type DialectName } from '../../answers/native-answer.ts';
import type { Fault } from '../../fault-contract/fault.ts';
import { type EditContext, mapFrame } from '../native/edit-answer.ts';
import type { JsonObject } from '../native/json-path.ts';
import type { OpenFrame } from '../native/open-answer.ts';
import { isDelta, placeOf } from '../native/places.ts';
import { editUsage, usageMember, withoutUsage } from '../native/usage-places.ts';

/**
 * Cumulative counts arrive with the content, and the final counts at the end. Forms: `every-chunk`, and
 * `partial-then-final` with the first delta alone.
 */
export const usageEveryChunk: Fault = editUsage('S15', (frames, final, context) => {
  const { dialect, form } = context;
  const counted = frames.filter(isDelta).slice(0, form === 'partial-then-final' ? 1 : undefined);
  const early = counted.map(({ label }, at) => ({ label, usage: usageSoFar(final, dialect, at + 1) }));
  return dialect === 'messages' ? addEvents(frames, early) : addMembers(frames, early, final, context);
});

interface Early {
  readonly label: string;
  readonly usage: JsonObject;
}

/** Adds the early counts as a member of their deltas; the ending has the final counts. */
function addMembers(
  frames: readonly OpenFrame[],
  early: readonly Early[],
  final: JsonObject,
  { dialect }: Pick<EditContext, 'dialect'>,
): readonly OpenFrame[] {
  const member = usageMember(dialect);
  const hasOwnFrame = placeOf(frames, 'usage') !== -1;
  const bare = dialect === 'generate-content' ? withoutUsage(frames, dialect) : frames;
  const counted = early.reduce<readonly OpenFrame[]>(
    (all, { label, usage }) => mapFrame(all, label, (data) => ({ ...data, [member]: usage })),
    bare,
  );
  return hasOwnFrame ? counted : mapFrame(counted, 'finish', (data) => ({ ...data, [member]: final }));
}

/** Adds the early counts as events, in the dialect with named events. */
function addEvents(frames: readonly OpenFrame[], early: readonly Early[]): readonly OpenFrame[] {
  return frames.map((frame) => {
    const usage = early.find(({ label }) => label === frame.label)?.usage;
    if (usage === undefined) return frame;
    const delta = { stop_reason: null, stop_sequence: null };
    const data = { type: 'message_delta', delta, usage };
    return { ...frame, events: [...frame.events, { name: 'message_delta', data }] };
  });
}

/** The counts after `tokens` of output; the input count is known from the start. */
function usageSoFar(final: JsonObject, dialect: DialectName, tokens: number): JsonObject {
  switch (chatDialect(dialect)) {
    case 'chat-completions': {
      const prompt = Number(final.prompt_tokens ?? 0);
      return { ...final, completion_tokens: tokens, total_tokens: prompt + tokens };
    }
    case 'messages':
      return { ...final, output_tokens: tokens };
    case 'generate-content': {
      const prompt = Number(final.promptTokenCount ?? 0);
      return { ...final, candidatesTokenCount: tokens, totalTokenCount: prompt + tokens };
    }
  }
}
