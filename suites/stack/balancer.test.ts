import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { expect, it } from 'vitest';
import { listenOnLoopback } from '../process/loopback.ts';
import { startBalancer } from './balancer.ts';

/** A server that sends its name, then echoes what it receives, and ends when its caller does. */
async function named(name: string): Promise<{ url: string; server: Server }> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.write(`${name}:`);
    socket.on('data', (bytes) => socket.write(bytes));
    socket.on('end', () => socket.end('.'));
    socket.on('error', () => undefined);
  });
  return { url: `http://127.0.0.1:${await listenOnLoopback(server)}`, server };
}

async function say(url: string, word: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.end(word);
  let text = '';
  socket.on('data', (bytes: Buffer) => {
    text += bytes.toString('latin1');
  });
  await once(socket, 'close').catch(() => undefined);
  return text;
}

it('distributes connections to the processes in turn, byte for byte, and skips one that has ended', async () => {
  const [one, two] = [await named('one'), await named('two')];
  const balancer = await startBalancer(0);
  expect(await say(balancer.url, 'nobody')).toBe('');
  balancer.leadTo([one.url, two.url]);
  const said = [];
  for (const word of ['a', 'b', 'c', 'd']) said.push(await say(balancer.url, word));
  expect(said.toSorted()).toEqual(['one:b.', 'one:d.', 'two:a.', 'two:c.']);
  two.server.close();
  await once(two.server, 'close');
  expect([await say(balancer.url, 'e'), await say(balancer.url, 'f')]).toEqual(['one:e.', 'one:f.']);
  await balancer.close();
  one.server.close();
});
