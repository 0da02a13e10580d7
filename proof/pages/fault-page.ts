import { readFileSync } from 'node:fs';
import { allFaultFacts } from '../../simulators/fault-contract/known-faults.ts';
import { tableOf } from './table-of.ts';

/** The facts of a fault that the page shows. */
interface Fault {
  readonly id: string;
  readonly name: string;
  readonly cause: string;
  readonly dialects?: readonly string[];
  readonly forms?: readonly string[];
}

const groups = [
  ['transport', 'Connections and HTTP framing (T)'],
  ['http2', 'HTTP/2 (T)'],
  ['status', 'Statuses and refusals (H)'],
  ['protocol', 'Encodings and JSON (P)'],
  ['stream', 'Events of a stream (S)'],
  ['semantic', 'Content of well-formed answers (M)'],
  ['jobs', 'Jobs: submit, polls, files (J)'],
  ['webhooks', 'Reports of jobs, and receivers of events (W)'],
  ['outages', 'Outages over time (B)'],
] as const;

const beginning = `# Faults of upstreams

Set a fault by its id or its name, as [faults.md](faults.md) shows:

    npx gatecheck simulate --port 9400 --control-port 9401
    C=http://127.0.0.1:9401
    curl $C/tenants/default/faults -d '{"fault": {"id": "error-mid", "form": "overloaded"}}'

The first form is the default; \`"form"\` chooses another. T1 to T5 are addresses and B1 to B7 scenarios, so you do not set them.
\`compared\` is when the bytes were last compared with an official client, a provider or a published observation
(\`held\` in \`GET /faults\` names it). To judge a gateway under all of them: \`npx gatecheck run --only faults\`.`;

/** The page that lists every fault of the catalogue. */
export function faultPage(): string {
  const sections = groups.map(([group, title]) => `## ${title}\n\n${tableOfGroup(group)}`);
  return `${[beginning, ...sections].join('\n\n')}\n`;
}

function tableOfGroup(group: string): string {
  const text = readFileSync(new URL(`../../fixtures/faults/${group}.json`, import.meta.url), 'utf8');
  const faults = JSON.parse(text) as readonly Fault[];
  const code = (words: readonly string[] = []): string => words.map((word) => `\`${word}\``).join(', ');
  return tableOf(
    ['id', 'name', 'what happens', 'dialects', 'forms', 'compared'],
    faults.map(({ id, name, cause, dialects, forms }) => [
      id,
      `\`${name}\``,
      cause,
      code(dialects),
      code(forms),
      comparedOn(id),
    ]),
  );
}

/** The last date of comparison; empty for faults of this project's own protocols. */
function comparedOn(id: string): string {
  const held = allFaultFacts.find((facts) => facts.id === id)?.held ?? [];
  return (
    held
      .map(({ on }) => on)
      .toSorted()
      .at(-1) ?? ''
  );
}
