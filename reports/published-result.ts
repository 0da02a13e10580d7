import type { Report } from './report.ts';

/** What is published of the judgement of one deployment: figures of each named part, and no total. */
export interface PublishedResult {
  readonly implementation: string;
  /** The exact version that was judged. */
  readonly version: string;
  readonly suite: { readonly version: string; readonly check_ids: string };
  readonly seed: number;
  readonly size: string;
  /** ISO date, and the last day on which the row says anything. */
  readonly judged_on: string;
  readonly expires_on: string;
  readonly parts: readonly PartResult[];
}

interface PartResult {
  readonly name: string;
  readonly passed: number;
  readonly judged: number;
  /** Rules that apply. The rest of them was not judged, which is no failure. */
  readonly rules: number;
  readonly waived: number;
}

/** How long a result is shown as current, days. */
const validDays = 180;

export interface ResultFacts {
  readonly implementation: string;
  readonly version: string;
  /** The digest of the ids of all checks of the suite. */
  readonly checkIds: string;
}

/** The row of a report. Parts of which no rule was judged are left out. */
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

/** A part in few words: `core-chat 118/121 · 2 waived`. */
export function badgeOf({ name, passed, judged, waived }: PartResult): string {
  return `${name} ${passed}/${judged}${waived === 0 ? '' : ` · ${waived} waived`}`;
}

/** The table of `docs/results.md`, one row a deployment. */
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
