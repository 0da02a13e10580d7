import { collecting, type Finding, Violation } from '../../rules/violation.ts';
import { parseJson } from '../../values/json.ts';
import { type Exchange, header } from '../../wire/exchange.ts';
import type { Redact } from '../../wire/redactor.ts';
import { readSse } from '../../wire/sse.ts';
import { judgeBrokenStream } from '../broken-stream.ts';
import { judgeChannelName } from '../channel-name.ts';
import { isErrorEvent } from '../chunk.ts';
import { judgeGenerateAnswer } from '../compat/generate-answer.ts';
import { judgeBrokenGenerate, judgeGenerateStream } from '../compat/generate-stream.ts';
import { judgeMessage } from '../compat/messages-answer.ts';
import { judgeBrokenMessage, judgeMessageStream } from '../compat/messages-stream.ts';
import { judgeCompletion } from '../completion.ts';
import { judgeImages } from '../media/images-answer.ts';
import { judgeAccepted, judgeRecord, type TaskRecord } from '../media/task-answer.ts';
import { readModelList } from '../model-list.ts';
import { judgeErrorShape } from '../refusal.ts';
import { judgeRetryHint } from '../retry-hint.ts';
import { judgeStream } from '../stream.ts';
import { type Call, callOf } from './call.ts';
import { judgeWords } from './judge-words.ts';
import type { ShownRow } from './rows.ts';

/** The result for one exchange: the group of rules that applied, and the violations. */
export interface Judged<Row extends string = ShownRow> {
  readonly row: Row;
  readonly findings: readonly Finding[];
}

/** Facts that the exchange itself does not show. */
export interface Known {
  /** How far the deployment's clock was ahead of ours meanwhile, ms; null when unknown. */
  readonly clockAheadMs: number | null;
  /** Public ids of channels that errors may name; empty where none are declared. */
  readonly channels: readonly string[];
  /** The models that may answer for others; empty where no fallback is declared. */
  readonly standIns: readonly string[];
  /** Masks secrets: a text that it changes contains a secret. */
  readonly conceal: Redact;
  /** Whether to judge refusals of paths outside the specification too. */
  readonly anyPath: boolean;
}

/** Everything that an exchange shows by itself. */
export interface Shown {
  /** Null for paths outside the specification. */
  readonly call: Call | null;
  readonly judged: readonly Judged[];
  /** The task record that it read, if its form is valid. */
  readonly record: TaskRecord | null;
  /** The ids of a list of models. */
  readonly models: readonly string[] | null;
}

interface One {
  readonly exchange: Exchange;
  readonly call: Call;
  /** Whether it is a stream that reports a failure, or broke off. */
  readonly isBroken: boolean;
  readonly clockAheadMs: number;
  readonly channels: readonly string[];
}

/** Rules that depend on the deployment's clock. */
const ofTheClock = ['RESP-003', 'IMG-018', 'TASK-012', 'TASK-013'];

/** The upstream may have reported no counts, or sent tool arguments that are not JSON. An answer alone does not show this. */
const open = { uncounted: true, brokenArguments: true };

/**
 * Judges an exchange by everything it shows alone: the form of each member and event, codes, and the wording of failures (all
 * headings). Judges nothing where the request is not a JSON object, because the request is then unknown.
 */
export function judgeExchange(exchange: Exchange, known: Known, call = callOf(exchange)): Shown {
  const { response, request } = exchange;
  const nothing: Shown = { call, judged: [], record: null, models: null };
  if (response === null || (call === null && !known.anyPath)) return nothing;
  const judged = <Row extends string>(row: Row, judge: () => unknown): Judged<Row> =>
    judgedBy(row, known.clockAheadMs !== null, judge);
  const words = (): Judged => judged('words', () => judgeWords(exchange, call, known.conceal));
  if (response.status >= 400) {
    // The answer to HEAD has no body, and preflights are unspecified (reading B-09).
    if (request.method === 'HEAD' || request.method === 'OPTIONS' || hasOddId(exchange)) return nothing;
    const errors = judged('errors', () => {
      const error = judgeErrorShape(exchange);
      judgeChannelName(error, known.channels, exchange);
      judgeRetryHint(error.code, exchange, known.clockAheadMs);
    });
    return { ...nothing, judged: [errors, words()] };
  }
  const readsRequest = ['chat', 'compatA', 'images'].includes(call?.protocol ?? '');
  if (call === null || (readsRequest && call.request === null)) return nothing;
  const isBroken = call.stream && hasFailed(exchange);
  const one = { exchange, call, isBroken, channels: known.channels, clockAheadMs: known.clockAheadMs ?? 0 };
  let [record, models]: [TaskRecord | null, readonly string[] | null] = [null, null];
  const answer = judged(rowOf(call), () => {
    if (call.protocol === 'read') record = judgeRecord(exchange, call.taskId ?? '', { openNames: true });
    else if (call.protocol === 'models') models = readModelList(exchange);
    else judgeServedCall(one);
  });
  const served = { ...answer, findings: answer.findings.filter((one) => !mayStandIn(one, known.standIns)) };
  const isFailing = call.protocol === 'read' || isBroken;
  return { call, judged: isFailing ? [served, words()] : [served], record, models };
}

