import type { JournalEntry } from 'gatecheck-simulators/client';
import { picoIn } from '../../oracle/money.ts';
import { attributeOf, type Span } from './collector.ts';

/** A line of the log for a request. */
export interface LogLine {
  readonly request_id: string;
  readonly route: string;
  readonly status: number | null;
  readonly code: string;
}

/** A record of the usage log, as administrators read it. */
export interface AdminRecord {
  readonly request_id: string;
  readonly model_requested: string;
  readonly model_served: string;
  readonly outcome: string;
  readonly attempts: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly charge: string;
}

/** An entry of the ledger, as administrators read it. */
export interface AdminEntry {
  readonly kind: string;
  readonly book: string;
  readonly amount: string;
  readonly request_id: string | null;
}

/** The reports of all sources about the same requests. */
export interface Witnesses {
  readonly metrics: readonly Sample[];
  readonly log: readonly LogLine[];
  readonly spans: readonly Span[];
  readonly records: readonly AdminRecord[];
  readonly entries: readonly AdminEntry[];
  readonly journal: readonly JournalEntry[];
}

/** The kinds of server and client spans in OTLP. */
const [serverKind, clientKind] = [2, 3] as const;

type Sums = Readonly<Record<string, number>>;

/** The differences between the sources, one line each; empty when they agree. */
export function disagreements(told: Witnesses): string[] {
  return [...requestsBy(told), ...attemptsBy(told), ...usageBy(told), ...chargesBy(told)];
}

/** A scrape is not counted before its own answer has ended. */
const isCounted = ({ route }: { readonly route: string }): boolean => route !== '/metrics';

function requestsBy({ metrics, log, spans }: Witnesses): string[] {
  const requests = spans.filter(({ kind }) => kind === serverKind);
  const ofSpans = requests.map((span) => ({
    request_id: attributeOf(span, 'gatecheck.request_id'),
    route: attributeOf(span, 'http.route'),
    code: attributeOf(span, 'gatecheck.code'),
  }));
  const named = ({ route, code }: Pick<LogLine, 'route' | 'code'>): string => `${route} ${code}`;
  const logged = log.filter(isCounted);
  const counted = metrics.filter(({ name }) => name === 'gatecheck_requests_total');
  return [
    ...unlike('requests of log and metrics', countsOf(logged.map(named)), {
      ...Object.fromEntries(
        counted
          .filter(({ labels }) => labels.route !== '/metrics')
          .map(({ labels, value }) => [`${labels.route} ${labels.code}`, value]),
      ),
    }),
    ...unlike('requests of log and spans', countsOf(log.map(named)), countsOf(ofSpans.map(named))),
    ...unlike(
      'request ids of log and spans',
      countsOf(log.map(({ request_id }) => request_id)),
      countsOf(ofSpans.map(({ request_id }) => request_id)),
    ),
  ];
}

/** Compares attempts. The journal names the span of each call, which proves that the span was a call. */
function attemptsBy({ metrics, spans, records, journal }: Witnesses): string[] {
  const calls = spans.filter(({ kind }) => kind === clientKind);
  const isSubmit = (span: Span): boolean => attributeOf(span, 'http.request.method') === 'POST';
  const idOf = new Map(
    spans
      .filter(({ kind }) => kind === serverKind)
      .map((span) => [span.spanId, attributeOf(span, 'gatecheck.request_id')]),
  );
  const named = calls.map((span) => ({ span, id: attributeOf(span, 'gatecheck.request_id') }));
  // Work for a request after its end is not part of its trace.
  const astray = named.filter(({ span: { parentSpanId }, id }) => {
    const ofParent = idOf.get(parentSpanId ?? '');
    return ofParent !== undefined && ofParent !== id;
  });
  const ofSpans = named.filter(({ span }) => isSubmit(span)).map(({ id }) => id);
  const ofRecords = Object.fromEntries(
    records.filter(({ attempts }) => attempts > 0).map(({ request_id, attempts }) => [request_id, attempts]),
  );
  const models = [...new Set(records.map(({ model_served }) => model_served))];
  const by = (name: string): Sums =>
    Object.fromEntries(models.map((model) => [model, sumOf(metrics, `gatecheck_${name}`, { model })]));
  return [
    ...astray.map(({ id }) => `calls of spans: one for ${id} is in the trace of another request`),
    ...unlike(
      'calls of spans and journal',
      countsOf(calls.map(({ traceId, spanId }) => `${traceId}-${spanId}`)),
      countsOf(journal.map(contextOf)),
    ),
    ...unlike('attempts of records and spans', ofRecords, countsOf(ofSpans)),
    ...unlike(
      'attempts of records and metrics',
      sumsOf(records, ({ model_served, attempts }) => [model_served, attempts]),
      by('upstream_attempts_total'),
    ),
    ...unlike(
      'retries of records and metrics',
      sumsOf(records, ({ model_served, attempts }) => [model_served, Math.max(0, attempts - 1)]),
      by('retries_total'),
    ),
  ];
}

