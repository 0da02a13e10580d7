import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { completion, type FakeUpstream, json, startFakeUpstream } from '../testing/fake-upstream.ts';
import { runGateway } from '../testing/gateway-process.ts';
import { copyCluster } from '../testing/store/test-cluster.ts';
import { testConfig, testKey } from '../testing/test-gateway.ts';
import { read } from '../testing/wire.ts';

const startMs = 60_000;
const secretPrompt = 'nobody should read this';

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

/** A request to the collector: OTLP over HTTP, as JSON. */
async function startCollector() {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    bodies.push(`${request.url} ${body}`);
    response.setHeader('content-type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const parsed = () => bodies.flatMap((text) => JSON.parse(text.slice(text.indexOf(' '))).resourceSpans);
  return {
    url: `http://127.0.0.1:${port}`,
    bodies,
    resources: () => parsed().map(({ resource }) => resource.attributes),
    spans: (): OtlpSpan[] =>
      parsed().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }: { spans: OtlpSpan[] }) => spans)),
    close: () => server.close(),
  };
}

const attribute = (span: OtlpSpan | undefined, name: string): unknown =>
  Object.values(span?.attributes.find(({ key }) => key === name)?.value ?? {})[0];

let upstream: FakeUpstream;
let collector: Awaited<ReturnType<typeof startCollector>>;
let directory: string;
beforeAll(async () => {
  upstream = await startFakeUpstream();
  collector = await startCollector();
  directory = mkdtempSync(join(tmpdir(), 'gateway-tracing-'));
});
afterAll(async () => {
  await upstream.close();
  collector.close();
  rmSync(directory, { recursive: true, force: true });
});

async function start(env: Readonly<Record<string, string>>) {
  const { chat_models, accounts, channels } = testConfig(upstream.url);
  const path = join(directory, 'gateway.yaml');
  const dataDir = mkdtempSync(join(directory, 'data-'));
  await copyCluster(dataDir);
  const rest = { listen: {}, store: { data_dir: dataDir }, key_pepper: 'a pepper for tests' };
  writeFileSync(path, stringify({ ...rest, chat_models, accounts, channels }));
  return runGateway(['--config', path], env);
}

const chat = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  read(`${url}/api/v1/chat/completions`, {
    ...{ method: 'POST', key: testKey, headers },
    body: { model: 'delta-3', messages: [{ role: 'user', content: secretPrompt }] },
  });

it('sends one span per request and per attempt, consistent with logs and headers, without secrets', {
  timeout: startMs,
}, async () => {
  const gateway = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_SERVICE_NAME: 'gateway-in-test',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
  });
  upstream.queue.push(json(503, { error: { message: 'busy' } }), completion('Hello'));
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  await chat(gateway.url, {
    traceparent: `00-${traceId}-b7ad6b7169203331-01`,
    tracestate: 'vendor=1',
  });
  await chat(gateway.url);
  await chat(gateway.url, { traceparent: `00-${'1'.repeat(32)}-b7ad6b7169203331-00` });
  await chat(gateway.url, { traceparent: 'nonsense' });
  await read(`${gateway.url}/nowhere`);
  gateway.stop('SIGTERM');
  const { errors } = await gateway.exit;

  const spans = collector.spans();
  const requests = spans.filter(({ kind }) => kind === 2);
  const attempts = spans.filter(({ kind }) => kind === 3);
  const lines = errors
    .split('\n')
    .filter((line) => line.includes('"msg":"request"'))
    .map((line) => JSON.parse(line))
    // A request that its caller did not sample has no span.
    .filter((_, index) => index !== 2);
  expect(lines).toHaveLength(4);
  const told = requests.map((span) => ({
    request_id: attribute(span, 'gatecheck.request_id'),
    code: attribute(span, 'gatecheck.code'),
    status: Number(attribute(span, 'http.response.status_code')),
    route: attribute(span, 'http.route'),
  }));
  expect(told).toEqual(
    lines.map(({ request_id, code, status, route }) => ({ request_id, code, status, route })),
  );
  expect(requests[0]).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331' });
  // Each attempt is a child of its request, and its context was sent to the upstream.
  const seen = upstream.seen.map(({ headers }) => String(headers.traceparent));
  expect(seen).toHaveLength(5);
  const sampled = seen.filter((parent) => parent.endsWith('-01'));
  expect(attempts.map((span) => `00-${span.traceId}-${span.spanId}-01`)).toEqual(sampled);
  expect(
    attempts.map(({ parentSpanId }) => requests.findIndex(({ spanId }) => spanId === parentSpanId)),
  ).toEqual([0, 0, 1, 2]);
  expect(attempts.map((span) => Number(attribute(span, 'http.response.status_code')))).toEqual([
    503, 200, 200, 200,
  ]);
  expect(seen[3]).toMatch(new RegExp(`^00-${'1'.repeat(32)}-[0-9a-f]{16}-00$`));
  expect(upstream.seen[0]?.headers.tracestate).toBe('vendor=1');
  expect(JSON.stringify(collector.resources()[0])).toMatch(/gateway-in-test.*|deployment\.environment/);
  const all = collector.bodies.join();
  expect(all).toMatch(/^\/v1\/traces /);
  for (const secret of [secretPrompt, testKey, 'Hello', String(upstream.seen[0]?.headers.authorization)])
    expect(all).not.toContain(secret);
});

it('sends no trace context by default, and explains an unsupported protocol', {
  timeout: startMs,
}, async () => {
  const before = upstream.seen.length;
  const gateway = await start({});
  await chat(gateway.url, { traceparent: `00-${'2'.repeat(32)}-b7ad6b7169203331-01` });
  gateway.stop('SIGTERM');
  await gateway.exit;
  expect(upstream.seen[before]?.headers).not.toHaveProperty('traceparent');
  const grpc = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
  });
  expect(await grpc.exit).toMatchObject({ code: 2, errors: expect.stringContaining('JSON over HTTP') });
});
