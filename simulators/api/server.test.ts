import { once } from 'node:events';
import { connect } from 'node:net';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { ControlError, SimulatorControl } from '../control/client.ts';
import { useSimulators } from '../testing/simulators.ts';

const simulators = useSimulators();

const refusal = async (call: Promise<unknown>): Promise<ControlError> => {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof ControlError) return error;
  throw new Error(`expected a refusal, not ${String(error)}`);
};

describe('the control API', () => {
  it.each([
    { host: 'rebound.example:9401' },
    { origin: 'https://page.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
  ])('rejects a foreign web page before it changes anything: %o', async (headers) => {
    const { control, controlUrl } = simulators;
    await control.tenant('by-page').reset();
    const post = (path: string, method: 'GET' | 'POST' | 'DELETE', body?: string) =>
      request(`${controlUrl}${path}`, {
        method,
        headers: { 'content-type': 'text/plain', ...headers },
        ...(body === undefined ? {} : { body }),
      });
    const script = '{"replies": [{"text": "by a page"}]}';
    for (const answer of [
      await post('/lanes/by-page/arms', 'POST', '{"reply": {"status": 503}}'),
      await post('/lanes/by-page/scripts', 'POST', script),
      await post('/lanes/by-page/journal', 'GET'),
      await post('/nowhere', 'DELETE'),
    ]) {
      expect(answer.statusCode).toBe(403);
      expect(await answer.body.json()).toEqual({
        error: { message: expect.stringMatching(/localhost|browser/) },
      });
    }
    expect(await control.tenant('by-page').faults()).toEqual([]);
  });

  it('rejects a move of the real clock', async () => {
    const error = await refusal(simulators.control.advance(1000));
    expect(error.status).toBe(409);
    expect(error.message).toContain('--test-clock');
  });

  it('names the bad member of a script', async () => {
    // @ts-expect-error the member is misspelt on purpose
    const error = await refusal(simulators.tenant().script({ replies: [{ txt: 'a' }] }));
    expect(error).toMatchObject({
      status: 400,
      path: 'replies[0].txt',
      message: expect.stringMatching(/^replies\[0\]\.txt: unknown member; there are text, /),
    });
  });

  it('names the bad part of a query', async () => {
    const error = await refusal(simulators.tenant().journal({ requests: -1 }));
    expect(error).toMatchObject({ status: 400, path: 'requests' });
  });

  it('rejects an invalid tenant name and an unknown script', async () => {
    expect(await refusal(simulators.control.tenant('v1').reset())).toMatchObject({ status: 400 });
    expect(await refusal(simulators.tenant().unscript('script-9'))).toMatchObject({ status: 404 });
  });

  it('rejects a body that is not JSON', async () => {
    const answer = await request(`${simulators.controlUrl}/lanes/a/scripts`, {
      method: 'POST',
      body: '{"replies"',
    });
    expect(answer.statusCode).toBe(400);
    expect(await answer.body.json()).toEqual({ error: { message: 'the body is not JSON' } });
  });

  it('rejects a body that is too large, or too deep to be shown again', async () => {
    const post = async (body: string): Promise<unknown> => {
      const answer = await request(`${simulators.controlUrl}/lanes/a/arms`, { method: 'POST', body });
      return [answer.statusCode, await answer.body.json()];
    };
    const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    expect(await post(`{"reply":{"body":${nested}}}`)).toEqual([
      400,
      { error: { message: 'the body has more than 1000 levels' } },
    ]);
    const brackets = JSON.stringify(`"${'['.repeat(5000)}\\`);
    expect(await post(`{"reply":{"body":${brackets}},"when":{"marker":"never"}}`)).toEqual([
      200,
      { id: 'fault-1' },
    ]);
    const [status] = (await post(`{"reply":{"text":"${'a'.repeat(64 * 1024 * 1024)}"}}`)) as [number];
    expect(status).toBe(413);
    await simulators.control.tenant('a').reset();
  });

  it.each(['content-length: 99', 'transfer-encoding: chunked'])(
    'reports no defect when a caller disconnects in the middle of a body (%s)',
    async (framing) => {
      const { hostname, port } = new URL(simulators.controlUrl);
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      socket.write(`POST /clock HTTP/1.1\r\nhost: a\r\n${framing}\r\nexpect: 100-continue\r\n\r\n`);
      await once(socket, 'data');
      socket.resetAndDestroy();
      // The file fails if a defect has been reported by its end.
      expect(await simulators.control.health()).toMatchObject({ ok: true });
    },
  );

  it('gives up a long poll when the caller aborts', async () => {
    const abort = new AbortController();
    const poll = simulators.tenant().journal({ requests: 1, timeout_ms: 600_000 }, { signal: abort.signal });
    abort.abort(new Error('enough'));
    await expect(poll).rejects.toThrow('enough');
  });

  it('answers an unknown path with a sentence', async () => {
    const control = new SimulatorControl(`${simulators.controlUrl}/nowhere`);
    const error = await refusal(control.health());
    expect(error).toMatchObject({ status: 404, message: 'there is no GET /nowhere/health' });
    await control.close();
  });
});
