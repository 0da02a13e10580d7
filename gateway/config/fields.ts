import { isIP } from 'node:net';
import { z } from 'zod';

// Fields shared by the configuration and admin requests.

/** The name of an account, user, app, key, channel or grant. */
export const id = z
  .string('must be a text')
  .regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, dashes or underscores');

export const modelId = z.string('must be a model id');

export const flag = z.boolean('must be true or false');

export const filledText = z.string('must be a text').min(1, 'must not be empty');

export const sizeBytes = z
  .int('must be a whole number of bytes')
  .min(1, 'must be at least 1')
  .max(1024 ** 3, 'must be at most 1 GiB');

/** Upper limit for the number of calls that a user may have in flight. */
const maxCap = 1_000_000;

export const cap = z
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(maxCap, `must be at most ${maxCap}`);

/** Tokens that an account may use in a calendar month; null for no limit. */
export const monthlyTokens = z
  .int('must be a whole number of tokens, or null')
  .min(0, 'must be 0 or more')
  .nullable();

export const cidr = z
  .string('must be a text')
  .refine(isCidr, 'must be an address range such as 10.0.0.0/8 or 2001:db8::/32');

/** Larger than any known context window, and small enough for exact sums. */
const maxTokens = 1_000_000_000;

export const tokens = z
  .int('must be a whole number of tokens')
  .min(1, 'must be at least 1')
  .max(maxTokens, 'must be at most a billion');

/** The largest capacity and queue length of a channel. */
export const maxCalls = 10_000;
export const whole = (min: number, max: number): z.ZodInt =>
  z.int('must be a whole number').min(min, `must be at least ${min}`).max(max, `must be at most ${max}`);

function isCidr(text: string): boolean {
  const [address = '', bits = '', rest] = text.split('/');
  const family = isIP(address);
  // A CIDR range cannot have a zone.
  if (family === 0 || address.includes('%') || rest !== undefined || !/^\d{1,3}$/.test(bits)) return false;
  return Number(bits) <= (family === 4 ? 32 : 128);
}
