import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { addChannelMetrics } from './channel-metrics.ts';
import { createMetrics, type Used } from './metrics.ts';

const used: Used = {
  model_requested: 'alpha-5',
  model_served: 'alpha-5',
  outcome: 'ok',
  prompt_tokens: 12n,
  completion_tokens: 5n,
  attempts: 1,
  charge_pico: 250_000_000n,
};

it('counts attempts, retries, fallbacks and charges of recorded requests', async () => {
  const registry = new Registry();
  const metrics = createMetrics(registry);
  metrics.used(used);
  metrics.used({ ...used, attempts: 3, model_served: 'delta-3' });
  metrics.used({ ...used, attempts: 0, outcome: 'channel_outage', charge_pico: 0n });
  const text = await registry.metrics();
  for (const line of [
    'upstream_attempts_total{model="alpha-5"} 1',
    'upstream_attempts_total{model="delta-3"} 3',
    'retries_total{model="alpha-5"} 0',
    'retries_total{model="delta-3"} 2',
    'fallbacks_total{asked="alpha-5",served="delta-3"} 1',
    'charged_dollars_total{model="alpha-5"} 0.00025',
    'model_calls_total{model="alpha-5",outcome="channel_outage"} 1',
    'model_tokens_total{model="delta-3",kind="prompt"} 12',
  ])
    expect(text).toContain(`gatecheck_${line}\n`);
});

it('shows the current state of each channel for each of its models', async () => {
  const registry = new Registry();
  const live = {
    facts: { modelId: 'delta-3' },
    breakerState: 'closed' as 'closed' | 'open',
    isDrained: false,
    inFlight: 2,
    waiting: 1,
  };
  addChannelMetrics(registry, { all: () => [{ id: 'ch', models: [live] }] });
  const own = 'channel="ch",model="delta-3"';
  const shows = async (lines: readonly string[]): Promise<void> => {
    const text = await registry.metrics();
    for (const line of lines) expect(text).toContain(`gatecheck_${line}\n`);
  };
  await shows([
    `breaker_state{${own},state="closed"} 1`,
    `breaker_state{${own},state="open"} 0`,
    `channel_drained{${own}} 0`,
    `channel_calls_in_flight{${own}} 2`,
    `channel_requests_waiting{${own}} 1`,
  ]);
  live.breakerState = 'open';
  live.isDrained = true;
  await shows([
    `breaker_state{${own},state="closed"} 0`,
    `breaker_state{${own},state="half-open"} 0`,
    `breaker_state{${own},state="open"} 1`,
    `channel_drained{${own}} 1`,
  ]);
});
