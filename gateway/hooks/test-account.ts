import { z } from 'zod';
import { cap, cidr, flag, id, modelId, monthlyTokens } from '../config/fields.ts';
import { markupBp, usdText } from '../config/money.ts';

/** Upper bounds: a test account is small. */
const maxRows = 100;
const list = <Row extends z.ZodType>(row: Row) =>
  z.array(row, 'must be a list').max(maxRows, `must have at most ${maxRows} entries`);

const place = z.int('must be a place in the list').min(0, 'must be a place in the list');
const moment = z.iso.datetime({
  offset: true,
  error: 'must be a date and time such as 2027-01-01T00:00:00Z',
});
const models = z.array(modelId, 'must be a list of model ids');
const app = z
  .strictObject({
    markup_bp: markupBp,
    model_markup_bp: z.record(modelId, markupBp, 'must map model ids to basis points'),
  })
  .partial();
const key = z
  .strictObject({ disabled: flag, expires_at: moment.nullable(), allow: z.array(cidr, 'must be a list') })
  .partial();

/**
 * A new test account. It is served by the channels of the account of the key `like`. It may use the same models
 * unless it lists its own. Keys name their user and app by position in the list.
 */
export const testAccount = z.strictObject({
  like: z.string('must be a key'),
  prepaid: flag.optional(),
  credits: usdText.optional(),
  monthly_tokens: monthlyTokens.optional(),
  models: models.optional(),
  users: list(z.strictObject({ cap: cap.optional() })).default([{}]),
  apps: list(app).default([{}]),
  keys: list(key.extend({ user: place.default(0), app: place.default(0) })).default([{ user: 0, app: 0 }]),
});

/** A change of a test account; users, keys and apps are named by their ids. */
export const testAccountChange = z
  .strictObject({
    grant: usdText,
    monthly_tokens: monthlyTokens,
    prepaid: flag,
    models: z.union([z.literal('all'), models], 'must be "all" or a list of model ids'),
    caps: z.record(id, cap, 'must map user ids to caps'),
    keys: z.record(id, key, 'must map key ids to changes'),
    apps: z.record(id, app, 'must map app ids to changes'),
  })
  .partial();

export type TestAccount = z.output<typeof testAccount>;
export type TestAccountChange = z.output<typeof testAccountChange>;

/** The answer to a new account. */
export interface TestAccountView {
  readonly account: string;
  readonly users: readonly string[];
  readonly apps: readonly string[];
  readonly keys: readonly { readonly id: string; readonly secret: string }[];
}
