import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { makeAuthority } from '../receiver/authority.ts';
import type { Passing } from './connection-tap.ts';
import { MemoryBudget } from './memory-budget.ts';
import { startRelay } from './relay.ts';
import { between, closeAll, kept, open, request, until } from './testing/between.ts';

afterEach(closeAll);

describe('between a client and a deployment', () => {
  it('every byte stays the same, and the observed exchange is whole', async () => {
    const { client, deployment, toClient, toDeployment, passing } = await between();
    client.write(request);
    await until(() => toDeployment() === request);
    const answer =
      'HTTP/1.1 200 Fine\r\nx-CASE: 1\r\nTransfer-Encoding: chunked\r\n\r\n5;q\r\nhel\u00fco\r\n0\r\n\r\n';
    deployment.write(Buffer.from(answer, 'latin1'));
    await until(() => toClient() === answer && passing.length === 1);
    expect(passing[0]?.exchange).toMatchObject({
      request: {
        method: 'POST',
        headers: [
          ['X-oDD', 'a  b'],
          ['Content-Length', '2'],
        ],
      },
      response: { status: 200, complete: true },
    });
    expect(passing[0]?.exchange.response?.body.toString('latin1')).toBe('hel\u00fco');
  });

  it('each piece of a stream arrives before the next one is sent', async () => {
    const { client, deployment, toClient, toDeployment, passing } = await between();
    client.write(request);
    await until(() => toDeployment().endsWith('{}'));
    deployment.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
    for (const piece of ['one', 'two', 'six']) {
      deployment.write(`3\r\n${piece}\r\n`);
      await until(() => toClient().includes(piece));
      expect(passing).toEqual([]);
    }
    deployment.write('0\r\n\r\n');
    await until(() => passing.length === 1);
  });

  it('several requests on one connection are matched to their answers', async () => {
    const { client, deployment, toDeployment, passing } = await between();
    client.write(request + request.replace('{}', '[]'));
    await until(() => toDeployment().endsWith('[]'));
    deployment.write('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\naHTTP/1.1 204 No\r\n\r\n');
    await until(() => passing.length === 2);
    const seen = passing.map(({ exchange }) => [String(exchange.request.body), exchange.response?.status]);
    expect(seen).toEqual([
      ['{}', 200],
      ['[]', 204],
    ]);
    expect(passing[0]?.ended).toBeGreaterThan(passing[0]?.began ?? 0);
  });

  it('an answer that breaks off is cut short for the client, and observed as incomplete', async () => {
    const { client, deployment, toDeployment, passing } = await between();
    client.write(request);
    await until(() => toDeployment().endsWith('{}'));
    const closed = once(client, 'close');
    deployment.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf');
    deployment.end();
    await until(() => passing.length === 1);
    expect(passing[0]?.exchange).toMatchObject({ response: { complete: false } });
    client.end();
    await closed;
  });

  it('a client that leaves closes the connection to the deployment, and its call is not judged', async () => {
    const { client, deployment, toDeployment, passing, unjudged } = await between();
    client.write(request);
    await until(() => toDeployment().endsWith('{}'));
    client.resetAndDestroy();
    await until(() => deployment.destroyed);
    expect([passing, unjudged]).toEqual([[], ['the client left']]);
  });

  it('bytes that are not HTTP pass unjudged', async () => {
    const { client, deployment, toClient, toDeployment, unjudged } = await between();
    const bytes = 'Host: not http\u0000\u00ff\r\n\r\nhost: still not';
    client.write(Buffer.from(bytes, 'latin1'));
    client.end();
    await until(() => toDeployment().endsWith('still not'));
    deployment.end('nor this');
    await until(() => toClient() === 'nor this');
    expect(unjudged).toEqual(['not HTTP/1.1 that can be followed']);
  });

  it('a body that is too large passes whole, and nothing of it is kept', async () => {
    const { client, deployment, toClient, toDeployment, passing, unjudged, memory } = await between({
      perExchange: 1_000,
    });
    client.write(request);
    await until(() => toDeployment().endsWith('{}'));
    deployment.write(`HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n${'x'.repeat(5_000)}`);
    await until(() => toClient().length > 5_000 && unjudged.length === 1);
    expect([passing, unjudged, memory.held]).toEqual([[], ['too large'], 0]);
  });
});

describe('with its own TLS certificate', () => {
  it('every byte stays the same, and a break on the other side ends the connection', async () => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const authority = await makeAuthority(Date.now());
    const passing: Passing[] = [];
    const relay = await startRelay({
      upstream: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      ...{ host: '127.0.0.1', port: 0, memory: new MemoryBudget(1_000_000, 2_000_000) },
      ...{ tls: await authority.issue(['127.0.0.1']), onPassing: (one) => passing.push(one) },
      onUnjudged: () => undefined,
    });
    open.push(
      () => relay.close(),
      () => server.close(),
    );
    expect(relay.url).toMatch(/^https:/);
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const port = Number(new URL(relay.url).port);
    const client = connectTls({ port, host: '127.0.0.1', ca: authority.cert });
    open.push(() => client.destroy());
    client.on('error', () => undefined);
    const toClient = kept(client);
    const [receiver] = await accepted;
    const toReceiver = kept(receiver);
    client.write(request);
    await until(() => toReceiver() === request);
    receiver.write('HTTP/1.1 204 No\r\n\r\n');
    await until(() => toClient().endsWith('\r\n\r\n') && passing.length === 1);
    const closed = once(client, 'close');
    receiver.resetAndDestroy();
    await closed;
  });
});
