import { createServer } from 'node:http';
import { listenOnLoopback } from '../../process/loopback.ts';

/** The parts of an OTLP span in JSON that the tests read. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

/** A collector of traces: OTLP over HTTP, as JSON. */
export interface Collector {
  readonly url: string;
  /** The spans that arrived since the last call. */
  take(): Span[];
  close(): void;
}

export async function startCollector(): Promise<Collector> {
  let arrived: Span[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const { resourceSpans } = JSON.parse(Buffer.concat(pieces).toString('utf8')) as {
      resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
    };
    arrived.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)));
    response.setHeader('content-type', 'application/json').end('{}');
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    take: () => {
      const taken = arrived;
      arrived = [];
      return taken;
    },
    close: () => void server.close(),
  };
}

/** The value of an attribute as text. */
export function attributeOf({ attributes }: Span, name: string): string {
  return String(Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0]);
}
