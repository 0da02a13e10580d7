import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import type { DocumentShell } from './document-shell.ts';

/** A command that ends. */
interface Run {
  readonly how: 'run';
  /** What is typed in place of a part of it: `[part, other]`. */
  readonly but?: readonly (readonly [string, string])[];
  readonly more?: string;
  readonly code?: number;
  /** What it has to say. */
  readonly says?: RegExp;
  readonly before?: (shell: DocumentShell) => Promise<unknown> | undefined;
  /** Gets what it printed. */
  readonly after?: (shell: DocumentShell, output: string) => void;
}

/** A command that runs until it is told to end, and prints a line of JSON when it is ready. */
interface Serve {
  readonly how: 'serve';
  readonly but?: readonly (readonly [string, string])[];
  /** What it prints has these members, and each member's address is what the documents print so. */
  readonly prints: Readonly<Record<string, string | null>>;
  readonly before?: (shell: DocumentShell) => void;
}

interface Not {
  readonly how: 'not';
  readonly why: string;
}

export type Way = Run | Serve | Not;

const asPrinted: Run = { how: 'run' };
/** A run with one quick check in place of those that it would have. */
const oneCheck: Run = { how: 'run', more: ' --only ep.models.list' };
/** The same where more evidence is required than one check gives. */
const tooLittle: Run = { ...oneCheck, code: 3, says: /Too little evidence/ };
const hours: Not = {
  how: 'not',
  why: 'minutes to hours; prove.stack.test.ts and examine.stack.test.ts try the command',
};
const minutes: Not = { how: 'not', why: 'minutes; drill.stack.test.ts runs short ones' };
const repository: Not = { how: 'not', why: 'installs or tests the clone itself: what CI does' };
const audit: Not = {
  how: 'not',
  why: 'minutes of kills and load; crash.test.ts and soak.test.ts run short ones',
};
const packed: Not = { how: 'not', why: 'needs the installed package; packed.stack.test.ts does all of it' };
const replayed: Not = { how: 'not', why: 'needs a run with a failure; replay.stack.test.ts has one' };
const containers: Not = { how: 'not', why: 'needs a Docker engine and a registry of images' };
const contained: Not = {
  how: 'not',
  why: 'needs a container engine; containers.stack.test.ts runs it',
};
const cluster: Not = { how: 'not', why: 'needs a cluster; gateway/kubernetes.test.ts reads its manifests' };
const statement: Not = {
  how: 'not',
  why: 'for a server of one’s own; gateway/store/plain-role.test.ts runs it',
};
const foreign: Not = { how: 'not', why: 'installs somebody else’s gateway from the network' };

const simulator = {
  how: 'serve',
  but: [['--port 9400 --control-port 9401', '']],
  prints: {
    provider_url: 'http://127.0.0.1:9400',
    control_url: 'http://127.0.0.1:9401',
    listeners: null,
    doors: null,
  },
} as const satisfies Serve;

/** Started beside others, whose addresses stay what the document prints. */
const anySimulator = { provider_url: null, control_url: null, listeners: null, doors: null };

const capture = (upstream: string): Serve => ({
  how: 'serve',
  but: [[upstream, 'http://127.0.0.1:9']],
  prints: { capture_url: null, out: null },
});

/** A report of a run in which the one check failed. */
function failed(shell: DocumentShell): undefined {
  const report = JSON.parse(readFileSync(join(shell.folder, 'reports/out/report.json'), 'utf8'));
  for (const check of report.checks) check.verdict = 'fail';
  mkdirSync(join(shell.folder, 'last'));
  writeFileSync(join(shell.folder, 'last/report.json'), JSON.stringify(report));
  return undefined;
}

