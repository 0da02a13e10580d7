import { readFileSync } from 'node:fs';
import { styleText } from 'node:util';
import { renderConsole } from '../../reports/console.ts';
import { oneLine } from '../../reports/plain-text.ts';
import type { Failure, Report } from '../../reports/report.ts';
import { type ExitCode, UsageError } from '../exit-codes.ts';
import { loadProfile } from '../profile/load-profile.ts';
import type { Profile } from '../profile/profile.ts';
import { loadRegister } from '../rules/register.ts';
import { readHar } from '../watch/har.ts';
import { type PassiveName, passiveChecks } from '../watch/passive-rules.ts';
import { startRelay } from '../watch/relay.ts';
import { Room } from '../watch/room.ts';
import { watchReport } from '../watch/watch-report.ts';
import { Watcher } from '../watch/watcher.ts';
import { pricingOf } from './budget.ts';
import { catchInterrupts } from './interrupt.ts';
import { markOf } from './progress.ts';
import { versions } from './version.ts';
import { nameReports, prepareFolder, writeReports } from './write-reports.ts';

export interface WatchOptions {
  readonly upstream?: string;
  readonly listen: number;
  readonly host: string;
  readonly ca?: string;
  readonly har?: string;
  /** A profile of the deployment, for what is judged by prices and secrets. */
  readonly target?: string;
  /** A file with list prices, before those of the profile. */
  readonly prices?: string;
  /** Percent. */
  readonly sample: number;
  readonly minutes?: number;
  readonly bodyMb: number;
  readonly memoryMb: number;
  readonly out: string;
}

/** How many tasks are followed at once. */
const mostTasks = 2_000;
const bytesPerMb = 1024 * 1024;

/** `gatecheck watch`: judges what passes between clients and a deployment, and sends nothing. */
export async function watchCommand(options: WatchOptions): Promise<ExitCode> {
  if ((options.har === undefined) === (options.upstream === undefined))
    throw new UsageError('give either --upstream, to stand before it, or --har, to read what was recorded');
  if (options.sample > 100) throw new UsageError('--sample is a percentage: give at most 100');
  const profile = profileOf(options);
  prepareFolder(options.out);
  const [startedAt, register, command] = [new Date(), loadRegister(), commandOf(options)];
  const watcher = new Watcher({
    ...{ register, sample: options.sample / 100, tasks: mostTasks, command, profile },
    onFailure: (check, failure) => process.stdout.write(`${lineOf(check, failure)}\n`),
  });
  const stopped = options.har === undefined ? await stand(options, watcher) : read(options.har, watcher);
  const undecided = await watcher.conclude();
  const report = watchReport({
    ...{ watcher, register, profile, command, startedAt, stopped, undecided, versions: versions() },
    what: options.har ?? options.upstream ?? '',
    durationMs: Date.now() - startedAt.getTime(),
  });
  show(report, options.out);
  return report.exit_code as ExitCode;
}

/** What is declared of the deployment, with the list prices of the option. */
function profileOf({ target, prices }: WatchOptions): Profile | null {
  if (target === undefined) {
    if (prices !== undefined)
      throw new UsageError(
        '--prices needs --target: the profile says whose key pays, with which markup, and where charges are read',
      );
    return null;
  }
  const profile = loadProfile(target, process.env);
  return { ...profile, pricing: pricingOf(prices === undefined ? {} : { prices }, profile) };
}

/** Stands between clients and the deployment until it is told to end, or the time is up. */
async function stand(options: WatchOptions, watcher: Watcher): Promise<string | null> {
  const upstream = checkedUrl(options.upstream ?? '');
  const ca = options.ca === undefined ? undefined : readCa(options.ca);
  const interrupts = catchInterrupts();
  const relay = await startRelay({
    ...{ upstream, ca, port: options.listen, host: options.host },
    room: new Room(options.bodyMb * bytesPerMb, options.memoryMb * bytesPerMb),
    onPassing: (passing) => watcher.take(passing),
    onUnjudged: (why) => watcher.leftOut(why),
  }).catch((error: Error) => {
    throw new UsageError(`--listen ${options.listen} cannot be used: ${error.message}`);
  });
  process.stdout.write(`${JSON.stringify({ watch_url: relay.url, upstream: upstream.href })}\n`);
  try {
    const late = options.minutes === undefined ? null : AbortSignal.timeout(options.minutes * 60_000);
    const end = late === null ? interrupts.signal : AbortSignal.any([interrupts.signal, late]);
    if (!end.aborted) await new Promise((resolve) => end.addEventListener('abort', resolve, { once: true }));
    return null;
  } finally {
    await relay.close();
    interrupts.release();
  }
}

function read(file: string, watcher: Watcher): null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new UsageError(`--har ${file} cannot be read`);
  }
  const exchanges = readHar(text);
  if (exchanges === null) throw new UsageError(`--har ${file} is no HTTP archive (HAR)`);
  for (const one of exchanges) watcher.take(one);
  return null;
}

function checkedUrl(text: string): URL {
  const url = URL.parse(text);
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.search !== '' ||
    url.pathname !== '/'
  )
    throw new UsageError(
      `--upstream ${text}: give the address of the deployment as https://gateway.example.com`,
    );
  return url;
}

function readCa(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    throw new UsageError(`--ca ${file} cannot be read`);
  }
}

function commandOf({ upstream, listen, har, target, prices, sample }: WatchOptions): string {
  const what = har === undefined ? `--upstream ${upstream} --listen ${listen}` : `--har ${har}`;
  const files = [
    ...(target === undefined ? [] : [` --target ${target}`]),
    ...(prices === undefined ? [] : [` --prices ${prices}`]),
  ];
  return `npx gatecheck watch ${what}${files.join('')}${sample === 100 ? '' : ` --sample ${sample}`}`;
}

function lineOf(check: PassiveName, { requirement, aspect, expected, actual, exchange }: Failure): string {
  const where =
    exchange === null ? '' : ` ${exchange.request.method} ${new URL(exchange.request.url).pathname}:`;
  const text = oneLine(`expected ${expected}; got ${actual}`);
  return `${markOf('fail', process.stdout)} ${passiveChecks[check].id} ${requirement} ${aspect}:${where} ${text}`;
}

function show(report: Report, out: string): void {
  const color = styleText('red', 'x', { stream: process.stdout }) !== 'x';
  process.stdout.write(`\n${renderConsole(report, { color, width: process.stdout.columns ?? 100 })}`);
  writeReports(report, out);
  nameReports(out);
}
