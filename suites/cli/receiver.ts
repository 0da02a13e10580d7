import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { styleText } from 'node:util';
import { renderConsole } from 'gatecheck-reports/console';
import { oneLine } from 'gatecheck-reports/plain-text';
import type { CheckResult } from 'gatecheck-reports/report';
import { isWebhookSecret } from '../oracle/webhooks/sign.ts';
import { type ExitCode, UsageError } from '../process/exit-codes.ts';
import { receiverChecks } from '../receiver-judge/all-checks.ts';
import type { ReceiverCheck } from '../receiver-judge/check.ts';
import { createReceiverClient, type ReceiverClient } from '../receiver-judge/client.ts';
import { concealSecret } from '../receiver-judge/conceal-secret.ts';
import { Effects, type JudgeClock } from '../receiver-judge/effects.ts';
import { judgeReceiver } from '../receiver-judge/judge.ts';
import { receiverReport } from '../receiver-judge/receiver-report.ts';
import { Session } from '../receiver-judge/session.ts';
import { countOf } from '../runner/count-of.ts';
import { meant } from '../values/nearest.ts';
import { catchInterrupts } from './interrupt.ts';
import { openFolder } from './output-places.ts';
import { markOf } from './progress.ts';
import { versions } from './version.ts';
import { nameReports, writeReports } from './write-reports.ts';

export interface ReceiverOptions {
  readonly secret?: string;
  readonly secretEnv: string;
  readonly effects?: string;
  readonly taskId?: string;
  readonly ca?: string;
  readonly only?: string;
  readonly seed?: number;
  readonly out?: string;
}

/** `gatecheck receiver`: judges your event receiver, and shows what to fix. */
export async function receiverCommand(address: string, options: ReceiverOptions): Promise<ExitCode> {
  const url = checkedUrl('the receiver', address);
  const effectsUrl = options.effects === undefined ? null : checkedUrl('--effects', options.effects);
  const secret = secretOf(options);
  const selected = select(options.only);
  const seed = options.seed ?? randomInt(2 ** 31);
  if (options.out !== undefined) openFolder(options.out);
  const interrupts = catchInterrupts();
  const { signal } = interrupts;
  const client = createReceiverClient({ url, ca: options.ca, signal });
  const replayPrefix = `npx gatecheck receiver ${shellWord(url)}${flagsOf(options)}`;
  const startedAt = new Date();
  const redact = concealSecret(secret);
  process.stdout.write(`Judging ${redact(url)} with ${countOf(selected.length, 'check')}, seed ${seed}\n`);
  try {
    const checks = await judgeReceiver({
      session: sessionOf({ client, effectsUrl, secret, taskId: options.taskId ?? null, signal }),
      selected,
      seed,
      replayPrefix: redact(replayPrefix),
      redact,
      signal,
      onResult: (result) => process.stdout.write(`${lineOf(result)}\n`),
    });
    const report = receiverReport({
      url: redact(url),
      seed,
      startedAt,
      durationMs: Date.now() - startedAt.getTime(),
      versions: versions(),
      command: redact(`${replayPrefix}${options.only ? ` --only ${options.only}` : ''} --seed ${seed}`),
      interrupted: signal.aborted,
      checks,
    });
    const color = styleText('red', 'x', { stream: process.stdout }) !== 'x';
    process.stdout.write(`\n${renderConsole(report, { color, width: process.stdout.columns ?? 100 })}`);
    if (options.out !== undefined) {
      writeReports(report, options.out);
      nameReports(options.out);
    } else if (report.summary.warned > 0) {
      process.stdout.write('Add --out DIR to write these requests to a report.\n');
    }
    return report.exit_code as ExitCode;
  } finally {
    await client.close();
    interrupts.release();
  }
}

interface Parts {
  readonly client: ReceiverClient;
  readonly effectsUrl: string | null;
  readonly secret: string;
  readonly taskId: string | null;
  readonly signal: AbortSignal;
}

function sessionOf({ client, effectsUrl, ...rest }: Parts): Session {
  const clock: JudgeClock = { now: () => Date.now(), wait: (ms) => wait(ms) };
  const effects = effectsUrl === null ? null : new Effects(() => client.readEffects(effectsUrl), clock);
  return new Session({ client, clock, effects, run: randomBytes(6).toString('hex'), ...rest });
}

/** One line per check: its title, and the result. */
function lineOf({ id, verdict, title, evidence }: CheckResult): string {
  const missing = evidence.missing.map((fact) => `give ${fact}`);
  const came = [...evidence.notes.slice(0, 1), ...missing].filter((text) => text !== '').map(oneLine);
  return `${markOf(verdict, process.stdout)} ${id.padEnd(29)} ${title}: ${came.join('; ')}`;
}

function checkedUrl(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${name}: ${text} is not an http(s) address`);
  if (url.username !== '' || url.password !== '')
    throw new UsageError(`${name}: remove user and password from the URL`);
  if (url.hash !== '') throw new UsageError(`${name}: remove the part from # on, which is never sent`);
  return text;
}

function secretOf({ secret, secretEnv }: ReceiverOptions): string {
  const text = (secret ?? process.env[secretEnv] ?? '').trim();
  if (text === '')
    throw new UsageError(`a secret is needed: --secret, or the environment variable ${secretEnv}`);
  if (!isWebhookSecret(text))
    throw new UsageError(
      'the secret (not shown here) must be whsec_ followed by base64; for a plain text as key, give whsec_ and the base64 of the text',
    );
  return text;
}

/** The checks that `--only` names: by their whole ids or by how they begin. */
function select(only: string | undefined): ReceiverCheck[] {
  if (only === undefined) return [...receiverChecks];
  const words = only.split(',').map((word) => word.trim());
  for (const word of words) {
    if (receiverChecks.some((check) => names(word, check))) continue;
    const known = receiverChecks.flatMap(({ id, rule }) => [id, rule]);
    throw new UsageError(`--only ${word} names no check of a receiver${meant(word, known)}`);
  }
  return receiverChecks.filter((check) => words.some((word) => names(word, check)));
}

function names(word: string, { id, rule }: ReceiverCheck): boolean {
  return word === id || word === id.replace('receiver.', '') || word.toUpperCase() === rule;
}

/** The flags that repeat the judgement. The secret stays in its environment variable. */
function flagsOf({ secret, secretEnv, effects, taskId, ca }: ReceiverOptions): string {
  const flags: (readonly [name: string, value: string | undefined])[] = [
    ['effects', effects],
    ['task-id', taskId],
    ['ca', ca],
  ];
  const key = secret === undefined ? ` --secret-env ${secretEnv}` : ' --secret "$GATECHECK_WEBHOOK_SECRET"';
  return (
    key + flags.map(([name, value]) => (value === undefined ? '' : ` --${name} ${shellWord(value)}`)).join('')
  );
}

/** The text quoted as one word of a POSIX shell. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
