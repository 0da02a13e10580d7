import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type Metric,
  type Registry,
} from 'prom-client';
import { type FileStep, fileSteps } from '../media/counted-files.ts';
import { onlyProcess, type Siblings } from '../siblings.ts';

/** An ended request. Its labels are route templates and known codes, so that their number is bounded. */
export interface Answered {
  readonly route: string;
  readonly code: string;
  readonly ms: number;
  /** Milliseconds from the request head to the first event; null without a stream. */
  readonly firstEventMs: number | null;
}

/** An attempt to deliver an event. */
export interface EventAttempted {
  /** The state of the event after the attempt. */
  readonly state: string;
  /** Why the delivery failed; null if it succeeded. */
  readonly failure: string | null;
}

/** The usage of a model; its id is from the catalogue. */
export interface Used {
  /** The model that was asked for, and the one that answered. */
  readonly model_requested: string;
  readonly model_served: string;
  readonly outcome: string;
  readonly prompt_tokens: bigint;
  readonly completion_tokens: bigint;
  /** Number of calls to upstreams. */
  readonly attempts: number;
  readonly charge_pico: bigint;
}

/** Pico-USD per dollar. */
const picoOfDollar = 1e12;

/** Metrics for operators: counted in memory, read by a scraper. */
export interface Metrics {
  /** All metrics in the text format of Prometheus. */
  read(): Promise<{ readonly contentType: string; readonly text: string }>;
  answered(request: Answered): void;
  used(usage: Used): void;
  eventAttempted(attempt: EventAttempted): void;
  /** An upstream ended an answer with an unknown finish reason, which only the log shows. */
  unknownEnding(ending: { readonly channel: string; readonly model: string }): void;
  /** The counts of a recorded request may be wrong; `doubt` is the reason. */
  doubtfulUsage(usage: { readonly channel: string; readonly model: string; readonly doubt: string }): void;
  descriptorsExhausted(): void;
  wrongAdminToken(): void;
  /** Jobs are running on a channel whose key or address has changed since they started. */
  keyChanged(channel: string, jobs: number): void;
  publicUrlIsUseless(useless: boolean): void;
  usageForgotten(records: number): void;
  /** The number of settlements that wait on the local disk. */
  settlementsWait(count: number): void;
  /** A step of the file store failed; its caller got the error, or retries. */
  mediaFailed(step: FileStep): void;
}