/** The report of the run before, as if its one check had failed. */
function withFailure(shell: DocumentShell): undefined {
  const file = join(shell.folder, 'reports/out/report.json');
  const text = readFileSync(file, 'utf8');
  writeFileSync(join(shell.folder, 'as-it-was.json'), text);
  const report = JSON.parse(text);
  const broken = { requirement: 'ERR-012', aspect: 'param-names-field', statement: 'a', section: 'b' };
  const failure = { ...broken, expected: 'c', actual: 'd', exchange: null, twin: null, replay: 'e' };
  report.checks[0] = { ...report.checks[0], verdict: 'fail', failure };
  writeFileSync(file, JSON.stringify(report));
  return undefined;
}

function asItWas(shell: DocumentShell): void {
  cpSync(join(shell.folder, 'as-it-was.json'), join(shell.folder, 'reports/out/report.json'));
}

/** The drill before, as that of another day. */
function drilled(shell: DocumentShell): undefined {
  mkdirSync(join(shell.folder, 'last'), { recursive: true });
  cpSync(join(shell.folder, 'reports/out/drill.json'), join(shell.folder, 'last/drill.json'));
  return undefined;
}

/** A recording of one read of the list of models. */
function recorded(shell: DocumentShell): undefined {
  const request = { method: 'GET', url: 'https://gateway.example.com/api/v1/models', headers: [] };
  const content = { text: JSON.stringify({ data: [{ id: 'alpha-5-2' }] }) };
  const response = {
    status: 200,
    headers: [{ name: 'content-type', value: 'application/json' }],
    content,
  };
  const entry = { startedDateTime: '2026-11-26T05:00:00.000Z', time: 5, request, response };
  writeFileSync(
    join(shell.folder, 'recorded.har'),
    JSON.stringify({ log: { version: '1.2', entries: [entry] } }),
  );
  return undefined;
}

/** The example of own checks, where it is typed. */
function withOwnChecks(shell: DocumentShell): undefined {
  const example = fileURLToPath(new URL('../../../docs/examples/own-checks.ts', import.meta.url));
  cpSync(example, join(shell.folder, 'own-checks.ts'));
  return undefined;
}

const own = ' --checks own-checks.ts';

const shard = 'npx gatecheck run --target my-gateway.yaml --seed 7 --shard';
const threeChecks = ' --only ep.models.list,auth.header.missing,ep.paths.unknown';

