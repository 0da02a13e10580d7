import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClock } from '../clock.ts';
import { parseUpstream } from '../http/upstream.ts';
import { certificateWith } from '../listeners/certificate.ts';
import type { Capture } from '../recordings/capture-file.ts';
import { bytesOf } from '../recordings/recorded.ts';
import { rawCall } from '../testing/raw-call.ts';
import { startCapture } from './capture-proxy.ts';

/** Calls an https upstream through a capture that trusts its certificate or does not. */
async function captureOf(isTrusting: boolean): Promise<{ capture: Capture; answer: string }> {
  const { key, cert } = certificateWith('self-signed');
  const server = createServer({ key, cert }, (request, response) => {
    request.resume().on('end', () => response.end('behind a lock'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const upstream = parseUpstream(origin, isTrusting ? cert : undefined);
  const capture = await startCapture({ upstream, clock: createClock(), port: 0 });
  const call = rawCall(`${capture.url}/v1`);
  await call.over;
  return { capture: await capture.close(), answer: call.text() };
}

describe('an https upstream', () => {
  it('is recorded decrypted, and its answer is forwarded byte for byte', async () => {
    const { capture, answer } = await captureOf(true);
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*behind a lock/);
    const { chunks = [], ended } = capture.exchanges[0]?.response ?? {};
    expect(Buffer.concat(chunks.map(bytesOf)).toString()).toBe(answer);
    expect(ended).toBe('fin');
  });

  it('is unreachable if its certificate is not trusted', async () => {
    const { capture, answer } = await captureOf(false);
    expect(answer).toMatch(/^HTTP\/1\.1 502 /);
    expect(capture.left_out).toEqual([{ n: 1, reason: 'the upstream could not be reached' }]);
  });
});

describe('the address of an upstream', () => {
  it.each([
    ['gw.example', 'is not an http or https address'],
    ['ftp://gw.example', 'is not an http or https address'],
    ['https://user:pass@gw.example', 'remove user and password'],
    ['https://gw.example/v1?key=k', 'remove query and fragment'],
  ])('is rejected if it is invalid: %s', (given, message) => {
    expect(() => parseUpstream(given)).toThrow(message);
  });

  it('may have a path, which prefixes the path of every request', () => {
    expect(parseUpstream('https://gw.example/openai/')).toMatchObject({
      origin: 'https://gw.example',
      host: 'gw.example',
      pathPrefix: '/openai',
    });
  });
});
