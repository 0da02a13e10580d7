import { describe, expect, it } from 'vitest';
import { renderJunit } from './junit.ts';
import type { Report } from './report.ts';
import { hostileReport, hostileTexts } from './testing/hostile-report.ts';
import { conformingReport, emptyReport, sampleReport } from './testing/sample-report.ts';
import { type Element, elementsOf, readTags, textOf } from './testing/tag-tree.ts';

function suites(report: Report): Element[] {
  return elementsOf(readTags(renderJunit(report), 'xml'), 'testsuite');
}

function testcase(report: Report, id: string): Element {
  const found = suites(report)
    .flatMap((suite) => elementsOf(suite, 'testcase'))
    .find((element) => element.attributes.get('name')?.startsWith(`${id}:`));
  if (found === undefined) throw new Error(`no case ${id}`);
  return found;
}

function properties(element: Element): [string | undefined, string | undefined][] {
  return elementsOf(element, 'property').map(({ attributes }) => [
    attributes.get('name'),
    attributes.get('value'),
  ]);
}

describe('renderJunit', () => {
  it('makes a suite per area and a case per check', () => {
    const found = suites(sampleReport()).map((suite) => [
      suite.attributes.get('name'),
      elementsOf(suite, 'testcase').length,
    ]);
    expect(found).toEqual([
      ['AUTH: Authentication', 7],
      ['CHAT: Chat request', 11],
      ['ERR: Errors', 6],
      ['LIM: Limits', 5],
      ['RESP: Chat response', 6],
      ['SSE: Streaming', 6],
    ]);
  });

  it('counts tests, failures, errors and skipped cases correctly', () => {
    const [root] = elementsOf(readTags(renderJunit(sampleReport()), 'xml'), 'testsuites');
    const counts = ['tests', 'failures', 'errors', 'skipped'].map((name) => root?.attributes.get(name));
    expect(counts).toEqual(['41', '5', '1', '7']);
    for (const suite of suites(sampleReport())) {
      expect(suite.attributes.get('failures')).toBe(String(elementsOf(suite, 'failure').length));
      expect(suite.attributes.get('errors')).toBe(String(elementsOf(suite, 'error').length));
      expect(suite.attributes.get('skipped')).toBe(String(elementsOf(suite, 'skipped').length));
    }
  });

  it('names the requirements of a case', () => {
    const found = properties(testcase(sampleReport(), 'err.param-names-field'));
    expect(found).toContainEqual(['requirement', 'ERR-024']);
    expect(found).toContainEqual(['requirement', 'ERR-007']);
    expect(found).toContainEqual(['aspect', 'param-names-field']);
  });

  it('puts expected, actual, the curl line and the replay line into a failure', () => {
    const [failure] = elementsOf(testcase(sampleReport(), 'err.param-names-field'), 'failure');
    const text = failure === undefined ? '' : textOf(failure);
    for (const label of ['expected:', 'actual:', 'exchange:', 'twin:', 'input:', 'curl:', 'replay:']) {
      expect(text).toContain(label);
    }
    expect(failure?.attributes.get('message')).toContain('ERR-024 param-names-field: expected 400');
  });

  it.each([
    ['auth.disabled', 'untestable: give keys.disabled'],
    ['resp.cached-tokens', 'not applicable: models: no prompt cache declared'],
    ['chat.metadata-keys', 'waived until 2027-01-31: 17 keys are accepted until the billing labels move out'],
  ])('skips %s with its reason', (id, message) => {
    const [skipped] = elementsOf(testcase(sampleReport(), id), 'skipped');
    expect(skipped?.attributes.get('message')).toBe(message);
  });

  it.each(['lim.refused-at-once', 'chat.top-p-range'])('lets %s pass, with a property', (id) => {
    const element = testcase(sampleReport(), id);
    expect(element.children.filter((child) => typeof child !== 'string').map((child) => child.name)).toEqual([
      'properties',
    ]);
    const names = properties(element).map(([name]) => name);
    expect(names.some((name) => name === 'warn' || name === 'observed')).toBe(true);
  });

  it('is a failure for a run that ended early or judged nothing', () => {
    const [run, ...rest] = suites(emptyReport());
    expect(rest).toEqual([]);
    expect(elementsOf(run ?? readTags('', 'xml'), 'error')[0]?.attributes.get('message')).toContain(
      'unreachable',
    );
    const cut = suites({ ...conformingReport(), exit_code: 130, stopped: 'interrupted' });
    expect(cut.flatMap((suite) => elementsOf(suite, 'error'))).toHaveLength(1);
  });

  it('adds no extra case to a complete run', () => {
    expect(suites(conformingReport()).flatMap((suite) => elementsOf(suite, 'error'))).toEqual([]);
    expect(suites(conformingReport())).toHaveLength(6);
  });

  it.each(hostileTexts)('is well-formed XML without illegal characters with %s everywhere', (_name, text) => {
    const xml = renderJunit(hostileReport(text));
    expect(() => readTags(xml, 'xml')).not.toThrow();
    expect(xml).not.toMatch(/[\ufffe\uffff]/);
  });
});
