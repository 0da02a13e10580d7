import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Passing, Unjudged } from './connection-tap.ts';
import { MemoryBudget } from './memory-budget.ts';
import { startRelay } from './relay.ts';
import { between, closeAll, open, request, until } from './testing/between.ts';

afterEach(closeAll);

/** HTTP/1.1 features besides a request and its answer. */

const statuses = (passing: readonly Passing[]): unknown[] =>
  passing.map(({ exchange }) => exchange.response?.status);

describe('between a client and a deployment', () => {
  it('interim answers pass and do not count as the answer', async () => {
    const { client, deployment, toClient, toDeployment, passing } = await between();
    client.write('POST /a HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n');
    await until(() => toDeployment().endsWith('\r\n\r\n'));
    deployment.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n');
    await until(() => toClient().endsWith('</a>\r\n\r\n'));
    client.write('{}');
    await until(() => toDeployment().endsWith('{}'));
    deployment.write('HTTP/1.1 201 Made\r\nContent-Length: 2\r\n\r\nok');
    await until(() => passing.length === 1);
    expect(passing[0]?.exchange).toMatchObject({ response: { status: 201, complete: true } });
    expect(String(passing[0]?.exchange.request.body)).toBe('{}');
  });

  it('an answer that precedes the end of its request leaves no bytes of it in memory', async () => {
    const { client, deployment, toDeployment, passing, memory } = await between();
    client.write('POST /a HTTP/1.1\r\nContent-Length: 9000\r\n\r\n{');
    await until(() => toDeployment().endsWith('{'));
    deployment.write('HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\n{}');
    await until(() => passing.length === 1);
    client.write('x'.repeat(8_999));
    await until(() => toDeployment().endsWith('x'.repeat(8_999)));
    expect(memory.held).toBe(3);
    passing[0]?.release?.();
    expect(memory.held).toBe(0);
    client.write(request);
    await until(() => toDeployment().endsWith('{}'));
    deployment.write('HTTP/1.1 204 No\r\n\r\n');
    await until(() => passing.length === 2);
    expect(statuses(passing)).toEqual([413, 204]);
  });

  it('an answer to HEAD has no body, whatever length it declares', async () => {
    const { client, deployment, toDeployment, passing } = await between();
    client.write('HEAD /a HTTP/1.1\r\n\r\nGET /a HTTP/1.1\r\n\r\n');
    await until(() => toDeployment().endsWith('GET /a HTTP/1.1\r\n\r\n'));
    deployment.write(
      'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na',
    );
    await until(() => passing.length === 2);
    expect(passing.map(({ exchange }) => String(exchange.response?.body))).toEqual(['', 'a']);
  });

  it('a request without a path, such as OPTIONS *, is followed like others', async () => {
    const { client, deployment, toDeployment, passing } = await between();
    client.write('OPTIONS * HTTP/1.1\r\n\r\n');
    await until(() => toDeployment().endsWith('\r\n\r\n'));
    deployment.write('HTTP/1.1 204 No\r\n\r\n');
    await until(() => passing.length === 1);
    expect(URL.canParse(passing[0]?.exchange.request.url ?? '')).toBe(true);
  });

  it('the host is still replaced when answers can no longer be followed', async () => {
    const { client, deployment, toDeployment, unjudged } = await between();
    const get = 'GET /a HTTP/1.1\r\nHost: watch\r\n\r\n';
    client.write(get);
    await until(() => toDeployment().endsWith('\r\n\r\n'));
    const odd = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n';
    deployment.write(odd);
    await until(() => unjudged.length === 1);
    client.write(get);
    await until(() => toDeployment().split('GET /a').length === 3);
    await until(() => toDeployment().endsWith('\r\n\r\n'));
    expect(toDeployment()).not.toContain('Host: watch');
    expect(unjudged).toEqual(['not HTTP/1.1 that can be followed']);
  });

  it('after an upgrade all bytes pass unjudged', async () => {
    const { client, deployment, toClient, toDeployment, unjudged } = await between();
    client.write('GET /a HTTP/1.1\r\nHost: watch\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n');
    await until(() => toDeployment().endsWith('\r\n\r\n'));
    deployment.write('HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\n\r\n\u0081\u0002hi');
    await until(() => toClient().endsWith('hi'));
    const frame = 'GET / HTTP/1.1\r\nHost: watch\r\n\r\n';
    client.write(frame);
    await until(() => toDeployment().endsWith(frame));
    expect(unjudged).toEqual(['not HTTP/1.1 that can be followed']);
  });

  it('a body without a length ends with the connection, and is cut short by a break', async () => {
    for (const [isBroken, complete] of [
      [false, true],
      [true, false],
    ] as const) {
      const { client, deployment, toClient, toDeployment, passing } = await between();
      client.write(request);
      await until(() => toDeployment().endsWith('{}'));
      deployment.write('HTTP/1.1 200 OK\r\n\r\nall of it');
      await until(() => toClient().endsWith('all of it'));
      if (isBroken) deployment.resetAndDestroy();
      else deployment.end();
      await until(() => passing.length === 1);
      expect(passing[0]?.exchange.response?.complete).toBe(complete);
    }
  });

  it('an unreachable deployment is reported, and not taken for an answer', async () => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    const [passing, unjudged, why]: [Passing[], Unjudged[], string[]] = [[], [], []];
    const relay = await startRelay({
      ...{ upstream: new URL(`http://127.0.0.1:${port}`), host: '127.0.0.1', port: 0 },
      ...{ memory: new MemoryBudget(1e6, 1e6), onPassing: (one) => passing.push(one) },
      ...{ onUnjudged: (one) => unjudged.push(one), onUnreachable: (text) => why.push(text) },
    });
    open.push(() => relay.close());
    const client = connect(Number(new URL(relay.url).port), '127.0.0.1');
    client.on('error', () => undefined);
    client.write(request);
    await new Promise((resolve) => client.once('close', resolve));
    await until(() => why.length === 1);
    expect(why[0]).toContain('ECONNREFUSED');
    expect(passing).toEqual([]);
    // It is chance whether its request had arrived by then.
    expect(unjudged.every((one) => one === 'no connection to the deployment')).toBe(true);
  });
});
