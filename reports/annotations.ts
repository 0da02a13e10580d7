import { areaName, groupByArea } from './areas.ts';
import { groupByCause, nameOf, sizeOf } from './causes.ts';
import { outcomeOf } from './outcome.ts';
import { clip, oneLine } from './plain-text.ts';
import type { Report } from './report.ts';
import { judgedIn } from './summary.ts';
import { counted, isRed, tallyOf, verdictWords } from './verdict-words.ts';

/** GitHub shows ten annotations of a step and drops the rest. */
const maxAnnotations = 10;
const longestValue = 300;

/**
 * The causes of failed checks as workflow commands of GitHub Actions, one line each, most important first; empty without
 * failures. Format: docs.github.com, Workflow commands.
 */
export function renderAnnotations({ checks }: Report): string {
  const causes = groupByCause(checks.filter(({ verdict }) => isRed(verdict)));
  return causes
    .slice(0, maxAnnotations)
    .map((cause) => {
      const { failure, verdict, evidence } = cause.representative;
      const size = sizeOf(cause) === 1 ? '1 check' : `${sizeOf(cause)} checks`;
      const text =
        failure === undefined
          ? (evidence.notes[0] ?? verdict)
          : `${failure.statement}\nexpected: ${failure.expected}\nactual: ${failure.actual}\nreplay: ${failure.replay}`;
      const lines = text.split('\n').map((line) => clip(oneLine(line), longestValue));
      return `::error title=${property(oneLine(`${nameOf(cause)} (${size})`))}::${data(lines.join('\n'))}\n`;
    })
    .join('');
}

/** Every check by area, with verdict and id, as collapsible groups in a GitHub Actions log. */
export function renderGroups({ checks }: Report): string {
  return groupByArea(checks)
    .map(([area, own]) => {
      const counts = tallyOf(own).map(([verdict, count]) => counted(verdict, count));
      const lines = own.map(
        ({ id, verdict }) => `${verdictWords[verdict].label.padEnd(14)} ${oneLine(id)}\n`,
      );
      return `::group::${data(oneLine(`${areaName(area)}: ${counts.join(', ')}`))}\n${lines.join('')}::endgroup::\n`;
    })
    .join('');
}

/**
 * The outputs of a GitHub Actions step, one `name=value` a line. Steps paste them into shell lines, so values are counts or
 * words of letters, digits and `.-_`.
 */
export function renderOutputs(report: Report): string {
  const { checks, summary } = report;
  const causes = groupByCause(checks.filter(({ verdict }) => isRed(verdict))).map((cause) =>
    nameOf(cause).replaceAll(/[^\w. -]/g, '_'),
  );
  const outputs = {
    ...{ verdict: outcomeOf(report), passed: summary.passed, failed: summary.failed },
    ...{ judged: judgedIn(summary), selected: checks.length, waived: summary.waived },
    causes: causes.join(','),
  };
  return Object.entries(outputs)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
