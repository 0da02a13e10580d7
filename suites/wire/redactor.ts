import type { Profile } from '../profile/profile.ts';

/** Replaces every secret of a profile in a text, in the forms in which it could travel. */
export type Redact = (text: string) => string;

/** A value of `key` in a query that is no placeholder yet: whatever was sent as a credential, no report shows it. */
const keyInQuery = /([?&]key=)(?!\$GATECHECK_)[^&#\s"'\\]+/g;

/**
 * A redactor for the secrets of one profile. K1 becomes `$GATECHECK_KEY`, the others are named after their role,
 * so that a reader can repeat a call with a key of the same kind. `more` holds further texts to conceal, for instance
 * keys that differ from a real one by a single character.
 */
export function createRedactor(
  profile: Profile,
  more: readonly (readonly [value: string, name: string])[] = [],
): Redact {
  // Made when it is needed: most checks have nothing to say, and a profile has a thousand secrets.
  let replace: Redact | null = null;
  return (text) => {
    replace ??= replacerOf([...secretsOf(profile), ...more]);
    return replace(text).replaceAll(keyInQuery, '$1$$GATECHECK_KEY_OTHER');
  };
}

/** Replaces each of the values by the name given with it, in the forms in which it could travel. */
export function replacerOf(secrets: readonly (readonly [value: string, name: string])[]): Redact {
  const forms = new Map<string, string>();
  for (const [value, name] of secrets) {
    for (const form of [
      value,
      encodeURIComponent(value),
      Buffer.from(value).toString('base64').replace(/=+$/, ''),
    ]) {
      if (form.length >= 6 && !forms.has(form)) forms.set(form, name);
    }
  }
  const longestFirst = [...forms.keys()].sort((a, b) => b.length - a.length);
  // Without any secret, what matches nothing.
  const source = longestFirst.length === 0 ? '(?!)' : longestFirst.map(escaped).join('|');
  const pattern = new RegExp(source, 'g');
  return (text) => text.replaceAll(pattern, (form) => forms.get(form) ?? '$REDACTED');
}

function escaped(form: string): string {
  return form.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}

function* secretsOf(profile: Profile): Generator<[string, string]> {
  for (const keys of [profile.keys, ...profile.lanes.map((tenant) => tenant.keys)]) {
    for (const [role, value] of Object.entries(keys)) {
      if (value !== undefined)
        yield [value, role === 'K1' ? '$GATECHECK_KEY' : `$GATECHECK_KEY_${role.toUpperCase()}`];
    }
  }
  for (const hook of Object.values(profile.hooks))
    if (hook !== undefined && 'token' in hook) yield [hook.token, '$GATECHECK_HOOK_TOKEN'];
  if (profile.admin !== undefined) yield [profile.admin.token, '$GATECHECK_ADMIN_TOKEN'];
  for (const { webhook_secret: secret } of profile.lanes)
    if (secret !== undefined) yield* webhookSecret(secret, '$GATECHECK_WEBHOOK_SECRET');
  const { secret, kit } = profile.webhooks;
  if (secret !== undefined) yield* webhookSecret(secret, '$GATECHECK_WEBHOOK_SECRET');
  if (kit !== undefined) yield* webhookSecret(kit.secret, '$GATECHECK_WEBHOOK_KIT_SECRET');
  for (const key of profile.upstream?.keys ?? []) yield [key, '$GATECHECK_UPSTREAM_KEY'];
}

/** Such a secret is used without what it begins with, which says only what it is. */
function* webhookSecret(secret: string, name: string): Generator<[string, string]> {
  yield [secret, name];
  yield [secret.replace(/^whsec_/, ''), name];
}
