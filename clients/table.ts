import { readFileSync } from 'node:fs';
import type { Exception } from './outside.ts';

/** What one client did on one model: for each use, that it can, or the exception that explains why it cannot. */
export interface Row {
  readonly client: string;
  readonly setting: string;
  readonly model: string;
  readonly path: string;
  readonly cells: Readonly<Record<string, 'can' | Exception>>;
}

/** The document that tells what clients can do. */
export function documentOf(rows: readonly Row[], uses: readonly string[], beyond: readonly string[]): string {
  const reasons = [
    ...new Set(
      rows.flatMap(({ cells }) =>
        Object.values(cells).flatMap((cell) => (cell === 'can' ? [] : [noteOf(cell)])),
      ),
    ),
  ];
  const cellOf = (cell: Row['cells'][string] | undefined): string =>
    cell === undefined ? '' : cell === 'can' ? '✓' : `– (${reasons.indexOf(noteOf(cell)) + 1})`;
  const settings = [...new Map(rows.map((row) => [row.client, row])).values()];
  return `${[
    '# Clients',
    '',
    'What client libraries and an agent loop do with the gateway, unmodified but for address and key. The official clients of the',
    'three protocols are tried by the tests of `suites/stack/`. This page is written by a run:',
    '',
    '    npm --prefix clients ci && npm --prefix clients start',
    '',
    'It fails where the page is not what it saw; with `-- --write` it writes it. `gatecheck watch` stands between them and the',
    'gateway, and has to find nothing.',
    '',
    '| client | version | set it up so |',
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
    'An image on a model that takes none counts where the client tells of the refusal. Retries are those of clients and gateway',
    'together: an upstream is down for one call.',
    '',
    ...reasons.map((reason, index) => `${index + 1}. ${reason}`),
    '',
    '## Outside the specification',
    '',
    'What clients of the native services may send and the specification lacks:',
    '',
    '| request | answer | why |',
    '|---|---|---|',
    ...beyond,
  ].join('\n')}\n`;
}

function noteOf({ client, why }: Exception): string {
  return `\`${client}\` ${why}`;
}

/** As the lockfile pins it. */
function versionOf(client: string): string {
  const lock = JSON.parse(readFileSync(new URL('package-lock.json', import.meta.url), 'utf8')) as {
    packages: Record<string, { version: string }>;
  };
  return lock.packages[`node_modules/${client}`]?.version ?? '';
}