function contextOf({ request }: JournalEntry): string {
  const [, value = ''] = request.headers.find(([name]) => name.toLowerCase() === 'traceparent') ?? [];
  return /^00-(.+)-01$/.exec(value)?.[1] ?? 'no context';
}

function usageBy({ metrics, records }: Witnesses): string[] {
  const counted = (name: string, labels: readonly string[]): Sums =>
    Object.fromEntries(
      metrics
        .filter((sample) => sample.name === `gatecheck_${name}` && sample.value !== 0)
        .map((sample) => [labels.map((label) => sample.labels[label]).join(' '), sample.value]),
    );
  return [
    ...unlike(
      'calls of records and metrics',
      countsOf(records.map(({ model_served, outcome }) => `${model_served} ${outcome}`)),
      counted('model_calls_total', ['model', 'outcome']),
    ),
    ...unlike(
      'tokens of records and metrics',
      {
        ...sumsOf(records, (one) => [`${one.model_served} prompt`, one.prompt_tokens]),
        ...sumsOf(records, (one) => [`${one.model_served} completion`, one.completion_tokens]),
      },
      counted('model_tokens_total', ['model', 'kind']),
    ),
    ...unlike(
      'fallbacks of records and metrics',
      countsOf(
        records
          .filter(({ model_requested, model_served }) => model_requested !== model_served)
          .map(({ model_requested, model_served }) => `${model_requested} ${model_served}`),
      ),
      counted('fallbacks_total', ['asked', 'served']),
    ),
  ];
}

function chargesBy({ metrics, records, entries, log }: Witnesses): string[] {
  const pico = (text: string): number => Number(picoIn(text) ?? Number.NaN);
  const gained = entries.filter(({ book, request_id }) => book === 'revenue' && request_id !== null);
  const known = new Set(log.map(({ request_id }) => request_id));
  const strangers = [...records, ...entries.filter(({ request_id }) => request_id !== null)].filter(
    ({ request_id }) => !known.has(request_id ?? ''),
  );
  // Counters of a scrape are doubles, so they are compared in billionths of a dollar.
  const rounded = (picos: number): number => Math.round(picos / 1_000);
  return [
    ...strangers.map(({ request_id }) => `books and log: not logged: ${request_id}`),
    ...unlike(
      'charges of records and ledger',
      sumsOf(records, ({ request_id, charge }) => [request_id, pico(charge)]),
      sumsOf(gained, ({ request_id, amount }) => [request_id ?? '', pico(amount)]),
    ),
    ...unlike(
      'charges of records and metrics',
      { all: rounded(records.reduce((sum, { charge }) => sum + pico(charge), 0)) },
      { all: rounded(sumOf(metrics, 'gatecheck_charged_dollars_total') * 1e12) },
    ),
  ];
}

function countsOf(names: readonly string[]): Sums {
  return sumsOf(names, (name) => [name, 1]);
}

function sumsOf<One>(all: readonly One[], figure: (one: One) => readonly [string, number]): Sums {
  const sums: Record<string, number> = {};
  for (const one of all) {
    const [name, value] = figure(one);
    sums[name] = (sums[name] ?? 0) + value;
  }
  return sums;
}

/** The names whose values differ between the two sides; a missing name counts as 0. */
function unlike(what: string, left: Sums, right: Sums): string[] {
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])].toSorted();
  return names
    .filter((name) => (left[name] ?? 0) !== (right[name] ?? 0))
    .map((name) => `${what}: ${name}: ${left[name] ?? 0}, ${right[name] ?? 0}`);
}

/** One figure of a scrape. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What a gateway counts, by its metrics in the text format of Prometheus. */
export async function scrape(url: string, token: string): Promise<Sample[]> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`no metrics: ${answer.status} ${text}`);
  return [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name = '', labels = '', value]) => ({
    name,
    labels: Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key, text])),
    value: Number(value),
  }));
}

/** The sum of a metric's figures whose labels are these. */
export function sumOf(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  return samples
    .filter(
      (one) => one.name === name && Object.entries(labels).every(([key, text]) => one.labels[key] === text),
    )
    .reduce((sum, { value }) => sum + value, 0);
}
