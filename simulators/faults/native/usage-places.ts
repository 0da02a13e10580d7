import { type ChatDialectName, chatDialect, type DialectName } from '../../answers/native-answer.ts';
import type { Fault } from '../../fault-contract/fault.ts';
import { actsOn } from './acts-on.ts';
import { type EditContext, editAnswer, mapEvents } from './edit-answer.ts';
import { isJsonObject, type JsonObject, type JsonPath, readPath, withMember } from './json-path.ts';
import type { OpenFrame } from './open-answer.ts';

/** The paths at which a chunk, an event or a body of the dialect may have counts. */
const usagePaths: Readonly<Record<ChatDialectName, readonly JsonPath[]>> = {
  'chat-completions': [['usage']],
  messages: [['message', 'usage'], ['usage']],
  'generate-content': [['usageMetadata']],
};

/** The counts in an event of the dialect; null when it has none. */
export function usageIn(data: JsonObject | string, dialect: DialectName): JsonObject | null {
  const found = usagePaths[chatDialect(dialect)].map((path) => readPath(data, path)).find(isJsonObject);
  return found ?? null;
}

/**
 * Edits every counts object of the answer; undefined removes it. `isStart` marks the one that opens a messages
 * stream.
 */
export function mapUsage(
  frames: readonly OpenFrame[],
  dialect: DialectName,
  change: (usage: JsonObject, isStart: boolean) => JsonObject | undefined,
): OpenFrame[] {
  return mapEvents(frames, (data) =>
    usagePaths[chatDialect(dialect)].reduce((changed, path) => {
      const usage = readPath(changed, path);
      return isJsonObject(usage) ? withMember(changed, path, change(usage, path.length > 1)) : changed;
    }, data),
  );
}

/** The answer without any token counts. */
export function withoutUsage(frames: readonly OpenFrame[], dialect: DialectName): OpenFrame[] {
  const kept = frames.filter(({ label }) => label !== 'usage');
  return mapEvents(kept, (data) =>
    usagePaths[chatDialect(dialect)].reduce((changed, path) => withMember(changed, path, undefined), data),
  );
}

/** All counts that the answer reports, in order. */
export function usagesOf(frames: readonly OpenFrame[], dialect: DialectName): JsonObject[] {
  const all = frames.flatMap(({ events }) => events.map(({ data }) => usageIn(data, dialect)));
  return all.filter((usage) => usage !== null);
}

/** The member of a chunk that holds counts. */
export function usageMember(dialect: DialectName): string {
  return dialect === 'generate-content' ? 'usageMetadata' : 'usage';
}

/** The counts of the whole answer; undefined where the request did not ask for counts. */
export function finalUsage(frames: readonly OpenFrame[], dialect: DialectName): JsonObject | undefined {
  return usagesOf(frames, dialect).at(-1);
}

/** A fault in the counts of an answer. An answer without counts stays as it is. */
export function editUsage(
  id: string,
  edit: (frames: readonly OpenFrame[], usage: JsonObject, context: EditContext) => readonly OpenFrame[],
): Fault {
  return editAnswer(
    id,
    (frames, context) => {
      const usage = finalUsage(frames, context.dialect);
      return usage === undefined ? frames : edit(frames, usage, context);
    },
    { actsOn: actsOn.usage },
  );
}
