import { readFileSync } from 'node:fs';
import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { TestClock } from '../clock.ts';
import { WorkerMetrics } from '../workers/worker-metrics.ts';
import { addChannelMetrics } from './channel-metrics.ts';
import { addProcessMetrics, createMetrics } from './metrics.ts';
import { addStoreMetrics } from './store-metrics.ts';

/** Checks that alerts and dashboards use only existing metrics and labels. */

interface Asked {
  readonly metric: string;
  readonly labels: readonly string[];
}

/** Labels that a scraper adds, and the bucket label of histograms. */
const always = ['job', 'instance', 'le'];

const read = (name: string): string =>
  readFileSync(new URL(`../../operations/${name}`, import.meta.url), 'utf8');

/** Collects the text values of a member anywhere in a file. */
function valuesOf(member: string, value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === member && typeof inner === 'string' ? [inner] : valuesOf(member, inner),
  );
}

/** Replaces Grafana variables by sample values. */
const withoutVariables = (expression: string): string =>
  expression.replaceAll('$__rate_interval', '5m').replaceAll(/\$\w+/g, 'any');

const alerts: string[] = valuesOf('expr', parse(read('alerts.yaml')));
const panels = valuesOf('expr', JSON.parse(read('grafana-dashboard.json'))).map(withoutVariables);

function askedIn(expression: string): Asked[] {
  const textOf = (node: SyntaxNode): string => expression.slice(node.from, node.to);
  const asked: Asked[] = [];
  parser.parse(expression).iterate({
    enter: ({ node }) => {
      if (node.type.isError) throw new Error(`${expression}: not understood from character ${node.from} on`);
      if (node.name !== 'VectorSelector') return;
      const matched = (node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []).flatMap(
        (matcher) => matcher.getChildren('LabelName').map(textOf),
      );
      const identifier = node.getChild('Identifier');
      if (identifier === null) throw new Error(`${expression}: a selector without a metric`);
      asked.push({ metric: textOf(identifier), labels: [...matched, ...groupedAround(node).map(textOf)] });
    },
  });
  return asked;
}

/** The labels by which the nearest enclosing aggregation groups. */
function groupedAround(selector: SyntaxNode): SyntaxNode[] {
  for (let node = selector.parent; node !== null; node = node.parent)
    if (node.name === 'AggregateExpr')
      return node.getChild('AggregateModifier')?.getChild('GroupingLabels')?.getChildren('LabelName') ?? [];
  return [];
}

/** Every metric of a gateway with its labels. */
async function known(): Promise<Map<string, readonly string[]>> {
  const registry = new Registry();
  createMetrics(registry);
  addProcessMetrics(registry, () => 0);
  addChannelMetrics(registry, { all: () => [] });
  const readKept = () => Promise.reject(new Error('no database'));
  addStoreMetrics(registry, { readKept, slots: async () => [], timer: new TestClock() });
  const labels = registry
    .getMetricsAsArray()
    .map((metric) => [metric.name, (metric as unknown as { labelNames: string[] }).labelNames] as const);
  const workers = (await new WorkerMetrics().besides([])).flat().map(({ name }) => [name, []] as const);
  return new Map<string, readonly string[]>([...labels, ...workers, ['up', []]]);
}

const expressions = [...alerts.map((text) => ['an alert', text]), ...panels.map((text) => ['a panel', text])];

it.each(expressions)('%s: %s', async (_, text = '') => {
  const metrics = await known();
  const asked = askedIn(text);
  expect(asked).not.toEqual([]);
  for (const { metric, labels } of asked) {
    const own = metrics.get(metric) ?? metrics.get(metric.replace(/_(?:bucket|sum|count)$/, ''));
    expect(own, metric).toBeDefined();
    expect(labels.filter((label) => !always.includes(label) && own?.includes(label) !== true)).toEqual([]);
  }
});

it('shows every metric of the gateway on a panel', async () => {
  const shown = panels.flatMap(askedIn).map(({ metric }) => metric.replace(/_bucket$/, ''));
  const ours = [...(await known()).keys()].filter((name) => name.startsWith('gatecheck_'));
  expect(ours.filter((name) => !shown.includes(name))).toEqual([]);
});

it('every alert has a severity, a summary and a description', () => {
  const { groups } = parse(read('alerts.yaml'));
  const rules = groups.flatMap((group: { rules: unknown[] }) => group.rules);
  expect(rules.length).toBe(alerts.length);
  for (const rule of rules)
    expect(rule).toMatchObject({
      alert: expect.stringMatching(/^[A-Z]\w+$/),
      labels: { severity: expect.stringMatching(/^(?:page|ticket)$/) },
      annotations: { summary: expect.any(String), description: expect.any(String) },
    });
});

it('the check detects an unknown metric and an invalid expression', async () => {
  expect(askedIn('sum by (model) (rate(gatecheck_gone_total{code="ok"}[5m]))')).toEqual([
    { metric: 'gatecheck_gone_total', labels: ['code', 'model'] },
  ]);
  expect((await known()).has('gatecheck_gone_total')).toBe(false);
  expect(() => askedIn('sum by (model (x)')).toThrow('not understood');
});
