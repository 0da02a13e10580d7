import { chatDialect } from '../../answers/native-answer.ts';
import type { Fault } from '../../fault-contract/fault.ts';
import { actsOn } from '../native/acts-on.ts';
import { editJson, type JsonObject, literal } from '../native/answer-json.ts';
import { answerMembers, editNumbers, editUsage } from '../native/answer-members.ts';

/** Every member has its usual name and place, but one has the wrong type. */
export const wrongTypes: Fault = {
  id: 'P8',
  kind: 'edit',
  actsOn: actsOn.usage,
  answer: (given, { form }) => {
    const { dialect } = given;
    return editJson(given, (document) => {
      if (form === 'null-answer') return withNulls(document, answerMembers[chatDialect(dialect)]);
      if (form === 'usage-strings')
        return editUsage(document, dialect, (usage) => editNumbers(usage, String));
      return editUsage(withFraction(document), dialect, (usage) => editNumbers(usage, asFraction));
    });
  },
};

function withNulls(document: JsonObject, members: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(document).map(([name, value]) => [name, members.includes(name) ? null : value]),
  );
}

/** Only one dialect has a timestamp in its answers. */
function withFraction(document: JsonObject): JsonObject {
  const { created } = document;
  return typeof created === 'number' ? { ...document, created: created + 0.25 } : document;
}

/** The same number written with a fraction: `12.0`. */
function asFraction(count: number): string {
  return literal(`${count}.0`);
}
