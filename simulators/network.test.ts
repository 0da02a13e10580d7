import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SimulatorControl } from './control/client.ts';
import type { OwnAddress } from './http/own-address.ts';
import { certificateWith } from './listeners/certificate.ts';
import { type OpenSimulators, openSimulators } from './start.ts';
import { postChat } from './testing/post-chat.ts';

const token = 'a-token-of-the-control-api';
const onDefect = (error: unknown): never => expect.fail(String(error));

async function start(address: OwnAddress): Promise<OpenSimulators> {
  const ports = { port: 0, controlPort: 0 };
  const running = await openSimulators({
    ...ports,
    seed: 1,
    testClock: false,
    address,
    onDefect,
  });
  onTestFinished(() => running.close());
  return running;
}

function controlOf(running: OpenSimulators, access: { token?: string; ca?: string }): SimulatorControl {
  const control = new SimulatorControl(String(running.controlUrl), access);
  onTestFinished(() => control.close());
  return control;
}

describe('simulators on a network', () => {
  const inNetwork: OwnAddress = { host: '0.0.0.0', name: '127.0.0.1', token, tls: null };

  it('require the token for every call of the control API, and name it', async () => {
    const running = await start(inNetwork);
    for (const access of [{}, { token: `${token}s` }, { token: '' }])
      await expect(controlOf(running, access).tenant('a').reset()).rejects.toMatchObject({
        status: 401,
        message: expect.stringContaining('token'),
      });
    expect(await controlOf(running, { token }).health()).toMatchObject({ ok: true });
  });

  it('accept any host name with the token, because no web page knows it', async () => {
    const { controlUrl } = await start(inNetwork);
    const headers = { host: 'simulators.example:9401', authorization: `Bearer ${token}` };
    const { statusCode, body } = await request(`${controlUrl}/health`, { headers });
    await body.dump();
    expect(statusCode).toBe(200);
  });

  it('listen beyond loopback', async () => {
    const running = await start(inNetwork);
    const [outer] = Object.values(networkInterfaces())
      .flatMap((all) => all ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal);
    // A machine without a network has no such address.
    if (outer === undefined) return;
    const provider = new URL(running.providerUrl);
    provider.hostname = outer.address;
    const { status } = await postChat(`${provider.origin}/lane-01/alpha/v1`, {});
    expect(status).toBe(200);
  });

  it('serve upstreams and control API over TLS', async () => {
    const { cert, key } = certificateWith('self-signed');
    const running = await start({ ...inNetwork, tls: { cert, key } });
    expect(running.providerUrl).toMatch(/^https:/);
    expect(await controlOf(running, { token, ca: cert }).health()).toMatchObject({ ok: true });
    await expect(controlOf(running, { token }).health()).rejects.toThrow(/self-signed|self signed/);
  });
});

it('listens only on loopback by default', async () => {
  const running = await openSimulators({
    port: 0,
    controlPort: 0,
    seed: 1,
    testClock: false,
    onDefect,
  });
  onTestFinished(() => running.close());
  expect(new URL(running.providerUrl).hostname).toBe('127.0.0.1');
  const [outer] = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal);
  if (outer === undefined) return;
  const socket = connect(Number(new URL(running.providerUrl).port), outer.address);
  onTestFinished(() => void socket.destroy());
  const [error] = await once(socket, 'error');
  expect(error).toMatchObject({ code: 'ECONNREFUSED' });
});
