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

/** An upstream of a newer version: the answer is unchanged, but its counts have moved. */
export const versionSkew: Fault = {
  id: 'P12',
  kind: 'edit',
  actsOn: actsOn.usage,
  answer: (given, { form, fitted }) => {
    const { dialect } = given;
    // What was added for the fault must not be what it takes away.
    if (form === 'gone' && fitted === 'usage') return given;
    return editJson(given, (document) => {
      if (form === 'gone') return withoutUsage(document, dialect);
      return form === 'moved' ? moved(document, dialect) : renamed(document, dialect);
    });
  },
};

function renamed(document: JsonObject, dialect: DialectName): JsonObject {
  return editUsage(document, dialect, (usage) =>
    Object.fromEntries(
      Object.entries(usage).map(([name, count]) => [names[chatDialect(dialect)][name] ?? name, count]),
    ),
  );
}

/** Moves the counts one level down, beside other facts. */
function moved(document: JsonObject, dialect: DialectName): JsonObject {
  let found: JsonObject | null = null;
  editUsage(document, dialect, (usage) => {
    found = usage;
    return usage;
  });
  if (found === null) return document;
  return { ...withoutUsage(document, dialect), metadata: { [usageMembers[chatDialect(dialect)]]: found } };
}

function withoutUsage(document: JsonObject, dialect: DialectName): JsonObject {
  const { [usageMembers[chatDialect(dialect)]]: _gone, ...rest } = document;
  const { message } = rest;
  if (dialect !== 'messages' || !isObject(message)) return rest;
  return { ...rest, message: withoutUsage(message as JsonObject, dialect) };
}
