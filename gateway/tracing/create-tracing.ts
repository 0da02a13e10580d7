import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context, Span, TextMapGetter, TextMapPropagator } from '@opentelemetry/api';
import type { TracerProvider } from '@opentelemetry/sdk-trace';
import { beforeDeadline } from '../before-deadline.ts';
import { RealClock } from '../clock.ts';
import type { Exchange } from '../http/exchange.ts';
import type { BodyStep, UpstreamQuestion, UpstreamReply } from '../upstreams/call.ts';
import type { UpstreamClient } from '../upstreams/client.ts';
import type { ClientLeft, UpstreamFailure } from '../upstreams/outcome.ts';
import type { Tracing } from './tracing.ts';

/** The OpenTelemetry modules that tracing uses. */
export interface SpanKit {
  readonly api: typeof import('@opentelemetry/api');
  readonly provider: TracerProvider;
  readonly propagator: TextMapPropagator;
}

type Headers = Exchange['incoming']['headers'];
type Outcome = UpstreamReply | UpstreamFailure | ClientLeft;

const requestAttribute = 'gatecheck.request_id';

/** Maximum wait for spans to be sent at the end of the process, in ms. */
const closingMs = 2_000;

const fromHeaders: TextMapGetter<Headers> = {
  keys: (headers) => Object.keys(headers),
  get: (headers, name) => headers[name],
};

/** Tracing through OpenTelemetry's API, without its global state. */
export function createTracing({ api, provider, propagator }: SpanKit): Tracing {
  const tracer = provider.getTracer('gatecheck-gateway');
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = api;
  const current = new AsyncLocalStorage<{ readonly context: Context; readonly requestId: string }>();

  const begin: Tracing['begin'] = (exchange) => {
    const { incoming, facts, requestId, outgoing } = exchange;
    const attributes = {
      'http.request.method': incoming.method ?? '',
      'http.route': facts.route,
      [requestAttribute]: requestId,
    };
    const named = { kind: SpanKind.SERVER, attributes };
    const caller = propagator.extract(ROOT_CONTEXT, incoming.headers, fromHeaders);
    const span = tracer.startSpan(`${incoming.method} ${facts.route}`, named, caller);
    const context = trace.setSpan(caller, span);
    return {
      run: (work) => current.run({ context, requestId }, work),
      end: () => {
        span.setAttribute('gatecheck.code', facts.code);
        if (outgoing.headersSent) {
          span.setAttribute('http.response.status_code', outgoing.statusCode);
          if (outgoing.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        }
        span.end();
      },
    };
  };

  const attempt = async <Asked extends UpstreamQuestion>(
    method: 'GET' | 'POST',
    question: Asked,
    ask: (question: Asked) => Promise<Outcome>,
  ): Promise<Outcome> => {
    const { hostname, port, protocol } = new URL(question.url);
    const { context: parent = ROOT_CONTEXT, requestId } = current.getStore() ?? {};
    const attributes = {
      ...(requestId !== undefined && { [requestAttribute]: requestId }),
      'http.request.method': method,
      'server.address': hostname,
      'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
    };
    const span = tracer.startSpan(method, { kind: SpanKind.CLIENT, attributes }, parent);
    const headers = { ...question.headers };
    propagator.inject(trace.setSpan(parent, span), headers, {
      set: (carrier, name, value) => {
        carrier[name] = value;
      },
    });
    return watched(await ask({ ...question, headers }), endOf(span));
  };

  /** Ends the span once. A failure is named by its reason, never by upstream text. */
  const endOf = (span: Span): EndOfAttempt => {
    let isOver = false;
    return (status, reason) => {
      if (isOver) return;
      isOver = true;
      if (status !== null) span.setAttribute('http.response.status_code', status);
      if (reason !== null) span.setAttribute('error.type', reason);
      if (reason !== null || (status ?? 0) >= 400) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    };
  };

  return {
    begin,
    onBehalf: (requestId, work) => current.run({ context: ROOT_CONTEXT, requestId }, work),
    attempts: (client: UpstreamClient): UpstreamClient => ({
      post: (request) => attempt('POST', request, client.post),
      get: (question) => attempt('GET', question, client.get),
      close: client.close,
    }),
    close: async () => {
      const clock = new RealClock();
      await beforeDeadline(clock, closingMs, () => provider.shutdown()).catch(() => undefined);
    },
  };
}

type EndOfAttempt = (status: number | null, reason: string | null) => void;

/** An outcome that ends its span when its last byte has been read or its reader has disconnected. */
function watched(outcome: Outcome, end: EndOfAttempt): Outcome {
  if (outcome.kind !== 'reply') {
    end(outcome.kind === 'failure' ? outcome.status : null, reasonOf(outcome));
    return outcome;
  }
  const { status } = outcome;
  return {
    ...outcome,
    read: async (): Promise<BodyStep> => {
      const step = await outcome.read();
      if (step.kind !== 'bytes') end(status, step.kind === 'done' ? null : reasonOf(step));
      return step;
    },
    close: () => {
      end(status, null);
      outcome.close();
    },
  };
}

function reasonOf(outcome: UpstreamFailure | ClientLeft): string {
  return outcome.kind === 'failure' ? outcome.reason : outcome.kind;
}
