import { createServer, type Server } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask } from '../testing/caller-view.ts';
import { type Certified, certify } from '../testing/certificates.ts';
import { goodBody, nativeWords } from '../testing/native-dialects.ts';
import { startTestGateway, testConfig } from '../testing/test-gateway.ts';

/** Starts an HTTPS server that gives every request the same answer and counts requests. */
async function serve(
  { cert, key }: Certified,
  body: string,
): Promise<{ server: Server; asked: () => number }> {
  let asked = 0;
  const server = createServer({ key, cert }, (request, response) => {
    asked += 1;
    request.resume();
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, asked: () => asked };
}

let authority: Certified;
const trusted = getCACertificates('default');
beforeAll(async () => {
  authority = await certify(['authority'], null);
  setDefaultCACertificates([...trusted, authority.cert]);
});
afterAll(() => setDefaultCACertificates(trusted));

it.for<[name: string, host: string, endsInDays: number, isOfAuthority: boolean, isTrusted: boolean]>([
  ['a good certificate', '127.0.0.1', 30, true, true],
  ['a certificate by itself', '127.0.0.1', 30, false, false],
  ['an expired certificate', '127.0.0.1', -1, true, false],
  ['a certificate for another host', 'upstream.test', 30, true, false],
])(
  '%s is trusted: %5$s, and without trust nothing is sent (T4)',
  async ([, host, days, isOfAuthority, isTrusted]) => {
    const pair = await certify([host], isOfAuthority ? authority : null, days);
    const [words] = nativeWords;
    if (words === undefined) throw new Error('no dialect');
    const { server, asked } = await serve(pair, goodBody(words, false));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const gateway = await startTestGateway(testConfig(`https://127.0.0.1:${port}`));
    expect(await ask(gateway, words, false)).toMatchObject(
      isTrusted ? { seen: 'served' } : { seen: 'refused', code: 'upstream_error' },
    );
    expect(asked()).toBe(isTrusted ? 1 : 0);
    await gateway.close();
    server.closeAllConnections();
    server.close();
  },
);
