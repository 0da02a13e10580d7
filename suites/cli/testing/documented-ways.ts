import type { DocumentShell } from './document-shell.ts';
import {
  aReceiver,
  asItWas,
  drilled,
  failed,
  onFreePorts,
  recorded,
  untilAnEvent,
  withFailure,
  withOwnChecks,
} from './documented-needs.ts';

/** A command that ends. */
interface Run {
  readonly how: 'run';
  /** Replacements in the command: `[part, other]`. */
  readonly but?: readonly (readonly [string, string])[];
  readonly more?: string;
  readonly code?: number;
  /** Its expected output. */
  readonly says?: RegExp;
  readonly before?: (shell: DocumentShell) => Promise<unknown> | undefined;
  /** Called with its output. */
  readonly after?: (shell: DocumentShell, output: string) => void;
}

/** A command that runs until SIGTERM, and prints a JSON line when it is ready. */
interface Serve {
  readonly how: 'serve';
  readonly but?: readonly (readonly [string, string])[];
  /** The members of its JSON line. Each value is the address that the documents print for it. */
  readonly prints: Readonly<Record<string, string | null>>;
  readonly before?: (shell: DocumentShell) => void;
}

interface Not {
  readonly how: 'not';
  readonly why: string;
}

export type Way = Run | Serve | Not;

const asPrinted: Run = { how: 'run' };
const says = (said: RegExp): Run => ({ ...asPrinted, says: said });
const not = (why: string): Not => ({ how: 'not', why });
/** A run with one quick check instead of its own selection. */
const oneCheck: Run = { how: 'run', more: ' --only ep.models.list' };
/** Fuzzing with few requests. */
const fewRequests = (more: string, printed: RegExp, but: readonly [string, string][] = []): Run => ({
  ...{ how: 'run', but, more: `${more} --requests 30 --bodies 0`, says: printed },
});

const simulator = {
  how: 'serve',
  but: [['--port 9400 --control-port 9401', '']],
  prints: { provider_url: 'http://127.0.0.1:9400', control_url: 'http://127.0.0.1:9401', listeners: null },
} as const satisfies Serve;

/** Starts next to others, whose addresses stay those in the document. */
const anySimulator = { provider_url: null, control_url: null, listeners: null };

const shard = 'npx gatecheck run --target my-gateway.yaml --seed 7 --shard';
const threeChecks = ' --only ep.models.list,auth.header.missing,ep.paths.unknown';

/**
 * How to run each documented command; the first match counts, and without one it runs as printed. An entry shortens the
 * command or gives a reason to skip it.
 */
