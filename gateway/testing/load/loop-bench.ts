import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { testKey } from '../test-gateway.ts';
import { startShortUpstream } from './short-upstream.ts';
import { worstBodies } from './worst-bodies.ts';

// `node gateway/testing/load/loop-bench.ts [title]`: how long each of the worst bodies blocks the event loop of a gateway at
// a time, in milliseconds of processor time. Reports the second of two rounds.

const upstream = await startShortUpstream();
const child = fork(fileURLToPath(new URL('watched-gateway.ts', import.meta.url)), [upstream.url]);
const [{ url }] = (await once(child, 'message')) as [{ url: string }];

async function longest(): Promise<number> {
  child.send('tell');
  const [{ longestMs }] = (await once(child, 'message')) as [{ longestMs: number }];
  return longestMs;
}

const wanted = process.argv[2] ?? '';
for (const { title, path, text } of worstBodies.filter((one) => one.title.includes(wanted))) {
  let told = '';
  for (let round = 0; round < 2; round += 1) {
    await longest();
    const headers = {
      authorization: `Bearer ${testKey}`,
      'x-api-key': testKey,
      'compat-a-version': '2023-06-01',
      'content-type': 'application/json',
    };
    const query = path.startsWith('/compat-b') ? `?key=${testKey}` : '';
    const answer = await fetch(url + path + query, { method: 'POST', headers, body: text });
    await answer.arrayBuffer();
    told = `${(await longest()).toFixed(0).padStart(6)} ms  ${answer.status}  ${title}`;
  }
  process.stdout.write(`${told}\n`);
}
child.disconnect();
upstream.stop();