/** How each command of the documents is tried: as printed, with what it needs to be over soon, or why it is not. */
export const ways: ReadonlyMap<string, Way> = new Map<string, Way>([
  ['npm ci', repository],
  ['npm ci && npm start', repository],
  ['npm run check', repository],
  ['npm test', repository],
  ['node_modules/.bin/node gateway/testing/crash-audit.ts --kills 200 --store embedded', audit],
  [
    '.ci/postgres run node_modules/.bin/node gateway/testing/crash-audit.ts --kills 100 --store postgres --processes 2',
    audit,
  ],
  ['node_modules/.bin/node gateway/testing/soak.ts --minutes 20 --rate 200 --faults 5% --streams 50', audit],
  ['node_modules/.bin/node gateway/testing/load/second-key.ts --seconds 10', audit],
  ['node_modules/.bin/node gateway/testing/failover.ts --seconds 10', audit],
  ['node_modules/.bin/node gateway/testing/rollout.ts --callers 75', audit],
  ['npm --prefix bench ci && npm --prefix bench start', repository],
  ['npm --prefix bench start -- --list', repository],
  ['npm --prefix clients ci && npm --prefix clients start', repository],
  [
    'npm --prefix bench start -- --targets "bare proxy,gateway PostgreSQL" --workloads "plain 50"',
    repository,
  ],
  ['GATECHECK_TEST_SIZE=proof npm test', repository],
  ['npx vitest run gateway/billing suites/oracle', repository],

  ['npx gatecheck run --base-url https://gateway.example.com --key "$GATECHECK_KEY"', oneCheck],
  ['npx gatecheck run --target my-gateway.yaml', oneCheck],
  ['npx gatecheck run --target my-gateway.yaml --only AUTH,ERR', oneCheck],
  ['npx gatecheck run --target my-gateway.yaml --full --seed 42', oneCheck],
  ['npx gatecheck run --target my-gateway.yaml --only IMG,IMGM,JRNY,TASK,VID,AUD,SONG,STATE', oneCheck],
  ['npx gatecheck run --target my-gateway.yaml --only BILL,CACHE,LIM', oneCheck],
  ['npx gatecheck run --target my-gateway.yaml --only HOOK,STATE', oneCheck],
  ['export GATECHECK_KEY=…', asPrinted],
  ['npx gatecheck init --base-url https://gateway.example.com --out my-gateway.yaml', asPrinted],
  ['npx gatecheck doctor --target my-gateway.yaml', { ...asPrinted, says: /checks can be judged/ }],
  ['npx gatecheck list --only LIM', { ...asPrinted, says: /\d+ checks/ }],
  ['npx gatecheck explain LIM-004', { ...asPrinted, says: /Checks/ }],
  ['npx gatecheck prove', hours],
  ['npx gatecheck prove --only LIM', hours],
  ['npx gatecheck prove --quick', hours],
  ['npx gatecheck prove --variants-alone', hours],
  ['npx gatecheck examine', hours],
  ['npx gatecheck examine --count 100 --seed 7', hours],
  ['npx gatecheck examine --only gateway/billing,HOOK', hours],
  ['npx gatecheck examine --mutant ID', hours],
  ['npx gatecheck examine --count 300 --seed 1 --reach --resume --out DIR', hours],

  ['npx gatecheck run --target my-gateway.yaml --require core-chat:80,streaming', tooLittle],
  ['npx gatecheck replay reports/out/report.json', replayed],
  ['npx gatecheck replay reports/out/report.json "ERR-012 param-names-field" --beside', replayed],
  ['npx gatecheck run --target my-gateway.yaml --size smoke', oneCheck],
  ['npx gatecheck run --target my-gateway.yaml --har failures.har', oneCheck],
  ['npx gatecheck run --target my-gateway.yaml --history runs', oneCheck],
  [
    'npx gatecheck run --base-url https://gateway.example.com --key "$GATECHECK_KEY" --size smoke --minutes 10',
    oneCheck,
  ],
  ['npm install gatecheck-0.1.0.tgz typescript @types/node', packed],
  [
    'npx gatecheck run --checks own-checks.ts --base-url https://gateway.example.com --key "$GATECHECK_KEY"',
    packed,
  ],
  ['npx gatecheck explain --checks own-checks.ts ACME-001', packed],
  ['CONTROL_URL=http://… PROVIDER_URL=http://… node_modules/.bin/node own-upstreams.ts', packed],
  ['GATECHECK_WEBHOOK_SECRET=whsec_… node_modules/.bin/node own-receiver.ts', packed],
  ['npx gatecheck receiver http://127.0.0.1:… --effects http://127.0.0.1:…/processed', packed],
  [
    'npx gatecheck replay reports/out/report.json',
    { ...asPrinted, before: (shell) => withFailure(shell), says: /was not seen again/ },
  ],
  [
    'npx gatecheck replay reports/out/report.json "ERR-012 param-names-field" --beside',
    { ...asPrinted, says: /pass on the reference/, after: (shell) => asItWas(shell) },
  ],
  ['npm install gatecheck-0.1.0.tgz typescript @types/node', repository],
  [
    `npx gatecheck run${own} --base-url https://gateway.example.com --key "$GATECHECK_KEY"`,
    {
      how: 'run',
      more: ' --only acme',
      before: (shell) => withOwnChecks(shell),
      says: /Conforming: 1 check/,
    },
  ],
  [`npx gatecheck list${own}`, { ...asPrinted, says: /acme\.echo\.names/ }],
  [`npx gatecheck explain${own} ACME-001`, { ...asPrinted, says: /acme\.errors\.short/ }],
  [
    'npx gatecheck diff last/report.json reports/out/report.json',
    {
      ...asPrinted,
      before: (shell) => failed(shell),
      says: /ep\.models\.list/,
    },
  ],
  [
    'npx gatecheck watch --upstream https://gateway.example.com --listen 8787',
    { how: 'serve', but: [['--listen 8787', '--listen 0']], prints: { watch_url: null, upstream: null } },
  ],
  [
    'npx gatecheck watch --upstream https://gateway.example.com --events-listen 8788 --events-to https://shop.example.com',
    {
      how: 'serve',
      but: [['--events-listen 8788', '--listen 0 --events-listen 0']],
      prints: { watch_url: null, upstream: null, events_url: null },
    },
  ],
  [
    'npx gatecheck watch --har recorded.har',
    { ...asPrinted, before: (shell) => recorded(shell), says: /Nothing is broken/ },
  ],
  [
    'npx gatecheck watch --har recorded.har --target my-gateway.yaml',
    { ...asPrinted, before: (shell) => recorded(shell), says: /Nothing is broken/ },
  ],
  ['npx gatecheck drill b1-brownout', minutes],
  ['npx gatecheck drill b5-all-down --speed 10', minutes],
  ['node_modules/.bin/node suites/drill/testing/drill-broken.ts', minutes],
  [
    "node_modules/.bin/node suites/drill/testing/drill-broken.ts --only 'no retry' --rate 5 --speed 10",
    minutes,
  ],
  [
    'npx gatecheck drill b4-one-region-down --target my-gateway.yaml --rate 20 --minutes 3',
    // Nobody can see within three seconds that a channel is left alone.
    {
      how: 'run',
      more: ' --minutes 0.05',
      code: 1,
      says: /open < 30 s {2}\(never\)/,
    },
  ],
  [
    'npx gatecheck drill diff last/drill.json reports/out/drill.json',
    { ...asPrinted, before: (shell) => drilled(shell), says: /availability/ },
  ],
  [
    'npx gatecheck fuzz',
    { how: 'run', more: ' --target my-gateway.yaml --requests 30 --bodies 0', says: /Nothing found/ },
  ],
  [
    'npx gatecheck fuzz --target my-gateway.yaml --requests 20000 --bodies 500 --seed 7',
    {
      how: 'run',
      but: [['--requests 20000 --bodies 500', '--requests 30 --bodies 0 --parts fields']],
      says: /Nothing found/,
    },
  ],
  [
    'npx gatecheck fuzz --base-url https://gateway.example.com --key "$GATECHECK_KEY" --minutes 10',
    { how: 'run', more: ' --requests 30 --bodies 0 --parts fields', says: /Nothing found/ },
  ],
  [
    'npx gatecheck fuzz --target my-gateway.yaml --usd 2.50 --prices prices.yaml',
    {
      how: 'run',
      but: [[' --prices prices.yaml', '']],
      more: ' --requests 30 --bodies 0 --parts fields',
      says: /at most 2.50 dollars/,
    },
  ],
  [
    'npx gatecheck fuzz --requests 100000 --bodies 2000 --seed 1 --memory-mb 64',
    {
      how: 'run',
      but: [['--requests 100000 --bodies 2000', '--requests 30 --bodies 0 --parts fields']],
      more: ' --target my-gateway.yaml',
      says: /beside damaged requests others waited/,
    },
  ],
  [
    'npx gatecheck fuzz --out reports/out --replay F1',
    { how: 'not', why: 'needs a run with a finding; fuzz.stack.test.ts has some' },
  ],
  ['npx gatecheck run --target my-gateway.yaml --only-failed last/report.json', asPrinted],
  ['npx gatecheck run --target my-gateway.yaml --exclude timing,faults', oneCheck],
  [
    'npx gatecheck plan --base-url https://gateway.example.com --key "$GATECHECK_KEY" --prices prices.yaml',
    {
      ...asPrinted,
      says: /checks/,
    },
  ],
  [
    'npx gatecheck plan --target my-gateway.yaml --only CHAT,SSE --answer-ms 1500 --json',
    {
      ...asPrinted,
      says: /"exchanges"/,
    },
  ],
  [
    'npx gatecheck run --target my-gateway.yaml --budget usd=5,exchanges=2000,tokens=500000,minutes=10',
    oneCheck,
  ],
  ['npx gatecheck run --target my-gateway.yaml --minutes 10 --require core-chat:60', tooLittle],
  [
    'npx gatecheck run --target my-gateway.yaml --write-waivers waivers.yaml --waiver-reason "ticket 1234" --waiver-owner "gateway team" --waiver-until 2027-03-31',
    oneCheck,
  ],
  [`${shard} 1/3 --out part-1`, { how: 'run', more: threeChecks }],
  [
    'npx gatecheck merge part-1/report.json part-2/report.json part-3/report.json',
    {
      ...asPrinted,
      before: (shell) =>
        Promise.all(
          ['2/3 --out part-2', '3/3 --out part-3'].map((part) => shell.run(`${shard} ${part}${threeChecks}`)),
        ),
      says: /Conforming: 3 checks judged/,
    },
  ],

  // The checks of the embedded stack, on the stack that is up.
  [
    'npx gatecheck run --only bill.charge.exact --full',
    {
      how: 'not',
      why: 'five minutes; with the quick number of records the stack tests run it',
    },
  ],
  ['npx gatecheck run --only faults', { how: 'run', more: ' --target my-gateway.yaml --only S9' }],
  ['npx gatecheck run --only S8', { how: 'run', more: ' --target my-gateway.yaml' }],
  ...[
    'run --store postgres://user:password@127.0.0.1/postgres --processes 2',
    'up --store postgres://user:password@127.0.0.1/postgres --workers 2',
  ].map(
    (command) =>
      [
        `npx gatecheck ${command}`,
        { how: 'not', why: 'it needs a server; fleet.stack.test.ts does it' },
      ] as const,
  ),
  [
    'npx gatecheck up --webhook-host 127.0.0.1:9443 --webhook-ca my-ca.pem',
    {
      how: 'not',
      why: 'it is how the stack for all of these commands is started',
    },
  ],

  ['npx gatecheck simulate --port 9400 --control-port 9401', simulator],
  ['npx gatecheck simulate --port 9400 --control-port 9401 --test-clock', simulator],
  ['npx gatecheck simulate', { ...simulator, prints: anySimulator }],
  [
    'npx gatecheck simulate --ui --test-clock',
    { ...simulator, prints: { ...anySimulator, console_url: null } },
  ],
  ['npx gatecheck up --ui', { how: 'not', why: 'a stack of its own; console.stack.test.ts starts it' }],
  [
    'npx gatecheck simulate b1-brownout',
    {
      ...simulator,
      prints: anySimulator,
    },
  ],
  [
    'npx gatecheck simulate [scenario.yaml] [--port 9400] [--control-port 9401] [--seed 1] [--play previous] [--test-clock] [--ui]',
    {
      ...simulator,
      prints: { ...simulator.prints, console_url: null },
      but: [
        ['[scenario.yaml] [--port 9400] [--control-port 9401]', 'b2-flapping --port 0 --control-port 0'],
        ['[--seed 1] [--play previous] [--test-clock] [--ui]', '--seed 1 --play previous --test-clock --ui'],
      ],
    },
  ],
  [
    'GATECHECK_RECEIVER_SECRET=whsec_… npx gatecheck simulate --test-clock',
    {
      ...simulator,
      prints: { ...simulator.prints, receiver_url: null },
    },
  ],
  [
    'npx gatecheck capture --upstream https://api.example.com --out fault.json',
    capture('https://api.example.com'),
  ],
  [
    'npx gatecheck capture --upstream https://upstream.example [--out capture.json] [--port 0]',
    {
      ...capture('https://upstream.example'),
      but: [
        ['https://upstream.example', 'http://127.0.0.1:9'],
        ['[--out capture.json] [--port 0]', '--out capture.json --port 0'],
      ],
    },
  ],
  ['C=http://127.0.0.1:9401', asPrinted],
  ['curl $C/faults', { ...asPrinted, says: /"error-mid"/ }],
  ['npm install --no-save testcontainers@12.2.0', repository],
  ['npx gatecheck run --target docs/examples/own-image.yaml', contained],
  ['npx gatecheck run --target containers/target.yaml --only AUTH,EP,ERR', contained],
  ['docker compose up --detach --wait', containers],
  ['kubectl create namespace gatecheck', cluster],
  [
    'kubectl -n gatecheck create secret generic gatecheck-gateway --from-file=gateway.yaml --from-literal=database-url=postgres://…',
    cluster,
  ],
  ['kubectl apply -k operations/kubernetes', cluster],
  ["create role gatecheck login password '…';", statement],
  ['create database gatecheck owner gatecheck;', statement],
  ['revoke all on database gatecheck from public;', statement],
  ['create schema gatecheck authorization gatecheck;', statement],
  ['alter role gatecheck in database company set search_path = gatecheck;', statement],
  ['docker compose run --rm judge run --target /deployment/target.yaml --only AUTH,EP,ERR', containers],
  ['export GATECHECK_CONTROL_TOKEN="$(openssl rand -hex 16)"', asPrinted],
  [
    'npx gatecheck simulate --host 0.0.0.0 --name simulators.example.com --port 9400 --control-port 9401 --tls-cert cert.pem --tls-key key.pem',
    { how: 'not', why: 'needs a certificate; simulators/http/own-address.test.ts makes one' },
  ],
  [
    'GATECHECK_CONTROL_TOKEN=… npx gatecheck inbox --base-url https://receiver:8443 --dir keys',
    { how: 'not', why: 'takes ports of all addresses; containers.stack.test.ts has one in a container' },
  ],
  [
    'npx gatecheck simulate --host 0.0.0.0 --name simulators.example.com --port 9400 --control-port 9401',
    { how: 'not', why: 'has a name of somebody’s network; simulators/network.test.ts listens so' },
  ],
  [
    'curl -H "authorization: Bearer $GATECHECK_CONTROL_TOKEN" $C/faults',
    { ...asPrinted, says: /"error-mid"/ },
  ],
  [
    `curl $C/tenants/default/faults -d '{"fault": {"id": "S3"}, "rate": 0.2, "times": 5, "ttl_ms": 60000}'`,
    asPrinted,
  ],
  [
    `curl $C/tenants/default/faults -d '{"fault": {"id": "error-mid", "form": "overloaded"}, "when": {"model": "a52-2026-08-07"}}'`,
    asPrinted,
  ],
  ['curl $C/tenants/default/faults', { ...asPrinted, says: /"S3".*"S8"/ }],
  ['curl "$C/tenants/default/journal?ended=1"', asPrinted],
  ['curl -X DELETE $C/tenants/default/faults', asPrinted],

  [`curl $C/tenant-rules -d '{"tenant": "team-a", "when": {"key": "sk-team-a-0001"}}'`, asPrinted],
  [
    `curl $C/tenants/team-a/scripts -d '{"marker": "m-1", "replies": [{"text": "Hello."}, {"status": 503}]}'`,
    asPrinted,
  ],
  [
    `curl $C/tenants/team-a/faults -d '{"fault": {"id": "S3"}, "rate": 0.2, "times": 5, "ttl_ms": 60000}'`,
    asPrinted,
  ],
  [
    `curl $C/tenants/team-a/faults -d '{"reply": {"job": {"hold": "queued"}}, "when": {"channel": "video"}}'`,
    asPrinted,
  ],
  [
    `curl http://127.0.0.1:9400/team-a/video/v1/jobs -H 'authorization: Bearer any' -H 'idempotency-key: 1' -d '{"model": "vidB2-native", "input": {"prompt_text": "The sea"}}'`,
    {
      ...asPrinted,
      after: (shell, output) => shell.means('job_1', (JSON.parse(output) as { id: string }).id),
    },
  ],
  [`curl $C/tenants/team-a/jobs; curl $C/tenants/team-a/jobs/job_1 -d '{"to": "running"}'`, asPrinted],
  [`curl $C/tenants/team-a/scenario -d '{"file": "b1-brownout"}'`, asPrinted],
  ['curl -X POST $C/tenants/team-a/scenario/step', asPrinted],
  ['curl "$C/tenants/team-a/journal?ended=1"', { ...asPrinted, says: /"channel":"video"/ }],
  ['curl "$C/tenants/team-a/journal?body_bytes=0"', { ...asPrinted, says: /"body_base64":""/ }],
  ['curl -X POST $C/tenants/team-a/reset', asPrinted],
  [`curl $C/clock -d '{"advance_ms": 30000}'`, asPrinted],
  [
    'npm init -y && npm pkg set overrides.@hono/node-server=1.13.5 && npm i @portkey-ai/gateway@1.15.2',
    foreign,
  ],
  ['node node_modules/@portkey-ai/gateway/build/start-server.js --port=8787 --headless', foreign],
  [
    `curl -N http://127.0.0.1:8787/v1/chat/completions -H 'content-type: application/json' -H 'authorization: Bearer any' -H 'x-portkey-provider: openai' -H 'x-portkey-custom-host: http://127.0.0.1:9400/trial/alpha/v1' -d '{"model": "a52-2026-08-07", "stream": true, "messages": [{"role": "user", "content": "Hello"}]}'`,
    foreign,
  ],

  ['cp gateway/example.yaml gateway.yaml', asPrinted],
  [
    'node_modules/.bin/node gateway/main.ts --config gateway.yaml',
    {
      how: 'serve',
      before: (shell) => onFreePorts(shell),
      prints: { base_url: 'http://127.0.0.1:8080' },
    },
  ],
  [
    'gateway=http://127.0.0.1:8080 KEY=sk-app-replace-me-by-32-random-letters ADMIN_TOKEN=replace-me-by-32-random-characters-too',
    asPrinted,
  ],
  [
    `curl $gateway/api/v1/images/generations -H "authorization: Bearer $KEY" -H 'content-type: application/json' -d '{"model":"kontext-pro","prompt":"A lighthouse in the rain","aspect_ratio":"16:9"}'`,
    { ...asPrinted, says: /"url":/ },
  ],
  [
    `curl $gateway/api/v1/tasks -H "authorization: Bearer $KEY" -H 'content-type: application/json' -d '{"model":"vidB2","prompt":"A lighthouse in the rain","duration":10}'`,
    {
      ...asPrinted,
      // With an event, so that there is one to be delivered again.
      but: [['"duration":10', '"duration":10,"webhook_url":"https://hooks.example.com/"']],
      after: (shell, output) => shell.means('task_…', (JSON.parse(output) as { task_id: string }).task_id),
    },
  ],
  ['curl $gateway/api/v1/tasks/task_… -H "authorization: Bearer $KEY"', { ...asPrinted, says: /"status":/ }],
  [
    `curl -H "authorization: Bearer $ADMIN_TOKEN" $gateway/api/admin/accounts/acme/grants -H 'content-type: application/json' -d '{"amount":"25.00","id":"invoice-7"}'`,
    asPrinted,
  ],
  [
    'curl -H "authorization: Bearer $ADMIN_TOKEN" "$gateway/api/admin/usage?account_id=acme&metadata.team=search"',
    asPrinted,
  ],
  [
    `curl -H "authorization: Bearer $ADMIN_TOKEN" $gateway/api/admin/accounts/acme/webhook-secrets -H 'content-type: application/json' -d '{}'`,
    { ...asPrinted, says: /whsec_/ },
  ],
  [
    'curl -H "authorization: Bearer $ADMIN_TOKEN" "$gateway/api/admin/webhooks?account_id=acme&state=given_up"',
    {
      ...asPrinted,
      before: (shell) => untilAnEvent(shell),
    },
  ],
  [
    'curl -H "authorization: Bearer $ADMIN_TOKEN" -X POST $gateway/api/admin/webhooks/evt_…/redeliver',
    asPrinted,
  ],
  [
    'curl -H "authorization: Bearer $ADMIN_TOKEN" "$gateway/api/admin/audit?account_id=acme&resource=grants"',
    { ...asPrinted, says: /"token":"admin"/ },
  ],
  [
    'curl -H "authorization: Bearer $ADMIN_TOKEN" $gateway/metrics',
    { ...asPrinted, says: /^gatecheck_requests_total\{/m },
  ],
  ['curl $gateway/healthz', { ...asPrinted, says: /"ok"/ }],
  ['curl $gateway/readyz', { ...asPrinted, says: /"ready"/ }],
  [
    'node_modules/.bin/node gateway/backup.ts --from data --to backup-monday',
    {
      ...asPrinted,
      before: (shell) => shell.stopServers(),
    },
  ],
  ['node_modules/.bin/node gateway/backup.ts --from backup-monday --to new-data', asPrinted],

  ['export GATECHECK_WEBHOOK_SECRET=whsec_…', { ...asPrinted, before: (shell) => aReceiver(shell) }],
  [
    'npx gatecheck receiver https://shop.example.com/hooks/tasks',
    {
      ...asPrinted,
      says: /pass +receiver\.future/,
    },
  ],
  [
    'npx gatecheck receiver http://127.0.0.1:3000/hooks --effects http://127.0.0.1:3000/orders/count --only stale,future',
    {
      ...asPrinted,
      says: /pass +receiver\.future/,
    },
  ],
]);

/** The ports of the example, and the upstreams that it names, may be taken. */
function onFreePorts(shell: DocumentShell): void {
  const file = join(shell.folder, 'gateway.yaml');
  const text = shell.read(readFileSync(file, 'utf8')).replace('port: 8080', 'port: 0');
  writeFileSync(file, text);
}

/** A receiver of events that does its work, at the addresses that the documents give to somebody's. */
async function aReceiver(shell: DocumentShell): Promise<void> {
  const ready = await shell.serve('GATECHECK_RECEIVER_SECRET=whsec_… npx gatecheck simulate');
  const url = String(ready.receiver_url);
  shell.means('https://shop.example.com/hooks/tasks', url);
  shell.means('http://127.0.0.1:3000/hooks', url);
  shell.means('http://127.0.0.1:3000/orders/count', new URL('/processed', url).href);
}

/** Waits until a task has ended and left its event. */
async function untilAnEvent(shell: DocumentShell): Promise<void> {
  const ask = 'curl -H "authorization: Bearer $ADMIN_TOKEN" "$gateway/api/admin/webhooks?account_id=acme"';
  for (let tries = 0; tries < 100; tries += 1) {
    const { output } = await shell.run(ask);
    const [event] = (JSON.parse(output) as { data: { event_id: string }[] }).data;
    if (event !== undefined) return shell.means('evt_…', event.event_id);
  }
  throw new Error('the task left no event');
}

/**
 * A profile for a document that names one and does not make it itself.
 * @param share which tenants are its own: documents are taken side by side, and each run begins with the first ones
 */
export function giveProfile(
  shell: DocumentShell,
  target: string,
  { index, of }: { readonly index: number; readonly of: number },
): void {
  const profile = parse(readFileSync(target, 'utf8'));
  const lanes = profile.lanes.filter((_: unknown, place: number) => place % of === index);
  writeFileSync(join(shell.folder, 'my-gateway.yaml'), stringify({ ...profile, lanes }));
}
