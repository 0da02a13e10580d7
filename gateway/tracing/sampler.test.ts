import * as sdk from '@opentelemetry/sdk-trace';
import { expect, it } from 'vitest';
import { openTracing } from './open-tracing.ts';
import { samplerOf } from './sampler.ts';

it.each([
  [{}, 'ParentBased{root=AlwaysOnSampler'],
  [{ OTEL_TRACES_SAMPLER: 'always_off' }, 'AlwaysOffSampler'],
  [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' }, 'TraceIdRatioBased{0.25}'],
  [
    { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.5' },
    'ParentBased{root=TraceIdRatioBased{0.5}',
  ],
])('returns the sampler named by %o', (env, name) => {
  expect(String(samplerOf(env, sdk))).toContain(name);
});

it.each([
  [{ OTEL_TRACES_SAMPLER: 'sometimes' }, /OTEL_TRACES_SAMPLER is sometimes/],
  [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' }, /from 0 to 1/],
])('rejects the invalid settings %o', (env, sentence) => {
  expect(() => samplerOf(env, sdk)).toThrow(sentence);
});

it.each([
  {},
  { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_SDK_DISABLED: 'true' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_TRACES_EXPORTER: 'none' },
])('disables tracing for %o', async (env) => {
  expect(await openTracing(env, () => undefined)).toBeNull();
});

it('rejects an unknown exporter', async () => {
  await expect(openTracing({ OTEL_TRACES_EXPORTER: 'zipkin' }, () => undefined)).rejects.toThrow(
    'OTEL_TRACES_EXPORTER is zipkin; there are otlp and none.',
  );
});
