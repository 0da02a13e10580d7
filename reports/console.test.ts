import { describe, expect, it } from 'vitest';
import { renderConsole } from './console.ts';
import { hostileReport, hostileTexts } from './testing/hostile-report.ts';
import { conformingReport, emptyReport, sampleReport } from './testing/sample-report.ts';

const plain = { color: false, width: 100 };

describe('renderConsole', () => {
  it('shows a failure in full', () => {
    const text = renderConsole(sampleReport(), plain);
    const block = text.split('\n\n').find((part) => part.startsWith('FAIL  ERR-024')) ?? '';
    const labels = [...block.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, label]) => label);
    const facts = ['aspect', 'request', 'value', 'expected', 'actual'];
    expect(labels).toEqual([...facts, 'sent', 'got', 'twin', 'input', 'curl', 'replay']);
    expect(block).toContain('\n  value       temperature = 2.01 (its twin: 2)\n');
    expect(block).toContain('Errors, code table (line 425)');
    expect(block).toContain('-> 400 in 12 ms');
  });

  it('shows a cause once, with the checks that failed by it and their differences', () => {
    const text = renderConsole(sampleReport(), plain);
    expect(text.match(/param-names-field$/gm)).toHaveLength(2);
    const block = text.split('\n\n').find((part) => part.startsWith('FAIL  ERR-024')) ?? '';
    expect(block.split('\n')[0]).toBe(
      'FAIL  ERR-024  3 checks fail for this; clearest in err.param-names-field',
    );
    expect(block.split('\n').slice(-3)).toEqual([
      '  also red    chat.temperature-range',
      '              chat.tool-choice: 400 invalid_param with error.param "tools"',
      '              (replay each with its name in place of err.param-names-field)',
    ]);
  });

  it('names five other checks of a cause and counts the rest', () => {
    const report = sampleReport();
    const failure = report.checks.find((check) => check.id === 'lim.slot-freed')?.failure;
    const replay = failure?.replay ?? '';
    for (const check of report.checks) {
      const own = { ...failure, replay: replay.replace('lim.slot-freed', check.id) };
      Object.assign(check, { verdict: 'fail', failure: own });
    }
    const text = renderConsole(report, plain);
    expect(text).toContain('41 checks fail for this; clearest in lim.slot-freed');
    expect(text.replace(/\s+/g, ' ')).toContain(
      'also red auth.bearer, auth.missing, auth.malformed, auth.disabled, auth.expired and 35 more',
    );
  });

  it('shows the whole replay line of a check if it differs in more than the id', () => {
    const report = sampleReport();
    const failure = report.checks.find((check) => check.id === 'chat.tool-choice')?.failure;
    Object.assign(failure ?? {}, { replay: 'npx gatecheck run --only chat.tool-choice --path 3:1' });
    expect(renderConsole(report, plain)).toContain(
      '\n  replay      npx gatecheck run --only chat.tool-choice --path 3:1\n',
    );
  });

  it('does not quote a rule against the target when the check itself broke', () => {
    const report = sampleReport();
    const broken = report.checks.find((check) => check.id === 'lim.slot-freed');
    Object.assign(broken ?? {}, { verdict: 'harness-error' });
    const block = renderConsole(report, plain)
      .split('\n\n')
      .find((part) => part.startsWith('ERROR  lim.slot-freed'));
    expect(block).toContain('says nothing about the target');
    expect(block).not.toContain('LIM-004');
  });

  it('says near the end how many causes there are, in the order of the blocks', () => {
    expect(renderConsole(sampleReport(), plain).replace(/\s+/g, ' ')).toContain(
      '3 causes in 5 failed checks, 1 cause in 1 error: LIM-004 slot-freed-after-disconnect (1), SSE-004 first-delta-before-last (1), ERR-024 param-names-field (3), sse.usage-last (1) 5 of 41',
    );
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
    const long = lines.filter(
      (line) => line.length > 72 && !/^ {2}(request|value|expected|actual|twin|curl|replay) /.test(line),
    );
    expect(long.filter((line) => !/ cases, \d+ exchanges/.test(line))).toEqual([]);
  });

  it('gives a warning, an observation and a waiver one line each', () => {
    const lines = renderConsole(sampleReport(), plain).split('\n');
    expect(lines.filter((line) => /^(warning|observed|waived) /.test(line))).toHaveLength(5);
  });

  it('groups untestable checks by the facts they miss', () => {
    expect(renderConsole(sampleReport(), plain)).toContain(
      'untestable  declare keys.K2 and upstream.control to run 1 more check: lim.cap-shared',
    );
  });

  it('names the rules of the selected areas that no check covers', () => {
    const text = renderConsole(sampleReport(), plain);
    expect(text).toContain('\nnot covered cannot be observed over HTTP (1): EP-001\n');
    expect(text).toMatch(/^not covered no check yet \(7\): HOOK-001, HOOK-002, /m);
  });

  it('reports what the run sent and what is charged', () => {
    const spent = { exchanges: 90, paid: 12, tokens: 345, usd: '0.0067' };
    expect(renderConsole({ ...sampleReport(), spent }, plain)).toContain(
      '\npaid: 12 of 90 requests, 345 tokens, $0.0067\n',
    );
    const dear = { ...spent, usd: '53.838553717358', is_simulated: true as const };
    expect(renderConsole({ ...sampleReport(), spent: dear }, plain)).toContain(', $53.84 (simulated)\n');
    expect(renderConsole({ ...sampleReport(), spent: { ...spent, usd: null } }, plain)).toContain(
      'paid: 12 of 90 requests, 345 tokens\n',
    );
  });

  it('ends with the headline and one line of counts', () => {
    const lines = renderConsole(sampleReport(), plain).trimEnd().split('\n');
    expect(lines.at(-1)).toBe(
      '24 passed, 5 failed, 1 error, 2 warnings, 2 observed, 5 untestable, 1 waived, 1 not applicable (374 cases, 704 exchanges, 21.5 s, seed 20261121)',
    );
    expect(lines.slice(-3, -1).join(' ')).toBe(sampleReport().headline);
  });

  it('is two lines if everything passed and every rule has its check', () => {
    expect(
      renderConsole({ ...conformingReport(), not_covered: [] }, plain)
        .trimEnd()
        .split('\n'),
    ).toHaveLength(2);
  });

  it('reports why a run stopped before any check', () => {
    const text = renderConsole(emptyReport(), plain);
    expect(text).toContain('stopped early: unreachable: connect ECONNREFUSED');
    expect(text).toContain('no check ran');
  });

  it('uses colours only on request, and adds nothing but colour', () => {
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
