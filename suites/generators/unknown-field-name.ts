import { fieldsOf } from '../oracle/media/fields.ts';
import { everyFieldName } from '../oracle/media/shared-fields.ts';

/** Names that no model lists: made up ones, inputs that single song actions may have, names that trip up lookups. */
const strangers: readonly string[] = [
  'zz_unknown',
  '__proto__',
  'negative_prompt',
  'constructor',
  'toString',
  'hasOwnProperty',
  'messages',
  'stream',
  'temperature',
  'loop',
  'steps',
  'persona_id',
  'audio_urls',
  'parent_task_ids',
  'a.b',
  'a b',
  'é',
];

/** Names of fields that a model does not know; other spellings of those that it knows stand second. */
export function unknownNamesOf(model: string): readonly string[] {
  const [first, ...rest] = strangers;
  const known = everyFieldName();
  const misspelt = fieldsOf(model).flatMap(({ name }) => [
    name.toUpperCase(),
    name.replaceAll('_', '-'),
    name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    `${name} `,
  ]);
  return [...new Set([first ?? '', ...misspelt.slice(0, 1), ...rest, ...misspelt.slice(1)])].filter(
    (name) => !known.has(name),
  );
}
