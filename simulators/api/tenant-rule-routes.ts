import type { Hono } from 'hono';
import { keysSelected } from '../requests/selectors.ts';
import { tenantRuleSchema } from '../schemas/tenant-rule-schema.ts';
import type { Tenants } from '../state/tenants.ts';
import { ControlRefusal, check, readJson } from './calls.ts';

/** Adds, lists and removes the rules that assign requests to tenants. */
export function addTenantRuleRoutes(app: Hono, { tenants }: { tenants: Tenants }): void {
  app.post('/scopes', async (c) => {
    const rule = check(tenantRuleSchema, await readJson(c));
    if (!tenants.hide(keysSelected(rule.when))) throw new ControlRefusal(409, 'there are too many keys');
    const id = tenants.rules.add(rule);
    if (id === null) throw new ControlRefusal(409, 'there are as many rules as there may be');
    return c.json({ id });
  });
  app.get('/scopes', (c) => c.json(tenants.redacted({ scopes: tenants.rules.list() })));
  app.delete('/scopes/:id', (c) => {
    const id = c.req.param('id');
    if (!tenants.rules.remove(id)) throw new ControlRefusal(404, `there is no rule ${id}`);
    return c.json({ ok: true });
  });
}
