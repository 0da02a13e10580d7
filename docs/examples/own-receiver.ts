// A receiver of a gateway's events, from the kit: each event is verified, and processed once.
//
//   GATECHECK_WEBHOOK_SECRET=whsec_… node own-receiver.ts     prints its address, takes events at any path
//   npx gatecheck receiver http://127.0.0.1:… --effects http://127.0.0.1:…/processed

import type { AddressInfo } from 'node:net';
import { createReceiver, readSecrets } from 'gatecheck-simulators/receiver';

const receiver = createReceiver({
  keys: readSecrets(process.env.GATECHECK_WEBHOOK_SECRET ?? ''),
  now: () => Date.now(),
  process: async ({ id, payload }) => {
    // Work that throws is done again at the next delivery.
    process.stderr.write(`${id} ${JSON.stringify(payload)}\n`);
  },
  onDefect: (error) => process.stderr.write(`${String(error)}\n`),
});
receiver.listen(0, '127.0.0.1', () => {
  const { port } = receiver.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
process.on('SIGTERM', () => process.exit(0));
