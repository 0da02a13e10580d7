import { describe, expect, it } from 'vitest';
import { renderConsole } from './console.ts';
import { hostileReport, hostileTexts } from './hostile-report.ts';
import { conformingReport, emptyReport, sampleReport } from './sample-report.ts';

const plain = { color: false, width: 100 };

describe('renderConsole', () => {
  it('shows a failure in full', () => {
    const text = renderConsole(sampleReport(), plain);
    const block = text.split('\n\n').find((part) => part.startsWith('FAIL  ERR-024')) ?? '';
    const labels = [...block.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, label]) => label);
    expect(labels).toEqual(['aspect', 'expected', 'actual', 'exchange', 'twin', 'input', 'curl', 'replay']);
    expect(block).toContain('Errors, code table (line 425)');
    expect(block).toContain('-> 400 in 12 ms');
  });

  it('keeps a command on one line so that it can be copied', () => {
    const text = renderConsole(sampleReport(), { color: false, width: 60 });
    for (const { failure } of sampleReport().checks) {
      if (failure?.curl)
        expect(text.split('\n').some((line) => line.endsWith(failure.curl ?? ''))).toBe(true);
    }
  });

  it('keeps every other line within the width', () => {
    const lines = renderConsole(sampleReport(), { color: false, width: 72 }).split('\n');
    const long = lines.filter((line) => line.length > 72 && !/^ {2}(curl|replay) /.test(line));
    expect(long.filter((line) => !/ cases, \d+ exchanges/.test(line))).toEqual([]);
  });

  it('gives a warning, an observation and a waiver one line each', () => {
    const lines = renderConsole(sampleReport(), plain).split('\n');
    expect(lines.filter((line) => /^(warning|observed|waived) /.test(line))).toHaveLength(5);
  });

  it('groups untestable checks by the facts they miss', () => {
    expect(renderConsole(sampleReport(), plain)).toContain(
      'untestable  give keys.K2 and upstream.control to unlock 1 check: lim.cap-shared',
    );
  });

  it('ends with the headline and one line of counts', () => {
    const lines = renderConsole(sampleReport(), plain).trimEnd().split('\n');
    expect(lines.at(-1)).toBe(
      '26 passed, 3 failed, 1 error, 2 warnings, 2 observed, 5 untestable, 1 waived, 1 not applicable (374 cases, 704 exchanges, 21.5 s, seed 20261121)',
    );
    expect(lines.slice(-3, -1).join(' ')).toBe(sampleReport().headline);
  });

  it('is two lines when all is well', () => {
    expect(renderConsole(conformingReport(), plain).trimEnd().split('\n')).toHaveLength(2);
  });

  it('says why a run stopped and that nothing ran', () => {
    const text = renderConsole(emptyReport(), plain);
    expect(text).toContain('stopped early: unreachable: connect ECONNREFUSED');
    expect(text).toContain('no check ran');
  });

  it('colours only when asked to, and adds nothing but colour', () => {
    const coloured = renderConsole(sampleReport(), { color: true, width: 100 });
    const esc = String.fromCharCode(27);
    expect(coloured).toContain(`${esc}[31mFAIL${esc}[0m`);
    expect(coloured.replaceAll(new RegExp(`${esc}\\[\\d+m`, 'g'), '').replaceAll(/ +$/gm, '')).toBe(
      renderConsole(sampleReport(), plain),
    );
  });

  it.each(hostileTexts)('lets no terminal sequence or control character through from %s', (_name, text) => {
    const shown = renderConsole(hostileReport(text), plain);
    expect(shown).not.toMatch(/[^\P{Cc}\n]/u);
    expect(shown).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(shown).not.toContain('[31m');
  });
});
