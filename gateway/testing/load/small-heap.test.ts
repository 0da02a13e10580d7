import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { startFakeUpstream } from '../fake-upstream.ts';
import { testKey } from '../test-gateway.ts';

const mebibyte = 1024 * 1024;

/** An image in a message: 21 MB. */
const large = JSON.stringify({
  model: 'alpha-5-2',
  messages: [
    {
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(20 * mebibyte)}` } },
      ],
    },
  ],
});
const small = JSON.stringify({ model: 'alpha-5-2', messages: [{ role: 'user', content: 'Hello.' }] });

// One body needs about 65 MB in addition to the 55 MB of the process; three at once would need 250 MB. The memory for all
// bodies is limited, so they take turns.
it('survives three concurrent bodies of 21 MB with 144 MB of heap, and answers them', async () => {
  const upstream = await startFakeUpstream();
  const gateway = fork(fileURLToPath(new URL('watched-gateway.ts', import.meta.url)), [upstream.url], {
    execArgv: ['--max-old-space-size=144'],
    stdio: 'inherit',
  });
  try {
    const [{ url }] = (await once(gateway, 'message')) as [{ url: string }];
    const send = async (body: string): Promise<number> => {
      const headers = { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' };
      const answer = await fetch(`${url}/api/v1/chat/completions`, { method: 'POST', headers, body });
      await answer.arrayBuffer();
      return answer.status;
    };
    expect(await Promise.all([large, large, large].map(send))).toEqual([200, 200, 200]);
    expect(await send(small)).toBe(200);
    expect(gateway.exitCode).toBeNull();
  } finally {
    if (gateway.connected) gateway.disconnect();
    await upstream.close();
  }
}, 300_000);
