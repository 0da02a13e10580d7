import { type AnswerKind, chatDialect, type DialectName } from '../../answers/native-answer.ts';
import type { Fault } from '../../fault-contract/fault.ts';
import { actsOn } from '../native/acts-on.ts';
import { type EditContext, editAnswer } from '../native/edit-answer.ts';
import type { JsonObject } from '../native/json-path.ts';
import type { OpenFrame } from '../native/open-answer.ts';
import { mapUsage } from '../native/usage-places.ts';

/** The native counts of a whole answer, by dialect and, where the fault has forms, by form. */
export type CountsOf = (context: Pick<EditContext, 'dialect' | 'form'>) => JsonObject | null;

/** A fault whose answer reports these counts at the places that the dialect defines. */
export function reporting(id: string, countsOf: CountsOf): Fault {
  return editAnswer(
    id,
    (frames, context) => {
      const counts = countsOf(context);
      return counts === null ? frames : withCounts(frames, context.dialect, context.call, counts);
    },
    { actsOn: actsOn.usage, states: 'usage' },
  );
}

/** Writes the counts into the answer. Counts before the end of a stream do not include the output yet. */
export function withCounts(
  frames: readonly OpenFrame[],
  dialect: DialectName,
  call: AnswerKind,
  counts: JsonObject,
): OpenFrame[] {
  if (call === 'plain') return mapUsage(frames, dialect, () => counts);
  switch (chatDialect(dialect)) {
    case 'chat-completions':
      return mapUsage(frames, dialect, () => counts);
    case 'messages':
      return mapUsage(frames, dialect, (_, isStart) => (isStart ? opening(counts) : closing(counts)));
    case 'generate-content': {
      const finish = frames.find(({ label }) => label === 'finish');
      return frames.flatMap((frame) =>
        mapUsage([frame], dialect, () => (frame === finish ? counts : promptOnly(counts))),
      );
    }
  }
}

/** The counts at the start of a stream: the output has only begun. */
function opening({ output_tokens_details: _later, ...counts }: JsonObject): JsonObject {
  return { ...counts, output_tokens: 1 };
}

/** The counts at the end: the split by cache lifetime appears only at the start. */
function closing({ cache_creation: _split, ...counts }: JsonObject): JsonObject {
  return counts;
}

function promptOnly({
  candidatesTokenCount: _none,
  thoughtsTokenCount: _nor,
  ...counts
}: JsonObject): JsonObject {
  return { ...counts, totalTokenCount: counts.promptTokenCount };
}
