import { describe, expect, it } from 'vitest';
import { sampleDrill } from '../testing/sample-drill.ts';
import { compareDrills, renderDrillComparison } from './drill-comparison.ts';
import { renderDrill } from './page.ts';

describe('the page of a drill', () => {
  const page = renderDrill(sampleDrill());

  it('loads nothing and runs nothing', () => {
    expect(page).toContain('default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;');
    expect(page).not.toMatch(/<script|<link|<img|https?:\/\/(?!127\.0\.0\.1:1\b)/);
  });

  it('draws calls, times, requests and channels with the phases behind them', () => {
    expect(page.match(/<svg /g)).toHaveLength(4);
    expect(page.match(/class="bar-ok"/g)?.length).toBe(90);
    expect(page.match(/class="bar-alone"/g)).toHaveLength(1);
    expect(page.match(/>down<\/text>/g)).toHaveLength(4);
    expect(page).toContain('class="line p99"');
    expect(page).toContain('class="well"');
    expect(page).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('shows a reason for what is not measured, and a time without an end as never', () => {
    const { measures } = sampleDrill();
    const report = sampleDrill({
      measures: {
        ...measures,
        open: { value: 'never', why: null },
        probe: { value: null, why: 'no breaker' },
      },
    });
    const shown = renderDrill(report);
    expect(shown).toContain('<td>never</td>');
    expect(shown).toContain('not measured: no breaker');
  });

  it('escapes every text', () => {
    const evil = '<img src=x onerror=alert(1)>"\'';
    const shown = renderDrill(
      sampleDrill({
        headline: evil,
        scenario: { name: evil, description: evil },
        codes: [{ code: evil, calls: 1 }],
        phases: [{ name: evil, channels: evil, from_s: 0, until_s: 30 }],
        examples: [{ at_s: 1, what: evil, detail: evil }],
      }),
    );
    expect(shown).not.toContain('<img');
  });

  it('renders an empty drill without errors', () => {
    const empty = sampleDrill({ bins: [], channels: [], phases: [], codes: [], calls: 0, well_from_s: null });
    expect(renderDrill(empty)).not.toMatch(/NaN|Infinity/);
  });
});

describe('two drills', () => {
  const { measures } = sampleDrill();
  const better = sampleDrill({
    measures: { ...measures, availability: { value: 99.9, why: null }, p99: { value: 'never', why: null } },
    thresholds: [{ text: 'availability >= 99.5 %', measure: 'availability', holds: true, seen: '99.9 %' }],
    rate: 6,
  });

  it('are compared by figure and threshold', () => {
    const comparison = compareDrills(sampleDrill(), better);
    const row = (name: string): unknown => comparison.rows.find(({ measure }) => measure === name)?.change;
    expect([row('availability'), row('p99'), row('wrong')]).toEqual(['better', 'worse', 'same']);
    expect(comparison).toMatchObject({ worse: [], better: ['availability >= 99.5 %'] });
    expect(compareDrills(better, sampleDrill()).worse).toEqual(['availability >= 99.5 %']);
  });

  it('are reported as different where they differ', () => {
    const text = renderDrillComparison(compareDrills(sampleDrill(), better));
    expect(text).toContain('The two differ in: rate 5 and 6');
    expect(text).toMatch(/^availability +2 % +99.9 % +better$/m);
    expect(text).toContain('Holds now: availability >= 99.5 %');
  });
});
