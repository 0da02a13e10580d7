import { z } from 'zod';
import { allFaultFacts } from '../fault-contract/known-faults.ts';
import { keysSelected } from '../requests/selectors.ts';
import * as answers from '../schemas/answer-schemas.ts';
import { faultRuleSchema } from '../schemas/fault-rule-schema.ts';
import { jobMoveSchema } from '../schemas/job-schema.ts';
import { journalQuerySchema } from '../schemas/journal-query-schema.ts';
import { replySchema } from '../schemas/reply-schema.ts';
import { scenarioSchema } from '../schemas/scenario-schema.ts';
import { scriptFileSchema, scriptSchema, settingsSchema } from '../schemas/script-schema.ts';
import { tenantRuleSchema } from '../schemas/tenant-rule-schema.ts';
import { toJsonSchema } from '../schemas/to-json-schema.ts';
import { awaitJournal } from '../state/journal.ts';
import { variantFacts } from '../variants/known-variants.ts';
import { openApi } from './openapi.ts';
import { ControlRefusal, hideKeys, type Route, route, tenantOf } from './route.ts';
import { scenarioRoutes } from './scenario-routes.ts';

const ok = { ok: true } as const;

const processRoutes: readonly Route[] = [
  route({
    ...{ method: 'GET', path: '/health', summary: 'Says that the simulators run.', answer: answers.health },
    run: ({ context: { seed, clock, providerUrl } }) => ({
      ok: true,
      seed,
      now_ms: clock.now(),
      provider_url: providerUrl,
    }),
  }),
  route({
    ...{ method: 'GET', path: '/openapi.json', summary: 'This document.' },
    run: () => openApi(routes),
  }),
  route({
    ...{ method: 'GET', path: '/schemas/scripts', summary: 'The JSON Schema of a file of scripts.' },
    run: () => toJsonSchema(scriptFileSchema, 'input'),
  }),
  route({
    ...{ method: 'GET', path: '/schemas/scenario', summary: 'The JSON Schema of a scenario file.' },
    run: () => toJsonSchema(scenarioSchema, 'input'),
  }),
  route({
    ...{ method: 'GET', path: '/faults', summary: 'The facts of every fault.', answer: answers.catalogue },
    run: () => ({ faults: allFaultFacts }),
  }),
  route({
    ...{ method: 'GET', path: '/variants', answer: answers.variants },
    summary: 'The variants of dialects that upstreams can play, each with its source.',
    run: () => ({ variants: [...variantFacts] }),
  }),
  route({
    ...{
      method: 'GET',
      path: '/clock',
      summary: 'The time, and when the next effect is due.',
      answer: answers.clock,
    },
    run: ({ context: { clock } }) => ({ now_ms: clock.now(), next_due_ms: clock.nextDue() }),
  }),
  route({
    ...{ method: 'POST', path: '/clock', summary: 'Moves a test clock.', answer: answers.clock },
    body: z.strictObject({ advance_ms: z.number().nonnegative().max(1e12) }),
    run: async ({ context: { testClock }, body: { advance_ms } }) => {
      if (testClock === null)
        throw new ControlRefusal(409, 'the clock is the real one; start the simulators with --test-clock');
      await testClock.advance(advance_ms);
      return { now_ms: testClock.now(), next_due_ms: testClock.nextDue() };
    },
  }),
  route({
    ...{ method: 'GET', path: '/tenants', summary: 'The names of all tenants.', answer: answers.tenantNames },
    run: ({ context: { tenants } }) => ({ tenants: tenants.all().map(({ name }) => name) }),
  }),
  route({
    ...{
      method: 'GET',
      path: '/tenant-rules',
      summary: 'Rules that assign requests to tenants.',
      answer: answers.rules,
    },
    run: ({ context: { tenants } }) => tenants.redacted({ rules: tenants.rules.list() }),
  }),
  route({
    ...{
      method: 'POST',
      path: '/tenant-rules',
      summary: 'Adds a rule, after all others.',
      answer: answers.id,
    },
    body: tenantRuleSchema,
    run: (call) => {
      hideKeys(call, keysSelected(call.body.when));
      const id = call.context.tenants.rules.add(call.body);
      if (id === null) throw new ControlRefusal(409, 'there are too many rules');
      return { id };
    },
  }),
  route({
    ...{ method: 'DELETE', path: '/tenant-rules/{id}', summary: 'Removes a rule.', answer: answers.ok },
    run: ({ context: { tenants }, params: { id = '' } }) => {
      if (!tenants.rules.remove(id)) throw new ControlRefusal(404, `there is no rule ${id}`);
      return ok;
    },
  }),
];

