// The simulated upstreams in a test of our own: they break on command, and tell what arrived.
//
//   npx gatecheck simulate        prints {"provider_url": "…", "control_url": "…", …}
//   CONTROL_URL=… PROVIDER_URL=… node own-upstreams.ts

import { strict as assert } from 'node:assert';
import { SimulatorControl } from 'gatecheck-simulators/client';

const { CONTROL_URL: controlUrl = '', PROVIDER_URL: providerUrl = '' } = process.env;

const simulators = new SimulatorControl(controlUrl);
const tenant = simulators.tenant('example');
await simulators.addTenantRule({ tenant: 'example', when: { key: 'sk-example-0001' } });

// The first call is refused as an upstream refuses that has too much to do, the second is answered.
await tenant.script({ marker: 'order-17', replies: [{ status: 503 }, { text: 'Delivered on Monday.' }] });

const ask = async (): Promise<Response> =>
  fetch(`${providerUrl}/example/alpha/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-example-0001', 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'a52-2026-08-07',
      messages: [{ role: 'user', content: 'Where is order-17?' }],
    }),
  });
assert.equal((await ask()).status, 503);
assert.match(await (await ask()).text(), /Delivered on Monday\./);

// What arrived, and what was sent for it.
const { entries } = await tenant.journal({ marker: 'order-17', ended: 2, timeout_ms: 5_000 });
assert.deepEqual(
  entries.map(({ reply }) => reply.status),
  [503, 200],
);
await simulators.close();
process.stdout.write(`${entries.length} calls arrived\n`);
