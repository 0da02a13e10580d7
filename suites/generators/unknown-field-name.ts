import { fieldsOf } from '../oracle/media/fields.ts';
import { everyFieldName } from '../oracle/media/shared-fields.ts';

/** Names that no model lists: random names, inputs that a single song action may have, and names that break lookups. */
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

/** Names of fields that a model does not list; other spellings of listed ones come second. */
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
