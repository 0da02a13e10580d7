import { z } from 'zod';
import { id } from './fields.ts';
import { waitMs } from './waits.ts';

/** The length of a 128-bit secret in hexadecimal digits. */
const minLength = 32;
const tokenRule = `must have ${minLength} to 200 printable characters and no space, as openssl rand -hex 32 makes them`;
const isToken = (text: string): boolean => text.length >= minLength && /^[\x21-\x7e]{1,200}$/.test(text);

const token = z.string('must be a text').refine(isToken, tokenRule);
const variable = z
  .string('must be a text')
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, 'must be the name of an environment variable');
const named = z
  .strictObject({ name: id, token: token.optional(), env: variable.optional() })
  .refine((row) => (row.token === undefined) !== (row.env === undefined), {
    message: 'must have either token or env',
  });

/** How many wrong tokens an address may send without delay, and the wait that each further one costs. */
const guesses = z.strictObject({
  free: z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(1_000_000, 'must be at most 1000000')
    .default(30),
  every_ms: waitMs.default(1_000),
});
export type GuessLimits = z.infer<typeof guesses>;
export const usualGuesses: GuessLimits = guesses.parse({});

/** Access to /api/admin: `token` for a single token, which the audit trail calls `admin`, or `tokens` with names. */
export const adminAccess = z
  .strictObject({
    token: token.optional(),
    tokens: z.array(named, 'must be a list').min(1, 'must name at least one token').optional(),
    guesses: guesses.prefault({}),
  })
  .refine((one) => (one.token === undefined) !== (one.tokens === undefined), {
    message: 'must have either token or tokens',
  })
  .superRefine(({ tokens = [] }, refiner) => {
    for (const member of ['name', 'token', 'env'] as const) {
      const values = tokens.map((row) => row[member]);
      values.forEach((value, at) => {
        if (value === undefined || values.indexOf(value) === at) return;
        const message = `must be different from every other ${member}`;
        refiner.addIssue({ code: 'custom', path: ['tokens', at, member], message });
      });
    }
  });

export interface AdminToken {
  /** The name of its owner in logs and the audit trail. */
  readonly name: string;
  readonly token: string;
}

/**
 * The configured tokens, including those from environment variables; or the errors in these variables, as sentences that
 * contain no value.
 */
export function adminTokensIn(
  access: z.infer<typeof adminAccess> | undefined,
  env: Readonly<Record<string, string | undefined>>,
): { readonly tokens: readonly AdminToken[] } | { readonly faults: readonly string[] } {
  if (access?.token !== undefined) return { tokens: [{ name: 'admin', token: access.token }] };
  const tokens: AdminToken[] = [];
  const faults: string[] = [];
  for (const row of access?.tokens ?? []) {
    const text = row.token ?? env[row.env ?? ''];
    if (text !== undefined && isToken(text)) tokens.push({ name: row.name, token: text });
    else if (text === undefined) faults.push(`admin.tokens: the environment variable ${row.env} is not set.`);
    else faults.push(`admin.tokens: the environment variable ${row.env} ${tokenRule}.`);
  }
  const twice = tokens.find(({ token: text }, at) => tokens.findIndex((one) => one.token === text) !== at);
  if (twice !== undefined) faults.push(`admin.tokens: ${twice.name} has the token of another name.`);
  return faults.length > 0 ? { faults } : { tokens };
}
