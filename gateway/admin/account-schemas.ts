import { z } from 'zod';
import { cap, cidr, flag, id, modelId, monthlyTokens } from '../config/fields.ts';
import { markupBp, usdOrNoneText } from '../config/money.ts';

// Bodies that administrators send about accounts, users, apps and keys, and the answers.

const maxEntries = 1000;

const models = z
  .union(
    [z.literal('all'), z.array(modelId).max(maxEntries, `must have at most ${maxEntries} entries`)],
    'must be "all" or a list of model ids',
  )
  .describe('The models that are enabled.');
const channelsOf = id.nullable().describe('The account by whose own channels this one is served, too.');
const modelMarkups = z
  .record(modelId, markupBp, 'must map model ids to basis points')
  .describe('Markup on single models instead, in basis points.');
/** The last time that this notation can express; a time with an offset can be later. */
const lastMomentMs = Date.parse('9999-12-31T23:59:59.999Z');
const momentRule = 'must be a date and time such as 2027-01-01T00:00:00Z';
export const moment = z.iso
  .datetime({ offset: true, error: momentRule })
  .refine((text) => !(Date.parse(text) > lastMomentMs), momentRule)
  .describe('A date and time as in RFC 3339.');
const ranges = z
  .array(cidr, 'must be a list of address ranges')
  .max(maxEntries, `must have at most ${maxEntries} entries`)
  .describe('Address ranges that the key may be used from; none: from anywhere.');

const accountFields = { models, prepaid: flag, monthly_tokens: monthlyTokens, channels_of: channelsOf };
const overdraftRule = 'Dollars by which tasks and images may take a prepaid account below zero.';
export const accountChange = z
  .strictObject({ ...accountFields, overdraft: usdOrNoneText.describe(overdraftRule) })
  .partial();
export const newAccount = accountChange.extend({ id: id.optional() });

const appFields = { markup_bp: markupBp, model_markup_bp: modelMarkups };
export const appChange = z.strictObject(appFields).partial();
export const newApp = appChange.extend({ id: id.optional() });

export const userChange = z.strictObject({ cap }).partial();
export const newUser = userChange.extend({ id: id.optional() });

const keyFields = { disabled: flag, expires_at: moment.nullable(), allow: ranges };
export const keyChange = z.strictObject(keyFields).partial();
export const newKey = keyChange.extend({ id: id.optional(), user_id: id, app_id: id });

export type NewAccount = z.output<typeof newAccount>;
export type AccountChange = z.output<typeof accountChange>;
export type NewUser = z.output<typeof newUser>;
export type NewApp = z.output<typeof newApp>;
export type AppChange = z.output<typeof appChange>;
export type NewKey = z.output<typeof newKey>;
export type KeyChange = z.output<typeof keyChange>;

export const accountView = z.strictObject({
  id,
  ...accountFields,
  overdraft: z.string().describe(overdraftRule),
  created_at: moment,
});
export const userView = z.strictObject({ id, account_id: id, cap });
export const appView = z.strictObject({ id, account_id: id, ...appFields });
export const keyView = z.strictObject({
  id,
  account_id: id,
  user_id: id,
  app_id: id,
  prefix: z.string().describe('How the secret begins.'),
  last4: z.string().describe('How the secret ends.'),
  ...keyFields,
  created_at: moment,
});
export const newKeyView = keyView.extend({ secret: z.string().describe('Shown this once.') });

export type AccountView = z.output<typeof accountView>;
export type UserView = z.output<typeof userView>;
export type AppView = z.output<typeof appView>;
export type KeyView = z.output<typeof keyView>;
