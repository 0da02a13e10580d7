import { z } from 'zod';
import { moment } from '../../admin/account-schemas.ts';
import { pageOf, pageQuery, pageView } from '../../admin/page.ts';
import type { AppliedPrice } from '../../billing/applied-price.ts';
import type { UsageCursor } from '../../billing/usage-reader.ts';
import type { UsageRecord } from '../../billing/usage-record.ts';
import { id } from '../../config/fields.ts';
import { invalidParam } from '../../errors/gateway-error.ts';
import { formatUsd, type Pico } from '../../money/pico.ts';
import { priceUnits } from '../../money/price-row.ts';
import { usageDoubts } from '../../upstreams/outcome.ts';
import { type AdminRoute, adminRoute } from './admin-route.ts';

/** The prefix of query parameters that filter by a metadata key. */
const metadata = 'metadata.';
const oneMillion = 1_000_000n;

const text = z.string('must be a text');
const usageQuery = pageQuery
  .extend({
    account_id: id.optional(),
    request_id: text.optional(),
    end_user: text.optional().describe('What the request named as its user.'),
    model: text.optional().describe('The model that answered.'),
    from: moment.optional().describe('Requests that ended then or later.'),
    to: moment.optional().describe('Requests that ended before.'),
  })
  .catchall(z.string().describe('metadata.<key>=<value>: a pair that stands in the metadata of the request.'))
  .check(({ value, issues }) => {
    for (const name of Object.keys(value)) {
      if (name.startsWith(metadata) || Object.hasOwn(known, name)) continue;
      issues.push({ code: 'custom', path: [name], message: 'is not a known parameter', input: value });
    }
  });
const known: Readonly<Record<string, unknown>> = usageQuery.shape;

const count = z.int().min(0);
const usd = z.string().describe('Dollars.');
const usageView = z.strictObject({
  request_id: z.string(),
  account_id: z.string(),
  user_id: z.string(),
  app_id: z.string(),
  key_id: z.string(),
  model_requested: z.string(),
  model_served: z.string(),
  channel_id: z.string().nullable().describe('The channel that was asked last; null when none was.'),
  outcome: z.string().describe('success, client_gone, or the code of its error.'),
  stream: z.boolean(),
  attempts: count.describe('Calls to upstreams.'),
  prompt_tokens: count.describe('All of the prompt, what a cache gave or took included.'),
  completion_tokens: count,
  cached_tokens: count,
  cache_write_5m_tokens: count,
  cache_write_1h_tokens: count,
  usage_known: z.boolean().describe('Whether an upstream reported these counts.'),
  charge: usd,
  units: count
    .nullable()
    .describe('How much was made of what the model is paid by; null where tokens count.'),
  unit: z.enum(priceUnits).nullable(),
  task_id: z.string().nullable().describe('The task that the request handed in.'),
  price: z
    .union([
      z.strictObject({
        input: usd,
        output: usd,
        cached_percent: count,
        write_5m_percent: count,
        write_1h_percent: count,
        markup_bp: z.int(),
        doubts: z.array(z.enum(usageDoubts)).describe('Why the counts may be wrong.'),
      }),
      z.strictObject({
        per_image: usd.optional(),
        per_second: usd.optional(),
        per_task: usd.optional(),
        markup_bp: z.int(),
      }),
    ])
    .describe(
      'What the charge was made with: list prices a million tokens and rates of the input price, or the price of a unit; markup.',
    ),
  parents: z.array(z.string()).describe('The tasks that its task builds on, the first one first.'),
  end_user: z.string().nullable(),
  metadata: z.record(z.string(), z.string()).nullable(),
  started_at: moment,
  ended_at: moment,
});

/** Routes for the usage log: usage and cost of requests. */
export const usageRoutes: readonly AdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: '/api/admin/usage',
    summary: 'Searches the usage log, newest first.',
    query: usageQuery,
    answer: pageView(usageView),
    handle: async ({ admin, query }) => {
      const { limit, after } = query;
      const pairs = Object.entries(query).filter(([name]) => name.startsWith(metadata));
      const filter = {
        accountId: query.account_id,
        requestId: query.request_id,
        endUser: query.end_user,
        modelId: query.model,
        fromMs: query.from === undefined ? undefined : Date.parse(query.from),
        toMs: query.to === undefined ? undefined : Date.parse(query.to),
        metadata: Object.fromEntries(
          pairs.map(([name, value]) => [name.slice(metadata.length), String(value)]),
        ),
      };
      const place = after === undefined ? undefined : placeOf(after);
      const records = await admin.usageReader.search(filter, limit + 1, place);
      return pageOf(records, limit, cursorOf, viewOf);
    },
  }),
];

function cursorOf({ ended_at_ms, request_id }: UsageRecord): string {
  return `${ended_at_ms}.${request_id}`;
}

function placeOf(cursor: string): UsageCursor {
  const [, at, requestId] = /^(\d{1,15})\.(.+)$/.exec(cursor) ?? [];
  if (at === undefined || requestId === undefined) {
    throw invalidParam('after', 'after must be the next of an earlier answer.');
  }
  return { ended_at_ms: Number(at), request_id: requestId };
}

function viewOf(record: UsageRecord): z.input<typeof usageView> {
  const { charge_pico, price, started_at_ms, ended_at_ms, ...rest } = record;
  return {
    ...rest,
    prompt_tokens: Number(record.prompt_tokens),
    completion_tokens: Number(record.completion_tokens),
    cached_tokens: Number(record.cached_tokens),
    cache_write_5m_tokens: Number(record.cache_write_5m_tokens),
    cache_write_1h_tokens: Number(record.cache_write_1h_tokens),
    charge: formatUsd(charge_pico),
    price: priceView(price),
    parents: [...record.parents],
    started_at: new Date(started_at_ms).toISOString(),
    ended_at: new Date(ended_at_ms).toISOString(),
  };
}

function priceView(price: AppliedPrice): z.input<typeof usageView>['price'] {
  if ('unit' in price) {
    return { [`per_${price.unit}`]: formatUsd(price.unitPico), markup_bp: price.markupBp };
  }
  const aMillion = (perToken: Pico): string => formatUsd(perToken * oneMillion);
  return {
    input: aMillion(price.input),
    output: aMillion(price.output),
    cached_percent: Number(price.cachedPercent),
    write_5m_percent: Number(price.write5mPercent),
    write_1h_percent: Number(price.write1hPercent),
    markup_bp: price.markupBp,
    doubts: [...(price.doubts ?? [])],
  };
}
