import { z } from 'zod';
import { secret } from './keys.ts';

/** The parts of a profile about money, and the hooks that show or change it. */

const hook = z.strictObject({
  url: z.url().describe('the URL of the hook'),
  token: secret.describe('sent as a bearer token'),
});

/** Hooks, each a URL with a token. The balance is shown to a business key, so it needs no token. */
export const hooks = z.strictObject({
  clock: hook.optional().describe('moves the clock of the deployment'),
  store: hook.optional().describe('makes the database unreachable'),
  usage: hook.optional().describe('the billed usage of a request'),
  ledger: hook.optional().describe('the charges of a request, entry by entry'),
  accounts: hook.optional().describe('creates and changes accounts, users, apps and keys'),
  balance: z
    .strictObject({
      url: z.url().describe('a GET with a business key'),
      field: z
        .string()
        .min(1)
        .default('balance')
        .describe('the member with the credit left; dots lead into objects'),
      lag_ms: z.int().min(0).max(60_000).default(0).describe('how long after its answer a charge may appear'),
    })
    .optional()
    .describe('shows a business key the credit of its account'),
});

/** Dollars as a text, so that no amount becomes a floating-point number. */
const dollars = z
  .string('must be a text such as "2.50"')
  .regex(/^\d{1,12}(?:\.\d{1,12})?$/, 'must be dollars such as "2.50"');
const percent = z.int().min(0).max(1000);
const basisPoints = z.int().min(-10_000).max(1_000_000);

const tokenPrice = z.strictObject({
  input: dollars.describe('dollars a million tokens'),
  output: dollars,
  cached_percent: percent
    .optional()
    .describe('of the input price; the usual one of the family when left out'),
  write_5m_percent: percent.optional(),
  write_1h_percent: percent.optional(),
});

/**
 * The price of an image, a second or a whole task. A model with qualities may have one image price for each
 * quality.
 */
const unitPrice = z.union([
  z.strictObject({
    per_image: z.union([
      dollars,
      z.strictObject({ low: dollars, medium: dollars, high: dollars, auto: dollars }),
    ]),
  }),
  z.strictObject({ per_second: dollars }),
  z.strictObject({ per_task: dollars }),
]);

const modelPrice = z.union([tokenPrice, unitPrice], {
  error:
    'must be prices of tokens such as { input: "2.50", output: "10" }, or one of per_image, per_second and per_task such as { per_second: "0.05" }',
});

/** What calls cost: the price list, and the markups of the apps of K1 and K5. */
export const pricing = z.strictObject({
  models: z
    .record(z.string(), modelPrice)
    .optional()
    .describe('the price list: tokens, or per_image, per_second, per_task'),
  markup_bp: z
    .strictObject({
      K1: basisPoints.describe('of the app of K1'),
      K5: basisPoints.describe('of the app of K5'),
    })
    .optional()
    .describe('markups in basis points: 10000 doubles the price'),
  model_markup_bp: z
    .strictObject({
      K1: z.record(z.string(), basisPoints).optional().describe('model to its markup in the app of K1'),
      K5: z.record(z.string(), basisPoints).optional().describe('model to its markup in the app of K5'),
    })
    .prefault({})
    .describe('markups of single models'),
  unit: dollars
    .refine((text) => /[1-9]/.test(text), 'must be above zero')
    .default('0.000000000001')
    .describe('the unit of charges, in dollars; rounded half to even'),
});

/** Where a run stops. Only the list prices of `pricing.models` determine what an answer costs. */
export const budget = z.strictObject({
  exchanges: z.int().min(1).optional().describe('requests to the deployment'),
  tokens: z.int().min(1).optional().describe('of prompts and answers together'),
  usd: z
    .union([dollars, z.int().min(1).transform(String)])
    .optional()
    .describe('dollars'),
  minutes: z.number().positive().optional().describe('duration of the run'),
});

/** The list prices of a separate file. */
export const priceList = z.record(z.string(), modelPrice);

/** What a deployment settles by its own rules. */
export const billing = z.strictObject({
  abandoned_stream: z
    .enum(['reported', 'nothing', 'whole'])
    .optional()
    .describe('the charge of a stream that its client left: the reported usage, nothing, or the whole'),
  overdraft: dollars.optional().describe('how far below zero tasks and images may take an account'),
});

/** A token for the paths below /api/admin, and one URL that answers 200 to it. */
export const admin = z.strictObject({
  token: secret.describe('an admin token'),
  url: z.url().describe('an admin URL that answers 200 to it'),
});

export type TokenPrice = z.infer<typeof tokenPrice>;
export type UnitPrice = z.infer<typeof unitPrice>;
export type ModelPrice = TokenPrice | UnitPrice;
export type Pricing = z.infer<typeof pricing>;
export type Budget = z.infer<typeof budget>;
