import { readFileSync } from 'node:fs';
import type { Exception } from './outside.ts';

/** The results of one client on one model: for each use, success or the exception that explains the failure. */
export interface Row {
  readonly client: string;
  readonly setting: string;
  readonly model: string;
  readonly path: string;
  readonly cells: Readonly<Record<string, 'can' | Exception>>;
}

/**
 * The page with the results of a run in it. Two of its sections are a run's: the rest is written by hand, and stays.
 *
 * @throws Error for a page without one of the two headings.
 */
export function documentOf(
  page: string,
  rows: readonly Row[],
  uses: readonly string[],
  beyond: readonly string[],
): string {
  const outside = ['| request | answer | why |', '|---|---|---|', ...beyond];
  return withSection(withSection(page, 'Results', resultsOf(rows, uses)), 'Outside the specification', [
    'Requests that clients of the native services may send, and that the specification does not have. The gateway has',
    '[extensions](gateway.md#clients) for four of them:',
    '',
    ...outside,
  ]);
}

function withSection(page: string, heading: string, lines: readonly string[]): string {
  const start = page.indexOf(`\n## ${heading}\n`);
  if (start === -1) throw new Error(`docs/clients.md has no heading "${heading}"`);
  const end = page.indexOf('\n## ', start + 1);
  return `${page.slice(0, start)}\n## ${heading}\n\n${lines.join('\n')}\n${end === -1 ? '' : page.slice(end)}`;
}

function resultsOf(rows: readonly Row[], uses: readonly string[]): string[] {
  const exceptions = rows.flatMap(({ cells }) => Object.values(cells).filter((cell) => cell !== 'can'));
  const reasons = [...new Set(exceptions.map(noteOf))];
  const cellOf = (cell: Row['cells'][string] | undefined): string =>
    cell === undefined ? '' : cell === 'can' ? '✓' : `– (${reasons.indexOf(noteOf(cell)) + 1})`;
  const settings = [...new Map(rows.map((row) => [row.client, row])).values()];
  return [
    '| client | version | setup |',
    '|---|---|---|',
    ...settings.map(({ client, setting }) => `| \`${client}\` | ${versionOf(client)} | \`${setting}\` |`),
    '',
    `| client | path | model | ${uses.join(' | ')} |`,
    `|---|---|---|${uses.map(() => '---|').join('')}`,
    ...rows.map(
      ({ client, path, model, cells }) =>
        `| \`${client}\` | ${path} | ${model} | ${uses.map((use) => cellOf(cells[use])).join(' | ')} |`,
    ),
    '',
    'For a model without image input, *image* means that the client reports the error. *retry* means that client and gateway',
    'together survive an upstream that fails one call.',
    '',
    ...reasons.map((reason, index) => `${index + 1}. ${reason}`),
  ];
}

function noteOf({ client, why }: Exception): string {
  return `\`${client}\` ${why}`;
}

/** The version pinned by the lockfile. */
function versionOf(client: string): string {
  const lock = JSON.parse(readFileSync(new URL('package-lock.json', import.meta.url), 'utf8')) as {
    packages: Record<string, { version: string }>;
  };
  return lock.packages[`node_modules/${client}`]?.version ?? '';
}
