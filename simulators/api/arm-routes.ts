import type { Hono } from 'hono';
import type { Clock } from '../clock.ts';
import { keysSelected } from '../requests/selectors.ts';
import { armSchema } from '../schemas/arm-schema.ts';
import type { Lanes } from '../state/lanes.ts';
import { check, laneOf, Refusal, readJson } from './calls.ts';

/** Arming, listing and disarming of what befalls the requests of a scope. */
export function addArmRoutes(app: Hono, { lanes, clock }: { lanes: Lanes; clock: Clock }): void {
  app.post('/lanes/:lane/arms', async (c) => {
    const arm = check(armSchema, await readJson(c));
    if (!lanes.hide(keysSelected(arm.when ?? {}))) throw new Refusal(409, 'there are too many keys');
    const id = laneOf(c, lanes).arms.add(arm, clock.now());
    if (id === null) throw new Refusal(409, 'the lane holds as many arms as it may; reset it');
    return c.json({ id });
  });
  app.get('/lanes/:lane/arms', (c) =>
    c.json(lanes.redacted({ arms: laneOf(c, lanes).arms.list(clock.now()) })),
  );
  app.delete('/lanes/:lane/arms/:id', (c) => {
    const id = c.req.param('id');
    if (!laneOf(c, lanes).arms.remove(id)) throw new Refusal(404, `the lane has no arm ${id}`);
    return c.json({ ok: true });
  });
  app.delete('/lanes/:lane/arms', (c) => {
    laneOf(c, lanes).arms.clear();
    return c.json({ ok: true });
  });
}
