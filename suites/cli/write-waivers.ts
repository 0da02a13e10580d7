import { writeFileSync } from 'node:fs';
import type { Report, Waiver } from 'gatecheck-reports/report';
import { stringify } from 'yaml';

/** What a person says about the waivers of a run. */
export interface WaiverWords {
  readonly waiverReason?: string;
  readonly waiverOwner?: string;
  /** ISO date. */
  readonly waiverUntil?: string;
}

const header = `# A waiver for each check that failed, to be moved into the profile. Each needs a reason that a reader
# understands; one that is past its day, or whose check passes, ends a run with 5.
`;

/** A waiver for each failed check of the report, besides those that the profile has. */
export function waiversFor({ checks, waivers = [] }: Report, words: WaiverWords): Waiver[] {
  const { waiverReason: reason, waiverOwner: owner, waiverUntil: until } = words;
  const failed = checks.filter(({ verdict }) => verdict === 'fail');
  return [
    ...waivers,
    ...failed.map(({ id, failure }) => ({
      id,
      reason: reason ?? `${failure?.requirement} ${failure?.aspect}: say why this is accepted`,
      ...(owner !== undefined && { owner }),
      ...(until !== undefined && { until }),
    })),
  ];
}

/** Writes the waivers as the part of a profile that they belong to. */
export function writeWaivers(report: Report, file: string, words: WaiverWords): void {
  writeFileSync(file, header + stringify({ waivers: waiversFor(report, words) }, { lineWidth: 120 }));
}
