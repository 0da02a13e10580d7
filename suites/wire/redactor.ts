import type { Profile } from '../targets/profile.ts';

/** Replaces every secret of a profile in a text, in the forms in which it could travel. */
export type Redact = (text: string) => string;

/**
 * A redactor for the secrets of one profile. K1 becomes `$GATECHECK_KEY`, the others are named after their role,
 * so that a reader can repeat a call with a key of the same kind. `more` holds further texts to conceal, for instance
 * keys that differ from a real one by a single character.
 */
export function createRedactor(
  profile: Profile,
  more: readonly (readonly [value: string, name: string])[] = [],
): Redact {
  const forms = new Map<string, string>();
  for (const [value, name] of [...secretsOf(profile), ...more]) {
    for (const form of [
      value,
      encodeURIComponent(value),
      Buffer.from(value).toString('base64').replace(/=+$/, ''),
    ]) {
      if (form.length >= 6 && !forms.has(form)) forms.set(form, name);
    }
  }
  if (forms.size === 0) return (text) => text;
  const longestFirst = [...forms.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(
    longestFirst.map((form) => form.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)).join('|'),
    'g',
  );
  return (text) => text.replaceAll(pattern, (form) => forms.get(form) ?? '$REDACTED');
}

function* secretsOf(profile: Profile): Generator<[string, string]> {
  for (const keys of [profile.keys, ...profile.lanes.map((lane) => lane.keys)]) {
    for (const [role, value] of Object.entries(keys)) {
      if (value !== undefined)
        yield [value, role === 'K1' ? '$GATECHECK_KEY' : `$GATECHECK_KEY_${role.toUpperCase()}`];
    }
  }
  if (profile.hooks.clock) yield [profile.hooks.clock.token, '$GATECHECK_HOOK_TOKEN'];
  for (const key of profile.upstream?.keys ?? []) yield [key, '$GATECHECK_UPSTREAM_KEY'];
}
