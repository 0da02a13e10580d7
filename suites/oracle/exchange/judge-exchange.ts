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
import { judgeStream } from '../stream.ts';
import { type Call, callOf } from './call.ts';
import { judgeWords } from './judge-words.ts';
import type { ShownRow } from './rows.ts';

/** What one exchange shows: the group of rules that it is evidence of, and what it breaks of them. */
export interface Judged<Row extends string = ShownRow> {
  readonly row: Row;
  readonly findings: readonly Finding[];
}

/** What is known beside the exchange. */
export interface Known {
  /** How far the deployment's clock was ahead of ours meanwhile, ms; null when unknown. */
  readonly clockAheadMs: number | null;
  /** Public ids of channels that errors may name; empty where none are declared. */
  readonly channels: readonly string[];
  /** The models that may answer for others; empty where no fallback is declared. */
  readonly standIns: readonly string[];
  /** Replaces what is secret: a text that it changes holds a secret. */
  readonly conceal: Redact;
  /** Whether refusals of paths beyond the interface count. */
  readonly anyPath: boolean;
}

/** What an exchange shows by itself. */
export interface Shown {
  /** Null where the exchange is not of the interface. */
  readonly call: Call | null;
  readonly judged: readonly Judged[];
  /** The record of a task that it has read, where its form is right. */
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

/** The upstream may have counted nothing, or called a tool with what is no JSON: an answer alone does not show it. */
const open = { uncounted: true, brokenArguments: true };

/**
 * Judges an exchange by all that it shows alone: the form of each member and event, codes, the words of failures (all
 * headings). Nothing is judged where the request is no JSON object: then the question is unknown.
 */
export function judgeExchange(exchange: Exchange, known: Known, call = callOf(exchange)): Shown {
  const { response, request } = exchange;
  const nothing: Shown = { call, judged: [], record: null, models: null };
  if (response === null || (call === null && !known.anyPath)) return nothing;
  const judged = <Row extends string>(row: Row, judge: () => unknown): Judged<Row> =>
    judgedBy(row, known.clockAheadMs !== null, judge);
  const words = (): Judged => judged('words', () => judgeWords(exchange, call, known.conceal));
  if (response.status >= 400) {
    // The answer to HEAD has no body, and of preflights nothing is said (reading B-09).
    if (request.method === 'HEAD' || request.method === 'OPTIONS' || hasOddId(exchange)) return nothing;
    const errors = judged('errors', () => {
      judgeChannelName(judgeErrorShape(exchange), known.channels, exchange);
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

/** Whether a finding says only that a model has answered which may answer for others. */
export function mayStandIn(finding: Finding, standIns: readonly string[]): boolean {
  return isAboutNames(finding) && standIns.includes(finding.actual.split(' ').at(-1) ?? '');
}

/** Runs a judge of whole answers, and keeps what it finds. */
export function judgedBy<Row extends string>(row: Row, isTimed: boolean, judge: () => unknown): Judged<Row> {
  const found: Finding[] = [];
  try {
    collecting((finding) => found.push(finding), judge);
  } catch (error) {
    // What is nested too deep is not read: the limits of our own reader break no rule.
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
  if (response === null || !response.complete) return true;
  return readSse(response.body).events.some(
    ({ data, event }) => event === 'error' || isErrorEvent(parseJson(data)),
  );
}

/** Whether a path holds encoded characters, which no issued id does: what stands in front may refuse them in its own words. */
function hasOddId({ request: { method, url } }: Exchange): boolean {
  return method === 'GET' && (URL.parse(url)?.pathname ?? '').includes('%');
}

/** How far an answer's own date says that its clock is ahead of ours: 0 where it is like ours, null where it is not. */
export function clockAheadBy(exchange: Exchange, apartMs: number): 0 | null | undefined {
  const date = header(exchange, 'date');
  if (date === null) return undefined;
  const dated = Date.parse(date);
  return dated >= exchange.sentAt - apartMs && dated <= exchange.endedAt + apartMs ? 0 : null;
}