const scriptRoutes: readonly Route[] = [
  route({
    ...{ method: 'GET', path: '/tenants/{tenant}/scripts', answer: answers.scripts },
    summary: 'The scripts in the order in which they are tried.',
    run: (call) => call.context.tenants.redacted({ scripts: tenantOf(call).scripts.list() }),
  }),
  route({
    ...{ method: 'POST', path: '/tenants/{tenant}/scripts', answer: answers.id, body: scriptSchema },
    summary: 'Adds a script, which is tried before those that are there.',
    run: (call) => {
      hideKeys(call, keysSelected(call.body.match ?? {}));
      const id = tenantOf(call).scripts.add(call.body);
      if (id === null) throw new ControlRefusal(409, 'the tenant has too many scripts; reset it');
      return { id };
    },
  }),
  route({
    ...{ method: 'PUT', path: '/tenants/{tenant}/scripts/{id}', answer: answers.ok, body: scriptSchema },
    summary: 'Puts another script in the place of one, which begins anew.',
    run: (call) => {
      const { id = '' } = call.params;
      hideKeys(call, keysSelected(call.body.match ?? {}));
      if (!tenantOf(call).scripts.change(id, call.body))
        throw new ControlRefusal(404, `the tenant has no script ${id}`);
      return ok;
    },
  }),
  route({
    ...{
      method: 'DELETE',
      path: '/tenants/{tenant}/scripts',
      answer: answers.ok,
      summary: 'Removes all scripts.',
    },
    run: (call) => {
      tenantOf(call).scripts.clear();
      return ok;
    },
  }),
  route({
    ...{
      method: 'DELETE',
      path: '/tenants/{tenant}/scripts/{id}',
      answer: answers.ok,
      summary: 'Removes a script.',
    },
    run: (call) => {
      const { id = '' } = call.params;
      if (!tenantOf(call).scripts.remove(id)) throw new ControlRefusal(404, `the tenant has no script ${id}`);
      return ok;
    },
  }),
  route({
    ...{ method: 'GET', path: '/tenants/{tenant}/check', answer: answers.check },
    summary: 'Scripts with replies that were not used, and requests that nothing was scripted for.',
    run: (call) => call.context.tenants.redacted(tenantOf(call).check()),
  }),
  route({
    ...{ method: 'PUT', path: '/tenants/{tenant}/settings', answer: answers.ok, body: settingsSchema },
    summary:
      'Sets how unscripted requests and models are treated, and which variants are played. A reset undoes it.',
    run: (call) => {
      const tenant = tenantOf(call);
      const { strict_models: strictModels, ...given } = call.body;
      tenant.settings = {
        ...{ ...tenant.settings, ...given },
        ...(strictModels === undefined ? {} : { strictModels }),
      };
      return ok;
    },
  }),
];

const faultRoutes: readonly Route[] = [
  route({
    ...{ method: 'GET', path: '/tenants/{tenant}/faults', answer: answers.faultRules },
    summary: 'The faults that are set, in the order in which they were added.',
    run: (call) =>
      call.context.tenants.redacted({ faults: tenantOf(call).faultRules.list(call.context.clock.now()) }),
  }),
  route({
    ...{ method: 'POST', path: '/tenants/{tenant}/faults', answer: answers.id, body: faultRuleSchema },
    summary: 'Sets a fault, or any reply, which wins over scripts and scenario.',
    run: (call) => {
      hideKeys(call, keysSelected(call.body.when ?? {}));
      const id = tenantOf(call).faultRules.add(call.body, call.context.clock.now());
      if (id === null) throw new ControlRefusal(409, 'the tenant has too many faults; reset it');
      return { id };
    },
  }),
  route({
    ...{
      method: 'DELETE',
      path: '/tenants/{tenant}/faults',
      answer: answers.ok,
      summary: 'Removes all faults.',
    },
    run: (call) => {
      tenantOf(call).faultRules.clear();
      return ok;
    },
  }),
  route({
    ...{
      method: 'DELETE',
      path: '/tenants/{tenant}/faults/{id}',
      answer: answers.ok,
      summary: 'Removes a fault.',
    },
    run: (call) => {
      const { id = '' } = call.params;
      if (!tenantOf(call).faultRules.remove(id))
        throw new ControlRefusal(404, `the tenant has no fault ${id}`);
      return ok;
    },
  }),
];

const requestRoutes: readonly Route[] = [
  route({
    ...{ method: 'POST', path: '/tenants/{tenant}/release', answer: answers.released },
    summary:
      'Opens the gates where requests wait, also with another reply before the head, or cuts one of them.',
    body: z.strictObject({
      request: z.int().min(1).exactOptional(),
      cut: z.boolean().exactOptional(),
      reply: replySchema.exactOptional(),
    }),
    run: (call) => {
      const { request, ...how } = call.body;
      if (how.cut === true && how.reply !== undefined)
        throw new ControlRefusal(400, 'give cut or reply, not both');
      return { released: tenantOf(call).release(request, how) };
    },
  }),
  route({
    ...{ method: 'POST', path: '/tenants/{tenant}/reset', answer: answers.ok },
    summary: 'Removes everything that was set or happened, and aborts every request in flight.',
    run: (call) => {
      tenantOf(call).reset();
      return ok;
    },
  }),
  route({
    ...{
      method: 'GET',
      path: '/tenants/{tenant}/journal',
      answer: answers.journal,
      query: journalQuerySchema,
    },
    summary: 'The requests that arrived and what was sent, at once or when enough of them are there.',
    run: (call) => awaitJournal(tenantOf(call).journal, call.query, call.context.realClock, call.signal),
  }),
  route({
    ...{
      method: 'GET',
      path: '/tenants/{tenant}/jobs',
      answer: answers.jobs,
      summary: 'The jobs in order of submission.',
    },
    run: (call) =>
      call.context.tenants.redacted({ jobs: tenantOf(call).jobs.list(call.context.clock.now()) }),
  }),
  route({
    ...{ method: 'POST', path: '/tenants/{tenant}/jobs/{id}', answer: answers.job, body: jobMoveSchema },
    summary: 'Moves a job by hand.',
    run: (call) => {
      const { id = '' } = call.params;
      const { clock, tenants } = call.context;
      const job = tenantOf(call).jobs.find(id);
      if (job === null) throw new ControlRefusal(404, `the tenant has no job ${id}`);
      const refusal = job.move(call.body, clock.now());
      if (refusal !== null) throw new ControlRefusal(409, refusal);
      return tenants.redacted(job.stateAt(clock.now()));
    },
  }),
];

/** The control API, route by route. */
export const routes: readonly Route[] = [
  ...processRoutes,
  ...scriptRoutes,
  ...faultRoutes,
  ...scenarioRoutes,
  ...requestRoutes,
];
