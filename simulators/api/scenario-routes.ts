import { z } from 'zod';
import type { Scenario, ScenarioChoice } from '../control/scenario.ts';
import { BadFile } from '../files/bad-file.ts';
import { loadScenarioByName } from '../files/load-scenario.ts';
import { resolveCaptures } from '../files/resolve-captures.ts';
import { renderPath } from '../json/issue.ts';
import { keysIn } from '../scenarios/keys-in.ts';
import type { ScenarioRun } from '../scenarios/scenario-run.ts';
import * as answers from '../schemas/answer-schemas.ts';
import { scenarioSchema } from '../schemas/scenario-schema.ts';
import { type Call, ControlRefusal, hideKeys, type Route, route, tenantOf } from './route.ts';

const choiceSchema: z.ZodType<ScenarioChoice> = z
  .strictObject({ file: z.string().exactOptional(), scenario: scenarioSchema.exactOptional() })
  .refine(({ file, scenario }) => (file === undefined) !== (scenario === undefined), {
    message: 'expected either file or scenario',
  }) as unknown as z.ZodType<ScenarioChoice>;

const path = '/tenants/{tenant}/scenario';

/** Starts, shows, steps and ends the scenario of a tenant. */
export const scenarioRoutes: readonly Route[] = [
  route({
    ...{ method: 'POST', path, answer: answers.scenario, body: choiceSchema },
    summary: 'Starts a scenario: a file of fixtures/scenarios by its name, or one that is given.',
    run: async (call) => {
      const scenario = await chosen(call.body);
      hideKeys(call, keysIn(scenario));
      tenantOf(call).playScenario(scenario);
      return stateOf(call);
    },
  }),
  route({
    ...{ method: 'GET', path, answer: answers.scenario, summary: 'The state of the scenario.' },
    run: stateOf,
  }),
  route({
    ...{ method: 'POST', path: `${path}/step`, answer: answers.scenario },
    summary: 'Goes to the next phase, on every channel or on one.',
    body: z.strictObject({ channel: z.string().min(1).exactOptional() }),
    run: (call) => {
      runOf(call).step(call.context.clock.now(), call.body.channel);
      return stateOf(call);
    },
  }),
  route({
    ...{ method: 'DELETE', path, answer: answers.ok, summary: "Ends the tenant's own scenario." },
    run: (call) => {
      tenantOf(call).playScenario(null);
      return { ok: true };
    },
  }),
];

/** @throws ControlRefusal when the file does not exist or is invalid. */
async function chosen(choice: ScenarioChoice): Promise<Scenario> {
  let scenario: Scenario;
  try {
    scenario = 'file' in choice ? await loadScenarioByName(choice.file) : withoutCaptures(choice.scenario);
  } catch (error) {
    if (error instanceof BadFile) throw new ControlRefusal(400, { message: error.message, path: 'file' });
    throw error;
  }
  if (scenario.rules === undefined) return scenario;
  const message = 'scenario.rules: rules are of the whole process: give them to POST /tenant-rules';
  throw new ControlRefusal(400, { message, path: 'scenario.rules' });
}

/** @throws ControlRefusal when it names a capture: callers of the control API must not read files. */
function withoutCaptures(scenario: Scenario): Scenario {
  return resolveCaptures(scenario, null, ({ path: at, message }) => {
    const member = renderPath(['scenario', ...at]);
    throw new ControlRefusal(400, { message: `${member}: ${message}`, path: member });
  });
}

function stateOf(call: Call) {
  return runOf(call).state(call.context.clock.now());
}

function runOf(call: Call): ScenarioRun {
  const { scenario } = tenantOf(call);
  if (scenario === null) throw new ControlRefusal(404, 'the tenant follows no scenario');
  return scenario;
}
