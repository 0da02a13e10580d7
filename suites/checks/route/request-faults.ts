import type { Reply } from 'gatecheck-simulators/client';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { native } from '../../generators/native-answer.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import type { Dialect } from '../../profile/dialects.ts';
import type { RouteProfile } from '../../profile/profile.ts';
import { must } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { mustServe } from '../../steps/failures/outage-state.ts';
import { breakerBudgetsOf, channelsOf, routedCall, routesOf } from '../../steps/failures/routed-call.ts';
import { fewTenants, sideBySide } from '../../steps/tenants/side-by-side.ts';

/** More requests of one kind than any breaker passes if it counts them as failures. */
const inARow = 20;

/** An upstream's complaint about the request, which is not its own failure. */
interface RequestFault {
  readonly requirement: string;
  readonly label: string;
  readonly codes: readonly ErrorCode[];
  /** The upstream's answer, plain or streamed. */
  readonly reply: (dialect: Dialect, stream: boolean) => Reply;
  /** The same after a stream has begun. */
  readonly midway?: (dialect: Dialect) => Reply;
  readonly members: JsonObject;
}

const blocked: RequestFault = {
  requirement: 'ROUTE-013',
  label: 'a prompt that upstream policy blocks',
  codes: ['content_filter'],
  reply: (dialect, stream) => native(dialect).blocked(stream),
  midway: (dialect) => native(dialect).cutByPolicy,
  members: {},
};

const ofTheRequest: readonly RequestFault[] = [
  {
    requirement: 'ROUTE-014',
    label: 'a prompt that is too long for the upstream',
    codes: ['context_too_long'],
    reply: (dialect) => native(dialect).tooLong,
    members: {},
  },
  {
    requirement: 'ROUTE-014',
    label: 'a value that the upstream rejects',
    codes: ['invalid_param', 'upstream_error'],
    reply: (dialect) => ({ status: 400, body: badValue[dialect] }),
    members: { temperature: 1.1 },
  },
];

const said = 'temperature must be at most 1.';
const badValue: Readonly<Record<Dialect, object>> = {
  'chat-completions': {
    error: { message: said, type: 'invalid_request_error', param: 'temperature', code: 'invalid_value' },
  },
  messages: {
    type: 'error',
    error: { type: 'invalid_request_error', message: `temperature: ${said}` },
    request_id: 'req_native',
  },
  'generate-content': { error: { code: 400, message: said, status: 'INVALID_ARGUMENT' } },
};

/** Each is answered after one attempt. */
export const blocksAreNoOutage = defineCheck({
  id: 'route.request.policy',
  title: `${inARow} prompts blocked upstream in a row give content_filter and do not open the breaker`,
  requirements: ['ROUTE-013'],
  kind: 'upstream',
  needs: ['upstream.control'],
  tenants: fewTenants,
  run: async (parts) => {
    await sideBySide(parts, everyModel(parts), (own, model) => judgeFault(own, model, blocked));
  },
});

/** Judges that each request gets a request error code after one attempt. */
export const requestFaultsAreNoOutage = defineCheck({
  id: 'route.request.invalid',
  title: `${inARow} requests in a row that an upstream rejects as invalid do not open the breaker`,
  requirements: ['ROUTE-014'],
  kind: 'upstream',
  needs: ['upstream.control'],
  tenants: fewTenants,
  run: async (parts) => {
    const all = ofTheRequest.flatMap((fault) => everyModel(parts).map((model) => ({ fault, model })));
    await sideBySide(parts, all, (own, { fault, model }) => judgeFault(own, model, fault));
  },
});

/** A model of each dialect, and models with a second channel or a fallback. */
function everyModel({ target }: CheckParts): (string | RouteProfile)[] {
  const routes = [...routesOf(target, 'pair').slice(0, 1), ...routesOf(target, 'fallback')];
  return [...dialectModels(target), ...routes];
}

async function judgeFault(
  { cases, judge, tenants }: CheckParts,
  of: string | RouteProfile,
  fault: RequestFault,
): Promise<void> {
  const [budget] = breakerBudgetsOf(tenants, [of]);
  if (budget === undefined) return;
  const { tenant, model } = budget;
  const { requirement, codes, label } = fault;
  const dialect = budget.channels[0]?.dialect ?? dialectOf(model);
  const { midway } = fault;
  const forms = [
    { stream: false, begins: false, reply: fault.reply(dialect, false) },
    { stream: true, begins: false, reply: fault.reply(dialect, true) },
    ...(midway === undefined ? [] : [{ stream: true, begins: true, reply: midway(dialect) }]),
  ];
  for (const { stream, begins, reply } of forms) {
    const scene = tenant.newScene();
    await scene.script(reply);
    for (let call = 1; call <= inARow / 2; call += 1) {
      cases.count();
      const body = { ...scene.minimal(model), ...fault.members, ...(stream ? { stream } : {}) };
      const exchange = await tenant.http.chat(body, { label: `${model}: ${label}, ${call} in a row` });
      const attempts = await channelsOf(scene);
      must(attempts.length >= call, {
        requirement,
        aspect: 'never-counts',
        expected: `the ${call}th call of this kind at the upstream, whose channel is not at fault`,
        actual: 'it was refused without an upstream request',
        exchange,
      });
      // A stream that has begun ends as the oracle of each exchange knows.
      if (!begins) judge.refused(exchange, { requirement, aspect: 'code', codes });
      must(attempts.length === call, {
        requirement,
        aspect: 'not-retried',
        expected: `one upstream request for each of ${call} calls`,
        actual: `${attempts.length}, at ${[...new Set(attempts)].join(', ')}`,
        exchange,
      });
    }
  }
  const good = await routedCall(budget, {}, { label: `${model}, after ${label}` });
  const expected = `${model} served: its channel was not at fault`;
  mustServe(good, { requirement, aspect: 'never-counts', expected });
  judge.completed(good.exchange, { requirement, aspect: 'never-counts', model });
}