export const ways: readonly (readonly [RegExp, Way])[] = [
  [/^(?:npm |npx vitest|GATECHECK_TEST_SIZE)/, not('installs or tests the clone itself: what CI does')],
  [/\bgateway\/testing\//, not('minutes of kills and load; crash.test.ts and soak.test.ts run short ones')],
  [/\bgatecheck (?:prove|examine)/, not('hours; prove.stack.test.ts and examine.stack.test.ts try it')],
  [/\bproof\/adversary\.ts/, not('an hour; adversary.stack.test.ts plays a round')],
  [/^pip install/, not('the tests of the Python package install it from the clone')],
  [/\bgatecheck drill b[15]/, not('minutes; drill.stack.test.ts runs short ones')],
  [/\bgatecheck drill .*\b(?:old|new)\b/, not('drill.md runs the like; two disturb each other')],
  [/^docker |own-image|containers\/target/, not('needs an engine; containers.stack.test.ts runs it')],
  [/^kubectl /, not('needs a cluster; gateway/kubernetes.test.ts reads its manifests')],
  [/^(?:create|revoke|alter) /, not('for a server of one’s own; gateway/store/plain-role.test.ts runs it')],
  [/portkey/, not('installs somebody else’s gateway from the network')],
  [/--store postgres:/, not('needs a server; fleet.stack.test.ts does it')],
  [/\bup --(?:ui|webhook-host)/, not('a stack of its own; console.stack.test.ts starts it')],
  [/--host 0\.0\.0\.0|\binbox /, not('takes ports of all addresses; containers.stack.test.ts does it')],
  [/bill\.charge\.exact --full/, not('five minutes; the stack tests run it in the quick size')],
  [/--replay F1/, not('needs a run with a finding; fuzz.stack.test.ts has some')],

  [/run .*--only faults/, { how: 'run', more: ' --only S9' }],
  [/run .*--only S8/, asPrinted],
  [/gatecheck run$/, { how: 'run', more: ' --target my-gateway.yaml --only ep.models.list' }],
  [/run .*--only-failed/, asPrinted],
  [/run .*--require/, { ...oneCheck, code: 3, says: /Too little evidence/ }],
  [/run .*--shard 1\/3/, { how: 'run', more: threeChecks }],
  [/run --checks/, { how: 'run', more: ' --only acme', before: withOwnChecks, says: /Conforming: 1 check/ }],
  [/run --(?:target|base-url)/, oneCheck],
  [/list --checks/, says(/acme\.echo\.names/)],
  [/explain --checks/, says(/acme\.errors\.short/)],
  [/doctor /, says(/checks can be judged/)],
  [/list --only LIM/, says(/\d+ checks/)],
  [/explain LIM-004/, says(/Checks/)],
  [/plan .*--json/, says(/"exchanges"/)],
  [/plan /, says(/checks/)],
  [/replay .*--beside/, { ...says(/pass on the reference/), after: asItWas }],
  [/replay /, { ...says(/was not seen again/), before: withFailure }],
  [/gatecheck diff /, { ...says(/ep\.models\.list/), before: failed }],
  [
    /merge part-1/,
    {
      ...says(/Conforming: 3 checks judged/),
      before: (shell) =>
        Promise.all(
          ['2/3 --out part-2', '3/3 --out part-3'].map((part) => shell.run(`${shard} ${part}${threeChecks}`)),
        ),
    },
  ],
  [
    /watch .*--events-listen/,
    {
      how: 'serve',
      but: [['--events-listen 8788', '--listen 0 --events-listen 0']],
      prints: { watch_url: null, upstream: null, events_url: null },
    },
  ],
  [
    /watch .*--listen/,
    { how: 'serve', but: [['--listen 8787', '--listen 0']], prints: { watch_url: null, upstream: null } },
  ],
  [/watch --har/, { ...says(/Nothing is broken/), before: recorded }],
  [/drill diff/, { ...says(/availability/), before: drilled }],
  // Three seconds are too short to show that a channel is avoided.
  [/drill b4/, { how: 'run', more: ' --minutes 0.05', code: 1, says: /open < 30 s {2}\(never\)/ }],
  [
    /fuzz .*--memory-mb/,
    fewRequests(' --parts fields', /beside damaged requests others waited/, [
      ['--reference --requests 100000 --bodies 2000', '--target my-gateway.yaml'],
    ]),
  ],
  [/fuzz .*--usd/, fewRequests(' --parts fields', /at most 2.50 dollars/, [[' --prices prices.yaml', '']])],
  [/fuzz .*--requests/, fewRequests(' --parts fields', /Nothing/, [['--requests 20000 --bodies 500', '']])],
  [/fuzz --base-url/, fewRequests(' --parts fields', /Nothing found/)],
  [/fuzz --reference$/, fewRequests('', /Nothing found/, [['--reference', '--target my-gateway.yaml']])],

  [/^GATECHECK_RECEIVER_SECRET/, { ...simulator, prints: { ...simulator.prints, receiver_url: null } }],
  [/simulate --ui/, { ...simulator, prints: { ...anySimulator, console_url: null } }],
  [
    /simulate .*--pass-to/,
    {
      ...{ how: 'serve', prints: anySimulator },
      but: [
        [
          '--port 9400 --control-port 9401 --pass-to https://api.example.com/v1',
          '--pass-to http://127.0.0.1:9',
        ],
      ],
    },
  ],
  [/simulate --port/, simulator],
  [
    /drift --provider/,
    {
      how: 'run',
      but: [['https://api.example.com/v1', 'http://127.0.0.1:9']],
      code: 4,
      says: /not compared/,
    },
  ],
  [/simulate/, { ...simulator, prints: anySimulator }],
  [
    /capture --upstream/,
    {
      how: 'serve',
      but: [
        ['https://api.example.com', 'http://127.0.0.1:9'],
        ['https://upstream.example', 'http://127.0.0.1:9'],
        ['[--out capture.json] [--port 0]', '--out capture.json --port 0'],
      ],
      prints: { capture_url: null, out: null },
    },
  ],
  [/\$C\/faults/, says(/"error-mid"/)],
  [/^curl \S+default\/faults$/, says(/"S3".*"S8"/)],
  [/bodies=text/, says(/"body_text":"/)],
  [/team-a\/journal/, says(/"channel":"video"/)],
  [
    /video\/v1\/jobs/,
    {
      ...asPrinted,
      after: (shell, output) => shell.means('job_1', (JSON.parse(output) as { id: string }).id),
    },
  ],

  [/gateway\/main\.ts/, { how: 'serve', before: onFreePorts, prints: { base_url: 'http://127.0.0.1:8080' } }],
  [/images\/generations/, says(/"url":/)],
  [
    /"model":"vidB2"/,
    {
      ...asPrinted,
      // With an event, so that one can be redelivered.
      but: [['"duration":10', '"duration":10,"webhook_url":"https://hooks.example.com/"']],
      after: (shell, output) => shell.means('task_…', (JSON.parse(output) as { task_id: string }).task_id),
    },
  ],
  [/tasks\/task_…/, says(/"status":/)],
  [/webhook-secrets/, says(/whsec_/)],
  [/state=given_up/, { ...asPrinted, before: untilAnEvent }],
  [/usage\?request_id/, { ...says(/"data":\[/), but: [['req_…', 'req_1']] }],
  [/admin\/audit/, says(/"token":"admin"/)],
  [/\/metrics$/, says(/^gatecheck_requests_total\{/m)],
  [/healthz/, says(/"ok"/)],
  [/readyz/, says(/"ready"/)],
  [/backup\.ts --from data/, { ...asPrinted, before: (shell) => shell.stopServers() }],

  [/^export GATECHECK_WEBHOOK_SECRET/, { ...asPrinted, before: aReceiver }],
  [/receiver https?:/, says(/pass +receiver\.future/)],
];

/** How a documented command is run. */
export function wayOf(text: string): Way {
  return ways.find(([pattern]) => pattern.test(text))?.[1] ?? asPrinted;
}
