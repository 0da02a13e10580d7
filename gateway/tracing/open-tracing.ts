import { createTracing, type SpanKit } from './create-tracing.ts';
import { samplerOf } from './sampler.ts';
import type { Tracing } from './tracing.ts';
import { TracingUnavailable } from './tracing-unavailable.ts';

const usualService = 'gatecheck-gateway';

/**
 * Tracing as configured by the standard environment variables. Null if they enable none; then nothing is loaded.
 * @throws TracingUnavailable
 */
export async function openTracing(env: NodeJS.ProcessEnv, onFault: () => void): Promise<Tracing | null> {
  if (!isAskedFor(env)) return null;
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL;
  if (protocol === 'grpc')
    throw new TracingUnavailable(
      'OTEL_EXPORTER_OTLP_PROTOCOL is grpc; traces are sent as JSON over HTTP: name such a receiver (usually port 4318), and http/json.',
    );
  const kit = await loadKit(env);
  kit.api.diag.setLogger(
    { ...quiet, error: onFault },
    { logLevel: kit.api.DiagLogLevel.ERROR, suppressOverrideMessage: true },
  );
  return createTracing(kit);
}

/** Tracing is on if the environment names a collector address or the exporter. */
function isAskedFor(env: NodeJS.ProcessEnv): boolean {
  const { OTEL_TRACES_EXPORTER: exporter, OTEL_SDK_DISABLED: disabled } = env;
  if (disabled?.toLowerCase() === 'true' || exporter === 'none') return false;
  if (exporter !== undefined && exporter !== '' && exporter !== 'otlp')
    throw new TracingUnavailable(`OTEL_TRACES_EXPORTER is ${exporter}; there are otlp and none.`);
  const address = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_ENDPOINT ?? '';
  return exporter === 'otlp' || address !== '';
}

const nothing = (): void => undefined;
const quiet = { error: nothing, warn: nothing, info: nothing, debug: nothing, verbose: nothing };

async function loadKit(env: NodeJS.ProcessEnv): Promise<SpanKit> {
  try {
    const [api, core, resources, sdk, { OTLPTraceExporter }] = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/core'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
    ]);
    const { envDetector, resourceFromAttributes, detectResources } = resources;
    const named = resourceFromAttributes({ 'service.name': env.OTEL_SERVICE_NAME || usualService });
    const provider = new sdk.TracerProvider({
      resource: detectResources({ detectors: [envDetector] }).merge(named),
      sampler: samplerOf(env, sdk),
      spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
    });
    return { api, provider, propagator: new core.W3CTraceContextPropagator() };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new TracingUnavailable(
      'Traces are asked for (OTEL_…), but the packages that send them are not installed: npm ci without --omit=dev.',
    );
  }
}
