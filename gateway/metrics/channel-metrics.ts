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

/** Adds the state of each channel for each of its models, as this process sees it when it is asked. */
export function addChannelMetrics(registry: Registry, channels: WatchedChannels): void {
  const gauge = (
    name: string,
    help: string,
    labelNames: readonly string[],
    each: (
      set: (labels: Record<string, string>, value: number) => void,
      watched: Watched,
      names: Names,
    ) => void,
  ): void => {
    new Gauge({
      ...{ name: `gatecheck_${name}`, help, labelNames, registers: [registry] },
      collect() {
        for (const { id: channel, models } of channels.all())
          for (const watched of models)
            each((labels, value) => this.set(labels, value), watched, {
              channel,
              model: watched.facts.modelId,
            });
      },
    });
  };
  const names = ['channel', 'model'];
  gauge('breaker_state', '1 for the state that the breaker is in.', [...names, 'state'], (set, one, own) => {
    for (const state of states) set({ ...own, state }, one.breakerState === state ? 1 : 0);
  });
  gauge('channel_drained', '1 where an operator has drained the channel.', names, (set, one, own) =>
    set(own, one.isDrained ? 1 : 0),
  );
  gauge('channel_calls_in_flight', 'Calls at the upstream.', names, (set, one, own) =>
    set(own, one.inFlight),
  );
  gauge('channel_requests_waiting', 'Requests in the queue of a full channel.', names, (set, one, own) =>
    set(own, one.waiting),
  );
}

interface Names extends Record<string, string> {
  readonly channel: string;
  readonly model: string;
}
