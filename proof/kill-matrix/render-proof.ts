import type { Proof } from './proof.ts';

/** A proof as one line. */
export function headlineOf(proof: Proof): string {
  const { checks, mutants, variants, gaps } = proof;
  const killed = mutants.filter((mutant) => mutant.named_reason).length;
  const proven = checks.filter((check) => check.killed.length > 0).length;
  const quiet = variants.filter((variant) => variant.alarms.length === 0).length;
  const counts = `${proven} of ${checks.length} checks proved, ${killed} of ${mutants.length} mutants killed for the named reason, ${quiet} of ${variants.length} variants without a false alarm`;
  if (proof.interrupted) return `Interrupted: ${counts}.`;
  return proof.whole
    ? `The matrix is whole: ${counts}.`
    : `The matrix has ${gaps.length} ${gaps.length === 1 ? 'gap' : 'gaps'}: ${counts}.`;
}

/** The proof for a terminal: the headline and what is missing. */
export function renderProofText(proof: Proof): string {
  const seconds = Math.round(proof.duration_ms / 1000);
  const lines = [
    ...proof.unsteady.map((text) => `  ? unsteady: ${text}`),
    ...proof.gaps.map((gap) => `  - ${gap}`),
  ];
  return [...lines, `${headlineOf(proof)} (${proof.size}, seed ${proof.seed}, ${seconds} s)`, ''].join('\n');
}

/** The proof as a document: gaps, then the kills, then the variants. */
export function renderProofMarkdown(proof: Proof): string {
  return [
    '# Proof of the checks',
    '',
    `${headlineOf(proof)} ${proof.size}, seed ${proof.seed}, ${proof.started_at}.`,
    ...section(
      'Gaps',
      proof.gaps.map((gap) => `- ${gap}`),
    ),
    ...section(
      'Unsteady',
      proof.unsteady.map((text) => `- ${text}`),
    ),
    ...section('Checks and the mutants that turn them red', [
      '| Check | Mutants |',
      '|---|---|',
      ...proof.checks.map((check) => `| ${check.id} | ${check.killed.join(', ') || '**none**'} |`),
    ]),
    ...section('Mutants', [
      '| Mutant | Defect | Breaks | Kind | Killed by |',
      '|---|---|---|---|---|',
      ...proof.mutants.map(
        (one) =>
          `| ${one.id} | ${cell(one.title)} | ${one.requirement} ${one.aspect} | ${one.kind} | ${one.killed_by.join(', ') || (one.fault === null ? '**none**' : 'not run')} |`,
      ),
    ]),
    ...section('Variants', [
      '| Variant | Difference | Checks | False alarms |',
      '|---|---|---|---|',
      ...proof.variants.map(
        (one) =>
          `| ${one.id} | ${cell(one.title)} | ${one.judged_by.length} | ${one.false_alarms.join(', ') || 'none'} |`,
      ),
    ]),
    '',
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines];
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
