import { styleText } from 'node:util';
import { renderConsole } from 'gatecheck-reports/console';
import { oneLine } from 'gatecheck-reports/plain-text';
import type { Failure, Report, Verdict } from 'gatecheck-reports/report';
import { undonePassing } from '../deviations/undo.ts';
import { inDialect } from '../dialects/in-dialect.ts';
import { type ExitCode, UsageError } from '../process/exit-codes.ts';
import { mostBytes, readWithin, unreadable } from '../process/read-file.ts';
import { loadProfile } from '../profile/load-profile.ts';
import type { Profile } from '../profile/profile.ts';
import { loadRegister } from '../rules/register.ts';
import { verdictOf } from '../runner/conclude.ts';
import type { Passing, Unjudged } from '../watch/connection-tap.ts';
import { readHar } from '../watch/har.ts';
import { MemoryBudget } from '../watch/memory-budget.ts';
import { type PassiveName, passiveChecks } from '../watch/passive-rules.ts';
import { type RelayOptions, type RunningRelay, startRelay } from '../watch/relay.ts';
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
  /** A profile of the deployment, for rules about prices and secrets. */
  readonly target?: string;
  /** A file with list prices, which override those of the profile. */
  readonly prices?: string;
  /** Where events arrive here, and the receiver that they are passed on to. */
  readonly eventsListen?: number;
  readonly eventsTo?: string;
  readonly eventsCert?: string;
  readonly eventsKey?: string;
  /** The share of calls to judge, percent. */
  readonly sample: number;
  readonly minutes?: number;
  readonly bodyMb: number;
  readonly memoryMb: number;
  readonly out: string;
}

/** How many tasks are followed at once. */
const mostTasks = 2_000;
const bytesPerMb = 1024 * 1024;

