import { type AnswerKind, chatDialect, type DialectName } from '../../answers/native-answer.ts';
import type { Fault } from '../../fault-contract/fault.ts';
import { type EditContext, editAnswer } from '../native/edit-answer.ts';
import type { JsonObject } from '../native/json-path.ts';
import type { OpenFrame } from '../native/open-answer.ts';
import { mapUsage } from '../native/usage-places.ts';

/** The native counts of a whole answer, by dialect and, where there are some, by form. */
export type CountsOf = (context: Pick<EditContext, 'dialect' | 'form'>) => JsonObject | null;

/** A fault whose answer reports these counts, each at the place that the dialect has for it. */
export function reporting(id: string, countsOf: CountsOf): Fault {
  return editAnswer(id, (frames, context) => {
    const counts = countsOf(context);
    return counts === null ? frames : withCounts(frames, context.dialect, context.call, counts);
  });
}

/** Counts of a stream that come before its end have nothing of the answer yet. */
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

/** Of the output only that it has begun. */
function opening({ output_tokens_details: _later, ...counts }: JsonObject): JsonObject {
  return { ...counts, output_tokens: 1 };
}

/** The split by life stands at the start alone. */
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
