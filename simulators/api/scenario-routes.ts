import type { Context, Hono } from 'hono';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { Scenario, ScenarioChoice } from '../control/scenario.ts';
import { renderPath } from '../json/issue.ts';
import { BadScenario } from '../scenario-files/bad-scenario.ts';
import { loadScenarioByName } from '../scenario-files/load-scenario.ts';
import { resolveCaptures } from '../scenario-files/resolve-captures.ts';
import { keysIn } from '../scenarios/keys-in.ts';
import type { ScenarioRun } from '../scenarios/scenario-run.ts';
import { scenarioSchema } from '../schemas/scenario-schema.ts';
import type { Tenants } from '../state/tenants.ts';
import { ControlRefusal, check, readJson, tenantOf } from './calls.ts';

const choiceSchema: z.ZodType<ScenarioChoice> = z
  .strictObject({ file: z.string().exactOptional(), scenario: scenarioSchema.exactOptional() })
  .refine(({ file, scenario }) => (file === undefined) !== (scenario === undefined), {
    message: 'expected either file or scenario',
  }) as unknown as z.ZodType<ScenarioChoice>;

const stepSchema = z.strictObject({ channel: z.string().min(1).exactOptional() });

/** Starts, shows, steps and ends the scenario of a tenant. */
export function addScenarioRoutes(app: Hono, { tenants, clock }: { tenants: Tenants; clock: Clock }): void {
  app.post('/lanes/:lane/scenario', async (c) => {
    const scenario = await chosen(check(choiceSchema, await readJson(c)));
    if (!tenants.hide(keysIn(scenario))) throw new ControlRefusal(409, 'there are too many keys');
    const tenant = tenantOf(c, tenants);
    tenant.playScenario(scenario);
    return c.json(runOf(tenant.scenario).state(clock.now()));
  });
  app.get('/lanes/:lane/scenario', (c) => c.json(scenarioOf(c, tenants).state(clock.now())));
  app.post('/lanes/:lane/scenario/step', async (c) => {
    const { channel } = check(stepSchema, await readJson(c));
    const run = scenarioOf(c, tenants);
    run.step(clock.now(), channel);
    return c.json(run.state(clock.now()));
  });
  app.delete('/lanes/:lane/scenario', (c) => {
    tenantOf(c, tenants).playScenario(null);
    return c.json({ ok: true });
  });
}

/** @throws ControlRefusal when the file does not exist or is invalid. */
async function chosen(choice: ScenarioChoice): Promise<Scenario> {
  let scenario: Scenario;
  try {
    scenario = 'file' in choice ? await loadScenarioByName(choice.file) : withoutCaptures(choice.scenario);
  } catch (error) {
    if (error instanceof BadScenario) throw new ControlRefusal(400, { message: error.message, path: 'file' });
    throw error;
  }
  if (scenario.scopes === undefined) return scenario;
  const message = 'scenario.scopes: rules are of the whole process: give them to POST /scopes';
  throw new ControlRefusal(400, { message, path: 'scenario.scopes' });
}

/** @throws ControlRefusal when it names a capture: callers of the control API must not read files. */
function withoutCaptures(scenario: Scenario): Scenario {
  return resolveCaptures(scenario, null, ({ path, message }) => {
    const member = renderPath(['scenario', ...path]);
    throw new ControlRefusal(400, { message: `${member}: ${message}`, path: member });
  });
}

function scenarioOf(c: Context, tenants: Tenants): ScenarioRun {
  return runOf(tenantOf(c, tenants).scenario);
}

function runOf(run: ScenarioRun | null): ScenarioRun {
  if (run === null) throw new ControlRefusal(404, 'the lane follows no scenario');
  return run;
}