/** `gatecheck watch`: judges the traffic between clients and a deployment, and sends nothing itself. */
export async function watchCommand(options: WatchOptions): Promise<ExitCode> {
  if ((options.har === undefined) === (options.upstream === undefined))
    throw new UsageError('give either --upstream (live traffic) or --har (a recording)');
  if (options.sample > 100) throw new UsageError('--sample is a percentage: give at most 100');
  mustFit(options);
  const profile = profileOf(options);
  prepareFolder(options.out);
  const [startedAt, register, command] = [new Date(), loadRegister(), commandOf(options)];
  const watcher = new Watcher({
    ...{ register, sample: options.sample / 100, tasks: mostTasks, command, profile },
    bodyBytes: options.bodyMb * bytesPerMb,
    onFailure: (check, failure) =>
      process.stdout.write(`${lineOf(check, failure, verdictOf(failure, register))}\n`),
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

/** The declared facts of the deployment, with the list prices of the option. */
function profileOf({ target, prices }: WatchOptions): Profile | null {
  if (target === undefined) {
    if (prices !== undefined)
      throw new UsageError(
        '--prices needs --target: the profile says whose key pays, with which markup, and where charges are read',
      );
    return null;
  }
  const profile = undonePassing(inDialect(loadProfile(target, process.env)));
  return { ...profile, pricing: pricingOf(prices === undefined ? {} : { prices }, profile) };
}

/** @throws UsageError where options about events do not belong together */
function mustFit({ har, eventsListen, eventsTo, eventsCert, eventsKey }: WatchOptions): void {
  if ((eventsListen === undefined) !== (eventsTo === undefined))
    throw new UsageError(
      '--events-listen and --events-to belong together: where events arrive, and where they go',
    );
  if ((eventsCert === undefined) !== (eventsKey === undefined))
    throw new UsageError('--events-cert and --events-key belong together');
  if (eventsListen === undefined && eventsCert !== undefined)
    throw new UsageError('--events-cert needs --events-listen');
  if (har !== undefined && eventsListen !== undefined)
    throw new UsageError(
      '--events-listen is for --upstream: events of a recording are judged where they stand in it',
    );
}

/** Runs as a proxy between clients and the deployment until SIGTERM, or until the time is up. */
async function stand(options: WatchOptions, watcher: Watcher): Promise<string | null> {
  const upstream = checkedUrl(options.upstream ?? '', '--upstream');
  const eventsTo = options.eventsTo === undefined ? null : checkedUrl(options.eventsTo, '--events-to');
  const common = {
    ...{ host: options.host, ca: readPem(options.ca, '--ca') },
    memory: new MemoryBudget(options.bodyMb * bytesPerMb, options.memoryMb * bytesPerMb),
    onPassing: (passing: Passing) => watcher.take(passing),
    onUnjudged: (why: Unjudged) => watcher.leftOut(why),
    onUnreachable: onceEach((why) =>
      process.stderr.write(`No connection to the deployment: ${oneLine(why)}\n`),
    ),
  };
  const tls = certificateOf(options);
  const interrupts = catchInterrupts();
  const relays: RunningRelay[] = [];
  const start = async (
    flag: string,
    more: Pick<RelayOptions, 'upstream' | 'port' | 'tls'>,
  ): Promise<string> => {
    const relay = await startRelay({ ...common, ...more }).catch((error: Error) => {
      throw new UsageError(`${flag} ${more.port} cannot be used: ${error.message}`);
    });
    relays.push(relay);
    return relay.url;
  };
  try {
    const watchUrl = await start('--listen', { upstream, port: options.listen });
    const events =
      eventsTo === null
        ? {}
        : {
            events_url: await start('--events-listen', {
              ...{ upstream: eventsTo, port: options.eventsListen ?? 0, tls },
            }),
          };
    process.stdout.write(`${JSON.stringify({ watch_url: watchUrl, upstream: upstream.href, ...events })}\n`);
    const late = options.minutes === undefined ? null : AbortSignal.timeout(options.minutes * 60_000);
    const end = late === null ? interrupts.signal : AbortSignal.any([interrupts.signal, late]);
    if (!end.aborted) await new Promise((resolve) => end.addEventListener('abort', resolve, { once: true }));
    return null;
  } finally {
    for (const relay of relays) await relay.close();
    interrupts.release();
  }
}

/** The certificate that senders of events are shown; undefined where something before it speaks TLS. */
function certificateOf({ eventsCert, eventsKey }: WatchOptions): RelayOptions['tls'] {
  const [cert, key] = [readPem(eventsCert, '--events-cert'), readPem(eventsKey, '--events-key')];
  return cert === undefined || key === undefined ? undefined : { cert, key };
}

function read(file: string, watcher: Watcher): null {
  let text: string;
  try {
    text = readWithin(file, mostBytes.report).toString('utf8');
  } catch (error) {
    throw unreadable(`--har ${file}`, error);
  }
  const recording = readHar(text);
  if (recording === null) throw new UsageError(`--har ${file} is no HTTP archive (HAR)`);
  for (const why of recording.unjudged) watcher.leftOut(why);
  for (const one of recording.exchanges) watcher.take(one);
  return null;
}

/** Prints equal messages only once. */
function onceEach(say: (text: string) => void): (text: string) => void {
  const said = new Set<string>();
  return (text) => {
    if (!said.has(text)) say(text);
    said.add(text);
  };
}

function checkedUrl(text: string, flag: string): URL {
  const url = URL.parse(text);
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.search !== '' ||
    url.pathname !== '/'
  )
    throw new UsageError(`${flag} ${text}: give an address without a path, as https://gateway.example.com`);
  return url;
}

function readPem(file: string | undefined, flag: string): Buffer | undefined {
  if (file === undefined) return undefined;
  try {
    return readWithin(file, mostBytes.pem);
  } catch (error) {
    throw unreadable(`${flag} ${file}`, error);
  }
}

function commandOf(options: WatchOptions): string {
  const { upstream, listen, har, target, prices, sample, eventsListen, eventsTo } = options;
  const what = har === undefined ? `--upstream ${upstream} --listen ${listen}` : `--har ${har}`;
  const files = [
    ...(eventsTo === undefined ? [] : [` --events-listen ${eventsListen} --events-to ${eventsTo}`]),
    ...(target === undefined ? [] : [` --target ${target}`]),
    ...(prices === undefined ? [] : [` --prices ${prices}`]),
  ];
  return `npx gatecheck watch ${what}${files.join('')}${sample === 100 ? '' : ` --sample ${sample}`}`;
}

function lineOf(
  check: PassiveName,
  { requirement, aspect, expected, actual, exchange }: Failure,
  verdict: Verdict,
): string {
  const where =
    exchange === null ? '' : ` ${exchange.request.method} ${new URL(exchange.request.url).pathname}:`;
  const text = oneLine(`expected ${expected}; got ${actual}`);
  return `${markOf(verdict, process.stdout)} ${passiveChecks[check].id} ${requirement} ${aspect}:${where} ${text}`;
}

function show(report: Report, out: string): void {
  const color = styleText('red', 'x', { stream: process.stdout }) !== 'x';
  process.stdout.write(`\n${renderConsole(report, { color, width: process.stdout.columns ?? 100 })}`);
  writeReports(report, out);
  nameReports(out);
}
