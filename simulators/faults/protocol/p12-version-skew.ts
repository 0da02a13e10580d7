import { type ChatDialectName, chatDialect, type DialectName } from '../../answers/native-answer.ts';
import type { Fault } from '../../fault-contract/fault.ts';
import { isObject } from '../../json/json-body.ts';
import { actsOn } from '../native/acts-on.ts';
import { editJson, type JsonObject } from '../native/answer-json.ts';
import { editUsage, usageMembers } from '../native/answer-members.ts';

/** The names of the counts in another dialect, or another version. */
const names: Readonly<Record<ChatDialectName, Readonly<Record<string, string>>>> = {
  'chat-completions': { prompt_tokens: 'input_tokens', completion_tokens: 'output_tokens' },
  messages: { input_tokens: 'prompt_tokens', output_tokens: 'completion_tokens' },
  'generate-content': {
    promptTokenCount: 'inputTokenCount',
    candidatesTokenCount: 'outputTokenCount',
    totalTokenCount: 'allTokenCount',
  },
};

/**
 * A newer version of the upstream: the answer is unchanged, but its counts have moved. Forms: `renamed` (all counts) or
 * `output-renamed`; `moved` next to other facts, or `in-choice`; `null`; `gone`.
 */
export const versionSkew: Fault = {
  id: 'P12',
  kind: 'edit',
  actsOn: actsOn.usage,
  answer: (given, { form, fitted }) => {
    const { dialect } = given;
    // Removing counts that were added only for this fault would change nothing.
    if ((form === 'gone' || form === 'null') && fitted === 'usage') return given;
    return editJson(given, (document) => {
      switch (form) {
        case 'gone':
          return withoutUsage(document, dialect);
        case 'null':
          return editUsage(document, dialect, () => null);
        case 'moved':
        case 'in-choice':
          return moved(document, dialect, form === 'in-choice');
        default:
          return renamed(document, dialect, form === 'output-renamed');
      }
    });
  },
};

const outputName = /completion|output|candidates/;

function renamed(document: JsonObject, dialect: DialectName, isOutputAlone: boolean): JsonObject {
  const isRenamed = (name: string): boolean => !isOutputAlone || outputName.test(name);
  return editUsage(document, dialect, (usage) =>
    Object.fromEntries(
      Object.entries(usage).map(([name, count]) => [
        (isRenamed(name) ? names[chatDialect(dialect)][name] : undefined) ?? name,
        count,
      ]),
    ),
  );
}

/** Moves the counts one level down: next to other facts, or into the first choice or candidate. */
function moved(document: JsonObject, dialect: DialectName, isInChoice: boolean): JsonObject {
  let found: JsonObject | null = null;
  editUsage(document, dialect, (usage) => {
    found = usage;
    return usage;
  });
  if (found === null) return document;
  const held = { [usageMembers[chatDialect(dialect)]]: found };
  const rest = withoutUsage(document, dialect);
  if (!isInChoice) return { ...rest, metadata: held };
  const list = dialect === 'generate-content' ? 'candidates' : 'choices';
  const [first = { index: 0, delta: {} }, ...others] = Array.isArray(rest[list]) ? rest[list] : [];
  return { ...rest, [list]: [{ ...first, ...held }, ...others] };
}

function withoutUsage(document: JsonObject, dialect: DialectName): JsonObject {
  const { [usageMembers[chatDialect(dialect)]]: _gone, ...rest } = document;
  const { message } = rest;
  if (dialect !== 'messages' || !isObject(message)) return rest;
  return { ...rest, message: withoutUsage(message as JsonObject, dialect) };
}
