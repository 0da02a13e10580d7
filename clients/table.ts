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

/** The page with the results of all clients. */
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
    'These client libraries work with the gateway after you set address and key. The official clients of the three protocols have',
    'tests in `suites/stack/`. A run writes this page:',
    '',
    '    npm --prefix clients ci && npm --prefix clients start',
    '',
    'It fails when the page differs from what it saw. Add `-- --write` to renew the page. `gatecheck watch` judges the traffic',
    'meanwhile, and must find nothing.',
    '',
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
    '',
    '## Other languages',
    '',
    'Tried by hand, against this gateway, on 29 November 2026: text, stream, usage, a tool call and a typed error. All five work.',
    '',
    '| client | version | protocol | setup |',
    '|---|---|---|---|',
    '| `com.anthropic:anthropic-java` | 3.14.0 | compat A | `AnthropicOkHttpClient.builder().baseUrl(gateway + "/compat-a").apiKey(key).putHeader("x-api-key", key)` (1) |',
    '| `litellm`, Python | 1.106.12 | core | `completion("openai/" + model, api_base=gateway + "/api/v1", api_key=key)` |',
    '| `litellm`, Python | 1.106.12 | compat A | `completion("anthropic/" + model, api_base=gateway + "/compat-a/v1/messages", api_key=key)` |',
    '| `litellm`, Python | 1.106.12 | compat B | `completion("gemini/" + model, api_base=gateway + "/compat-b/v1beta", api_key=key)` |',
    '',
    '1. Its `apiKey` goes into `Authorization` alone, which compat A does not read.',
    '',
    '## Outside the specification',
    '',
    'Requests that clients of the native services may send, and that the specification does not have:',
    '',
    '| request | answer | why |',
    '|---|---|---|',
    ...beyond,
  ].join('\n')}\n`;
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
