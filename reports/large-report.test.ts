import { expect, it } from 'vitest';
import { renderHtml } from './html.ts';
import type { CheckResult, Failure, ReportedExchange } from './report.ts';
import { summarize } from './summary.ts';
import { sampleReport } from './testing/sample-report.ts';
import { elementsOf, readTags } from './testing/tag-tree.ts';

const text = (length: number): string => 'ü<"& {'.repeat(Math.ceil(length / 6)).slice(0, length);
const sample = sampleReport();
const broken = sample.checks.find(({ id }) => id === 'sse.unbuffered');
const [rule] = sample.requirements;
if (broken?.failure === undefined || rule === undefined) throw new TypeError('the sample has failures');
const known = broken.failure;

/** An exchange of the maximum length that a report keeps. */
function exchange(): ReportedExchange | null {
  const { exchange: one } = known;
  if (one?.response == null) throw new TypeError('the sample has an answer');
  const headers = Array.from({ length: 20 }, (_, at): [string, string] => [`x-${at}`, text(120)]);
  return {
    ...one,
    request: { ...one.request, headers, body: text(4_096) },
    response: { ...one.response, headers, body: text(4_096) },
  };
}

function failure(check: number, nth: number): Failure {
  const { timeline } = known;
  const lane = {
    rows: (timeline?.client.rows ?? []).flatMap((row) =>
      Array<typeof row>(12).fill({ ...row, request: text(700), answer: text(700) }),
    ),
  };
  return {
    ...known,
    ...{ requirement: `AREA-${check}`, aspect: `aspect-${nth}`, seen_in: `core, family-${nth % 4}` },
    ...{
      expected: text(2_000),
      actual: text(2_000),
      upstream: text(2_000),
      input: text(4_096),
      curl: text(6_000),
    },
    ...{ exchange: exchange(), twin: exchange() },
    ...(timeline !== undefined && {
      timeline: { ...timeline, client: lane, upstream: lane, receiver: lane },
    }),
  };
}

/** A gateway that does everything wrong: each check fails in several ways, with long bodies everywhere. */
function wreck(checks: number): ReturnType<typeof sampleReport> {
  const results = Array.from(
    { length: checks },
    (_, at): CheckResult => ({
      ...(broken as CheckResult),
      ...{
        id: `area.${at}`,
        failure: failure(at, 0),
        also: Array.from({ length: 6 }, (_, nth) => failure(at, nth + 1)),
      },
    }),
  );
  const requirements = results.map((check, at) => ({
    ...(rule as typeof rule & object),
    id: `AREA-${at}`,
    verdict: 'fail' as const,
    reason: text(2_000),
    checks: [check.id],
  }));
  return { ...sample, checks: results, requirements, summary: summarize(results) };
}

it('stays below 5 MB with hundreds of failures and large bodies, and states what it omits', {
  timeout: 120_000,
}, () => {
  const page = renderHtml(wreck(500));
  expect(Buffer.byteLength(page)).toBeLessThan(5_000_000);
  expect(page).toMatch(
    /To keep this page small, .* without timelines, .* in short, \d+ by the names of their checks alone/,
  );
  expect(page).toContain('3250 more causes are not in this list.');
});

it('keeps a target for every link within the page', { timeout: 120_000 }, () => {
  const root = readTags(renderHtml(wreck(60)), 'html');
  const all = (name: string): string[] =>
    elementsOf(root, name).flatMap(({ attributes }) => attributes.get('id') ?? []);
  const ids = new Set(['article', 'li', 'div', 'tr', 'details', 'section'].flatMap(all));
  const links = elementsOf(root, 'a').flatMap(({ attributes }) => attributes.get('href') ?? []);
  const dead = links.filter((href) => /^#(?:check|failure)-/.test(href) && !ids.has(href.slice(1)));
  expect([...new Set(dead)]).toEqual([]);
});
