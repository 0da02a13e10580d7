import type { Hono } from 'hono';
import type { Clock } from '../clock.ts';
import { keysSelected } from '../requests/selectors.ts';
import { armSchema } from '../schemas/arm-schema.ts';
import type { Tenants } from '../state/tenants.ts';
import { ControlRefusal, check, readJson, tenantOf } from './calls.ts';

/** Adds, lists and removes the arms of a tenant. */
export function addArmRoutes(app: Hono, { tenants, clock }: { tenants: Tenants; clock: Clock }): void {
  app.post('/lanes/:lane/arms', async (c) => {
    const arm = check(armSchema, await readJson(c));
    if (!tenants.hide(keysSelected(arm.when ?? {}))) throw new ControlRefusal(409, 'there are too many keys');
    const id = tenantOf(c, tenants).arms.add(arm, clock.now());
    if (id === null) throw new ControlRefusal(409, 'the lane holds as many arms as it may; reset it');
    return c.json({ id });
  });
  app.get('/lanes/:lane/arms', (c) =>
    c.json(tenants.redacted({ arms: tenantOf(c, tenants).arms.list(clock.now()) })),
  );
  app.delete('/lanes/:lane/arms/:id', (c) => {
    const id = c.req.param('id');
    if (!tenantOf(c, tenants).arms.remove(id)) throw new ControlRefusal(404, `the lane has no arm ${id}`);
    return c.json({ ok: true });
  });
  app.delete('/lanes/:lane/arms', (c) => {
    tenantOf(c, tenants).arms.clear();
    return c.json({ ok: true });
  });
}
