import { Gauge, type Registry } from 'prom-client';

const states = ['closed', 'half-open', 'open'] as const;

/** What is watched of a channel for one of its models. */
interface Watched {
  readonly facts: { readonly modelId: string };
  readonly breakerState: (typeof states)[number];
  readonly isDrained: boolean;
  readonly inFlight: number;
  readonly waiting: number;
}

/** All channels, as configured. */
interface WatchedChannels {
  all(): readonly { readonly id: string; readonly models: readonly Watched[] }[];
}

type Labels = Readonly<Record<string, string>>;

/** A metric of a channel for one of its models: one figure, or several with an extra label. */
interface Shown {
  readonly name: string;
  readonly help: string;
  readonly own?: readonly string[];
  /** How the figures of several worker processes are combined; the default is the sum. */
  readonly aggregator?: 'max';
  readonly figures: (watched: Watched) => readonly (readonly [figure: number, labels?: Labels])[];
}

const shown: readonly Shown[] = [
  {
    name: 'breaker_state',
    help: 'Processes whose breaker is in that state: 1 or 0 of one process.',
    own: ['state'],
    figures: ({ breakerState }) => states.map((state) => [breakerState === state ? 1 : 0, { state }]),
  },
  {
    name: 'channel_drained',
    help: '1 where an operator has drained the channel.',
    aggregator: 'max',
    figures: ({ isDrained }) => [[isDrained ? 1 : 0]],
  },
  {
    name: 'channel_calls_in_flight',
    help: 'Calls at the upstream.',
    figures: ({ inFlight }) => [[inFlight]],
  },
  {
    name: 'channel_requests_waiting',
    help: 'Requests in the queue of a full channel.',
    figures: ({ waiting }) => [[waiting]],
  },
];

/** Adds metrics for each channel and model, read from this process at each scrape. */
export function addChannelMetrics(registry: Registry, channels: WatchedChannels): void {
  for (const { name, help, own = [], aggregator, figures } of shown)
    new Gauge({
      ...{
        name: `gatecheck_${name}`,
        help,
        labelNames: ['channel', 'model', ...own],
        registers: [registry],
        ...(aggregator !== undefined && { aggregator }),
      },
      collect() {
        for (const { id: channel, models } of channels.all())
          for (const watched of models)
            for (const [figure, labels] of figures(watched))
              this.set({ channel, model: watched.facts.modelId, ...labels }, figure);
      },
    });
}
