import type { Report } from './report.ts';

/** The published result of one deployment: figures of each named part, and no total. */
export interface PublishedResult {
  readonly implementation: string;
  /** The exact version that was judged. */
  readonly version: string;
  readonly suite: { readonly version: string; readonly check_ids: string };
  readonly seed: number;
  readonly size: string;
  /** ISO dates: of the run, and the last day on which the result is valid. */
  readonly judged_on: string;
  readonly expires_on: string;
  readonly parts: readonly PartResult[];
}

interface PartResult {
  readonly name: string;
  readonly passed: number;
  readonly judged: number;
  /** Number of rules that apply. Rules that were not judged do not count as failures. */
  readonly rules: number;
  readonly waived: number;
}

/** How long a result is shown as current, days. */
const validDays = 180;

export interface ResultFacts {
  readonly implementation: string;
  readonly version: string;
  /** The digest of all check ids of the suite. */
  readonly checkIds: string;
}

/** The row for a report. Parts without a judged rule are omitted. */
export function resultOf(
  report: Report,
  { implementation, version, checkIds }: ResultFacts,
): PublishedResult {
  const judgedOn = new Date(report.started_at);
  const expiresOn = new Date(judgedOn.getTime() + validDays * 86_400_000);
  const [on, until] = [judgedOn, expiresOn].map((date) => date.toISOString().slice(0, 10));
  return {
    ...{ implementation, version },
    suite: { version: report.versions.gatecheck, check_ids: checkIds },
    ...{ seed: report.seed, size: report.size, judged_on: on ?? '', expires_on: until ?? '' },
    parts: (report.profiles ?? []).flatMap(({ name, areas = [], rules, judged, failed }) => {
      const waived = report.requirements.filter(
        ({ area, verdict }) => verdict === 'waived' && areas.includes(area),
      ).length;
      return judged === 0 ? [] : [{ name, passed: judged - failed - waived, judged, rules, waived }];
    }),
  };
}

/** A short summary of a part: `core-chat 118/121 · 2 waived`. */
export function badgeOf({ name, passed, judged, waived }: PartResult): string {
  return `${name} ${passed}/${judged}${waived === 0 ? '' : ` · ${waived} waived`}`;
}

/** The table of `docs/results.md`, one row per deployment. */
export function tableOf(results: readonly (PublishedResult & { readonly folder: string })[]): string {
  const rows = results.map(({ folder, implementation, version, parts, ...one }) => {
    const figures = parts.map(
      (part) =>
        `${badgeOf(part)}${part.judged < part.rules ? `, ${part.rules - part.judged} not judged` : ''}`,
    );
    return `| [${implementation} ${version}](../results/${folder}/setup.md) | ${figures.join('<br>')} | ${one.suite.version}, ${one.size}, seed ${one.seed} | ${one.judged_on} to ${one.expires_on} |`;
  });
  return ['| deployment | rules passed of judged | suite | valid |', '|---|---|---|---|', ...rows].join('\n');
}
