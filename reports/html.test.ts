import { createHash } from 'node:crypto';
import { Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { script, scriptHash } from './html/script.ts';
import { renderHtml } from './html.ts';
import type { Report } from './report.ts';
import { hostileReport, hostileTexts } from './testing/hostile-report.ts';
import { conformingReport, emptyReport, sampleReport } from './testing/sample-report.ts';
import { type Element, elementsOf, readTags, textOf } from './testing/tag-tree.ts';

function page(report: Report): Element {
  return readTags(renderHtml(report), 'html');
}

function part(root: Element, id: string): Element | undefined {
  return elementsOf(root, 'section').find((element) => element.attributes.get('id') === id);
}

function all(root: Element): Element[] {
  return root.children.flatMap((child) => (typeof child === 'string' ? [] : [child, ...all(child)]));
}

describe('renderHtml', () => {
  it('orders failures, warnings, untestable, all checks, matrix, requirements, and what is not covered', () => {
    const ids = elementsOf(page(sampleReport()), 'section').map((element) => element.attributes.get('id'));
    expect(ids.filter((id) => id !== undefined)).toEqual([
      'failures',
      'warnings',
      'untestable',
      'checks',
      'matrix',
      'requirements',
      'not-covered',
    ]);
  });

  it('shows each rule at the places where it was judged, with links to the failures there', () => {
    const report = sampleReport();
    const matrix = part(page(report), 'matrix') ?? page(report);
    const row = (id: string): Element[] =>
      elementsOf(matrix, 'tr').filter((one) => textOf(one).startsWith(`${id} `));
    expect(row('SSE-004').map(textOf)).toEqual([expect.stringMatching(/^SSE-004 ✕ .*· 4✕ 2$/)]);
    const links = row('SSE-004').flatMap((one) => elementsOf(one, 'a'));
    expect(links.map(({ attributes }) => attributes.get('href'))).toEqual([
      '#requirement-SSE-004',
      '#failure-sse.unbuffered',
    ]);
    expect(row('AUTH-008')).toEqual([]);
  });

  it('has a header with target, result and the line to repeat the run', () => {
    const report = sampleReport();
    const [header] = elementsOf(page(report), 'header');
    const text = header === undefined ? '' : textOf(header);
    const facts = ['Not conforming', 'staging-eu', report.target.base_url, '20261121', 'quick', '21.5 s'];
    for (const fact of [...facts, report.headline, report.command]) expect(text).toContain(fact);
    expect(header?.attributes.get('class')).toContain('is-fail');
  });

  it('shows every count of the summary in a tile', () => {
    const report = sampleReport();
    const tiles = elementsOf(page(report), 'ul').find((list) => list.attributes.get('class') === 'tiles');
    const counts = elementsOf(tiles ?? page(report), 'b').map((element) =>
      Number.parseInt(textOf(element), 10),
    );
    expect(counts.toSorted()).toEqual(Object.values(report.summary).toSorted());
  });

  it('gives each cause a card with everything needed to reproduce it', () => {
    const report = sampleReport();
    const cards = elementsOf(page(report), 'article').map(textOf);
    const shown = ['err.param-names-field', 'sse.unbuffered', 'lim.slot-freed'];
    const failed = report.checks.filter((check) => shown.includes(check.id));
    expect(cards).toHaveLength(4);
    for (const { failure } of failed) {
      const card = cards.find((text) => text.includes(failure?.aspect ?? '')) ?? '';
      const parts = [failure?.requirement, failure?.statement, failure?.section, failure?.expected];
      for (const text of [...parts, failure?.actual, failure?.replay]) expect(card).toContain(text);
      for (const text of [failure?.curl, failure?.upstream, failure?.input])
        expect(card).toContain(text ?? '');
      expect(card).toContain(failure?.exchange?.request.url);
    }
  });

  it('shows the number of causes above the failures, and lists them with their checks', () => {
    const failures = part(page(sampleReport()), 'failures') ?? page(sampleReport());
    expect(elementsOf(failures, 'h2').map(textOf)).toEqual([
      '3 causes in 5 failed checks, 1 cause in 1 error',
    ]);
    const index = elementsOf(failures, 'ol').flatMap((list) => elementsOf(list, 'li').map(textOf));
    expect(index.map((line) => line.slice(-8))).toEqual(
      ['1 check', '1 check', '3 checks', '1 check'].map((text) => expect.stringContaining(text)),
    );
    expect(index[2]).toMatch(/^ERR-024A missing, .+Got: 400 invalid_param with error.param null3 checks$/);
  });

  it('folds the other checks of a cause under its card, each with its replay line and differences', () => {
    const card = elementsOf(page(sampleReport()), 'article').find((one) => textOf(one).includes('ERR-024'));
    const folded = elementsOf(card ?? page(sampleReport()), 'details').find(
      ({ attributes }) => attributes.get('class') === 'others',
    );
    expect(folded?.attributes.has('open')).toBe(false);
    const rows = elementsOf(folded ?? page(sampleReport()), 'li');
    expect(rows.map(({ attributes }) => attributes.get('id'))).toEqual([
      'failure-chat.temperature-range',
      'failure-chat.tool-choice',
    ]);
    const [same, differing] = rows.map(textOf);
    expect(same).toContain('--only chat.temperature-range --seed');
    expect(same).not.toContain('Actual');
    expect(differing).toContain('--only chat.tool-choice --seed');
    expect(differing).toContain('Expected400 invalid_param with error.param "tool_choice"');
    expect(differing).toContain('Actual400 invalid_param with error.param "tools"');
  });

  it('shows a warning of many checks once', () => {
    const report = sampleReport();
    const again = structuredClone(report.checks.find((check) => check.id === 'err.repeatable'));
    if (again !== undefined) report.checks.push({ ...again, id: 'err.repeatable-too' });
    const titles = elementsOf(part(page(report), 'warnings') ?? page(report), 'summary').map(textOf);
    const [warning = '', folded] = titles.filter((title) => /1 more check/.test(title));
    expect(warning).toContain('The same invalid request gets the same code every time');
    expect(folded).toBe('1 more check with this warning');
  });

  it('marks the lines of the failing request that its positive twin does not have', () => {
    const marks = elementsOf(page(sampleReport()), 'mark').map(textOf);
    expect(marks).toContain('  "temperature": 2.01,');
    expect(marks).not.toContain('  "max_tokens": 16');
  });

  it('groups untestable checks by the facts that would unlock them', () => {
    const report = sampleReport();
    for (const check of report.checks)
      if (check.verdict === 'untestable') check.evidence.missing = ['keys.K2'];
    const titles = elementsOf(part(page(report), 'untestable') ?? page(report), 'h3').map(textOf);
    expect(titles).toEqual(['Declare keys.K2 to run 5 more checks']);
  });

  it('distinguishes requirements that have no check yet from those that none can cover', () => {
    const report = sampleReport();
    const section = part(page(report), 'not-covered') ?? page(report);
    expect(elementsOf(section, 'summary').map(textOf)).toEqual([
      'No check covers these rows yet7 rows',
      'These rows cannot be observed over HTTP1 row',
    ]);
    expect(textOf(section)).toContain(
      '7 rows of the register have no check yet. 1 row cannot be observed over HTTP.',
    );
  });

  it('has a target for every internal link, and unique ids', () => {
    const elements = all(page(sampleReport()));
    const ids = elements.flatMap((element) => element.attributes.get('id') ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    const targets = elements.flatMap((element) => element.attributes.get('href')?.slice(1) ?? []);
    expect(targets.length).toBeGreaterThan(100);
    const covered = new Set(sampleReport().requirements.map((row) => `requirement-${row.id}`));
    const known = (id: string): boolean =>
      ids.includes(id) || (id.startsWith('requirement-') && !covered.has(id));
    expect(targets.filter((id) => !known(id))).toEqual([]);
  });

  it('has one first-level heading and skips no level', () => {
    const levels = all(page(sampleReport()))
      .flatMap(({ name }) => /^h([1-6])$/.exec(name)?.[1] ?? [])
      .map(Number);
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    const main = levels.slice(levels.indexOf(1));
    main.forEach((level, index) => {
      if (index > 0 && main[index - 1] !== 1) expect(level - (main[index - 1] ?? 0)).toBeLessThanOrEqual(1);
    });
  });

  it('loads nothing: no source, no foreign link, and a policy that allows only its own script', () => {
    const text = renderHtml(sampleReport());
    const elements = all(readTags(text, 'html'));
    expect(elements.filter(({ attributes }) => attributes.has('src'))).toEqual([]);
    expect(
      elements
        .flatMap(({ attributes }) => attributes.get('href') ?? [])
        .every((href) => href.startsWith('#')),
    ).toBe(true);
    expect(text).not.toMatch(/url\(|@import/);
    expect(text).toContain(`default-src 'none'`.replaceAll("'", '&#39;'));
    expect(scriptHash).toBe(`sha256-${createHash('sha256').update(script).digest('base64')}`);
  });

  it('has a script that parses, and is readable without it', () => {
    expect(() => new Script(script)).not.toThrow();
    const hidden = all(page(sampleReport())).filter(({ attributes }) => attributes.has('hidden'));
    expect(hidden.map(({ name }) => name)).toEqual(['form']);
  });

  it.each(hostileTexts)('stays one well-formed page with hostile text everywhere: %s', (_name, text) => {
    const elements = all(page(hostileReport(text)));
    const names = new Set(elements.map(({ name }) => name));
    expect(names.has('img') || names.has('svg')).toBe(false);
    expect(elements.filter(({ name }) => name === 'script')).toHaveLength(1);
    const handlers = elements.flatMap(({ attributes }) =>
      [...attributes.keys()].filter((key) => /^on/.test(key)),
    );
    expect(handlers).toEqual([]);
  });

  it('shows hostile text as text', () => {
    const [title] = elementsOf(page(hostileReport(hostileTexts[0]?.[1] ?? '')), 'h1');
    expect(title === undefined ? '' : textOf(title)).toBe(hostileTexts[0]?.[1]);
  });

  it('makes control and direction characters visible instead of applying them', () => {
    const text = renderHtml(hostileReport(`${String.fromCharCode(27)}[31m \u202egnp.exe`));
    expect(text).toContain('␛[31m [U+202E]gnp.exe');
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  });

  it('cuts a huge body and says by how much', () => {
    const report = sampleReport();
    const failed = report.checks.find((check) => check.id === 'sse.unbuffered');
    const response = failed?.failure?.exchange?.response;
    if (response) response.body = 'y'.repeat(3_000_000);
    const text = renderHtml(report);
    expect(text.length).toBeLessThan(300_000);
    expect(text).toContain('cut here: 2983616 more characters');
  });

  it('reports that no check ran, and why the run stopped', () => {
    const text = textOf(page(emptyReport()));
    expect(text).toContain('No check ran');
    expect(text).toContain('Not judged');
    expect(text).toContain('The run stopped early: unreachable: connect ECONNREFUSED');
  });

  it('shows an interrupted run as interrupted, unless a check had failed before', () => {
    const interrupted = { exit_code: 130, stopped: 'interrupted' };
    expect(textOf(page({ ...conformingReport(), ...interrupted }))).toContain('Interrupted');
    const red = textOf(page({ ...sampleReport(), ...interrupted }));
    expect(red).toContain('Not conforming');
    expect(red).toContain('The run stopped early: interrupted');
  });

  it('is green without cards if everything passed', () => {
    const root = page(conformingReport());
    expect(elementsOf(root, 'header')[0]?.attributes.get('class')).toContain('is-pass');
    expect(elementsOf(root, 'article')).toEqual([]);
    expect(textOf(root)).toContain('No check failed.');
  });
});