/** From a lookup to the longest videos, seconds. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** Creates metrics in an empty registry. Reads include the metrics of the other worker processes. */
export function createMetrics(registry: Registry, siblings: Siblings = onlyProcess()): Metrics {
  siblings.answer('metrics', () => registry.getMetricsAsJSON());
  const registers = [registry];
  const counter = (name: string, help: string, labelNames: string[] = []): Counter =>
    new Counter({ name: `gatecheck_${name}`, help, labelNames, registers });
  const requests = counter('requests_total', 'Requests by route and code.', ['route', 'code']);
  const seconds = new Histogram({
    name: 'gatecheck_request_seconds',
    help: 'Time from the head of a request to the end of its answer.',
    labelNames: ['route'],
    buckets,
    registers,
  });
  const firstEvents = new Histogram({
    name: 'gatecheck_first_event_seconds',
    help: 'Time from the head of a request to the first event of its stream.',
    labelNames: ['route'],
    buckets,
    registers,
  });
  const eventAttempts = counter('event_attempts_total', 'Attempts to deliver an event to its receiver.', [
    'state',
    'failure',
  ]);
  const calls = counter('model_calls_total', 'Requests on record by model and outcome.', [
    'model',
    'outcome',
  ]);
  const tokens = counter('model_tokens_total', 'Tokens on record by model.', ['model', 'kind']);
  const attempts = counter('upstream_attempts_total', 'Calls to upstreams for requests on record.', [
    'model',
  ]);
  const retries = counter('retries_total', 'Calls to upstreams beyond the first of a request.', ['model']);
  const fallbacks = counter('fallbacks_total', 'Requests that another model answered.', ['asked', 'served']);
  const charges = counter('charged_dollars_total', 'What requests on record were charged, about.', ['model']);
  const endings = counter(
    'unknown_finish_reasons_total',
    'Answers whose upstream ended them with a word that the gateway does not know.',
    ['channel', 'model'],
  );
  const doubts = counter(
    'doubtful_usage_total',
    'Requests on record whose counts may be wrong, by what is wrong with them.',
    ['channel', 'model', 'doubt'],
  );
  const descriptors = counter(
    'descriptors_exhausted_total',
    'Looks, one a second, that found no free file descriptor: connections are dropped then.',
  );
  const guesses = counter('admin_token_guesses_total', 'Wrong admin tokens.');
  const jobs = counter('jobs_under_changed_key_total', 'Jobs that a changed upstream key may have cut off.', [
    'channel',
  ]);
  const forgotten = counter(
    'usage_records_forgotten_total',
    'Usage records that were removed by their retention.',
  );
  const media = counter(
    'media_failures_total',
    'Steps at files of tasks that their directory or bucket failed.',
    ['step'],
  );
  // A scraper can detect the first failure only if the counter existed before with 0.
  for (const step of fileSteps) media.inc({ step }, 0);
  const useless = new Gauge({
    name: 'gatecheck_public_url_useless',
    help: '1 if links and callbacks have an address that other machines cannot reach.',
    aggregator: 'max',
    registers,
  });
  const spooled = new Gauge({
    name: 'gatecheck_settlements_waiting',
    help: 'Answers whose cost waits on disk until the database is back.',
    registers,
  });
  return {
    read: async () => {
      const all = siblings.isAlone ? registry : aggregated(await siblings.ask('metrics', null));
      return { contentType: registry.contentType, text: await all.metrics() };
    },
    answered: ({ route, code, ms, firstEventMs }) => {
      requests.inc({ route, code });
      seconds.observe({ route }, ms / 1_000);
      if (firstEventMs !== null) firstEvents.observe({ route }, firstEventMs / 1_000);
    },
    eventAttempted: ({ state, failure }) => eventAttempts.inc({ state, failure: failure ?? 'none' }),
    used: ({ model_requested: asked, model_served: model, outcome, ...used }) => {
      calls.inc({ model, outcome });
      tokens.inc({ model, kind: 'prompt' }, Number(used.prompt_tokens));
      tokens.inc({ model, kind: 'completion' }, Number(used.completion_tokens));
      attempts.inc({ model }, used.attempts);
      retries.inc({ model }, Math.max(0, used.attempts - 1));
      if (asked !== model) fallbacks.inc({ asked, served: model });
      // The ledger keeps exact amounts; a Prometheus counter is a double.
      charges.inc({ model }, Number(used.charge_pico) / picoOfDollar);
    },
    unknownEnding: ({ channel, model }) => endings.inc({ channel, model }),
    doubtfulUsage: ({ channel, model, doubt }) => doubts.inc({ channel, model, doubt }),
    descriptorsExhausted: () => descriptors.inc(),
    wrongAdminToken: () => guesses.inc(),
    keyChanged: (channel, count) => jobs.inc({ channel }, count),
    publicUrlIsUseless: (isUseless) => useless.set(isUseless ? 1 : 0),
    usageForgotten: (records) => forgotten.inc(records),
    settlementsWait: (count) => spooled.set(count),
    mediaFailed: (step) => media.inc({ step }),
  };
}

/** Combines the metrics of several processes as each metric defines; most are summed. */
function aggregated(all: readonly unknown[]): Registry {
  return AggregatorRegistry.aggregate(all as Metric[]);
}

/** Adds metrics of the process itself: memory, handles, event loop delay, and dropped log lines. */
export function addProcessMetrics(registry: Registry, droppedLines: () => number): void {
  collectDefaultMetrics({ register: registry });
  new Counter({
    name: 'gatecheck_log_lines_dropped_total',
    help: 'Log lines that were dropped, because their reader is too slow or gone.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(droppedLines());
    },
  });
}