/** Findings about the model that an answer names. */
const aboutNames = ['RESP-004 served-model', 'COMPA-010 model-name', 'COMPB-010 model-public'];

/** Whether a finding is about the model that an answer names. */
export function isAboutNames({ requirement, aspect }: Finding): boolean {
  return aboutNames.includes(`${requirement} ${aspect}`);
}

/** Whether a finding only reports a model that may answer for others. */
export function mayStandIn(finding: Finding, standIns: readonly string[]): boolean {
  return isAboutNames(finding) && standIns.includes(finding.actual.split(' ').at(-1) ?? '');
}

/** Runs a judge of complete answers, and collects its findings. */
export function judgedBy<Row extends string>(row: Row, isTimed: boolean, judge: () => unknown): Judged<Row> {
  const found: Finding[] = [];
  try {
    collecting((finding) => found.push(finding), judge);
  } catch (error) {
    // JSON beyond our reader's nesting limit is not read: our own limit violates no rule.
    if (!(error instanceof Violation || error instanceof RangeError)) throw error;
    if (error instanceof Violation) found.push(error.finding);
  }
  const counts = ({ isAdvice, requirement }: Finding): boolean =>
    isAdvice !== true && (isTimed || !ofTheClock.includes(requirement));
  return { row, findings: found.filter(counts) };
}

function rowOf({ protocol, stream }: Call): ShownRow {
  switch (protocol) {
    case 'chat':
      return stream ? 'stream' : 'chat';
    case 'submit':
    case 'read':
      return 'tasks';
    default:
      return protocol;
  }
}

function judgeServedCall(one: One): void {
  const { exchange, call, isBroken, clockAheadMs, channels } = one;
  const { model, request } = call;
  switch (call.protocol) {
    case 'chat': {
      const choseToCall = [undefined, null, 'auto'].some((free) => request?.tool_choice === free);
      const accepted = { requirement: 'RESP-023', aspect: 'served' };
      const expected = { ...accepted, ...open, model, choseToCall, clockAheadMs };
      if (isBroken) judgeBrokenStream(exchange, channels);
      else (call.stream ? judgeStream : judgeCompletion)(exchange, expected);
      return;
    }
    case 'compatA': {
      const expected = { requirement: 'COMPA-010', aspect: 'served', model };
      if (isBroken) judgeBrokenMessage(exchange, channels);
      else (call.stream ? judgeMessageStream : judgeMessage)(exchange, expected);
      return;
    }
    case 'compatB': {
      const expected = { requirement: 'COMPB-010', aspect: 'served', model, uncounted: true };
      if (isBroken) judgeBrokenGenerate(exchange, expected, channels);
      else (call.stream ? judgeGenerateStream : judgeGenerateAnswer)(exchange, expected);
      return;
    }
    case 'images': {
      const { n, response_format: form } = request ?? {};
      const isBase64 = form === 'b64_json' ? { form: 'b64_json' as const } : {};
      judgeImages(exchange, { ...(typeof n === 'number' ? { n } : {}), ...isBase64, clockAheadMs });
      return;
    }
    default:
      judgeAccepted(exchange, { clockAheadMs });
  }
}

/** Whether a stream reports a failure, or broke off. */
export function hasFailed({ response }: Pick<Exchange, 'response'>): boolean {
  return response === null || !response.complete || failuresIn(response.body).length > 0;
}

/** The data of the events by which a stream reports a failure. */
export function failuresIn(stream: Buffer): string[] {
  return readSse(stream)
    .events.filter(
      ({ data, event }) => event === 'error' || (mayBeError(data) && isErrorEvent(parseJson(data))),
    )
    .map(({ data }) => data);
}

/** A cheap test that spares most events their parsing; letters of a name may be written as escapes. */
function mayBeError(json: string): boolean {
  return json.includes('error') || json.includes('\\u');
}

/** Whether a path has encoded characters, which no issued id has. A proxy may refuse such a path in its own format. */
function hasOddId({ request: { method, url } }: Exchange): boolean {
  return method === 'GET' && (URL.parse(url)?.pathname ?? '').includes('%');
}

/**
 * How far the Date header shows the deployment's clock ahead of ours: 0 if both agree, null if not, undefined without the
 * header.
 */
export function clockAheadBy(exchange: Exchange, apartMs: number): 0 | null | undefined {
  const date = header(exchange, 'date');
  if (date === null) return undefined;
  const dated = Date.parse(date);
  return dated >= exchange.sentAt - apartMs && dated <= exchange.endedAt + apartMs ? 0 : null;
}
