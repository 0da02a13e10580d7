import { judgeBrokenStream } from '../oracle/broken-stream.ts';
import { isErrorEvent } from '../oracle/chunk.ts';
import { judgeGenerateAnswer } from '../oracle/compat/generate-answer.ts';
import {
  isBrokenGenerate,
  judgeBrokenGenerate,
  judgeGenerateStream,
} from '../oracle/compat/generate-stream.ts';
import { judgeMessage } from '../oracle/compat/messages-answer.ts';
import { judgeBrokenMessage, judgeMessageStream } from '../oracle/compat/messages-stream.ts';
import { judgeCompletion } from '../oracle/completion.ts';
import { judgeImages } from '../oracle/media/images-answer.ts';
import { judgeAccepted, judgeRecord } from '../oracle/media/task-answer.ts';
import { readModelList } from '../oracle/model-list.ts';
import { judgeErrorShape } from '../oracle/refusal.ts';
import { judgeStream } from '../oracle/stream.ts';
import type { Profile } from '../profile/profile.ts';
import { collecting, type Finding, Violation } from '../rules/violation.ts';
import { isJsonObject, parseJson } from '../values/json.ts';
import { decodedPart } from '../wire/curl.ts';
import { type Exchange, header } from '../wire/exchange.ts';
import { readSse } from '../wire/sse.ts';
import type { Passing } from './connection-tap.ts';
import { chargeCases, hookRead } from './judge-charges.ts';
import { eventCases, readAfterEvents } from './judge-events.ts';
import type { ModelNames } from './model-names.ts';
import type { PassedCalls } from './passed-calls.ts';
import { isEvent, type PassedEvents } from './passed-events.ts';
import type { PassiveName } from './passive-rules.ts';
import type { Submissions } from './submissions.ts';
import type { TaskTraces } from './task-traces.ts';

/** What one exchange shows: the check that it is evidence of, and what it breaks. */
export interface Judged {
  readonly check: PassiveName;
  readonly findings: readonly Finding[];
}

type Json = Readonly<Record<string, unknown>>;

/** Answers in this time may lack what only another clock explains, ms. */
const clockApartMs = 60_000;

/** Rules that depend on what the upstream said, which nobody sees here. */
const ofTheUpstream: readonly string[] = ['CHAT-021 cap-on-completion'];
/** Rules that depend on the deployment's clock. */
const ofTheClock: readonly string[] = ['RESP-003', 'IMG-018', 'TASK-012', 'TASK-013'];

/** What is remembered from one exchange to the next. */
export interface Memory {
  readonly traces: TaskTraces;
  readonly names: ModelNames;
  readonly calls: PassedCalls;
  readonly submissions: Submissions;
  readonly events: PassedEvents;
  /** Whether answers of the deployment so far were dated by a clock like ours. */
  isOurTime: boolean;
  /** What is declared of the deployment; null without a profile. */
  readonly profile: Profile | null;
}

/** Judges an exchange by what it shows alone; reads of tasks also by the reads before. Empty where it is not of the interface. */
export function judgePassing({ exchange, began, ended }: Passing, memory: Memory): Judged[] {
  const { profile } = memory;
  const hook = hookRead(exchange, profile);
  if (hook !== null && profile !== null)
    return chargeCases(exchange, hook, { ...memory, profile }).map(({ check, judge }) =>
      judged(check, exchange, judge),
    );
  if (profile !== null) memory.calls.note(exchange, profile);
  const route = routeOf(exchange);
  if (route === undefined && isEvent(exchange, memory))
    return eventCases(exchange, memory).map(({ check, judge }) => judged(check, exchange, judge));
  if (route === undefined || exchange.response === null) return [];
  memory.isOurTime = isDated(exchange) ? isOurTime(exchange) : memory.isOurTime;
  if (exchange.response.status >= 400)
    return hasOddId(exchange) ? [] : [judged('errors', exchange, () => judgeErrorShape(exchange))];
  const body = parseJson(exchange.request.body.toString('utf8'));
  // What was asked for is not known: neither is what may be answered.
  if (route.readsRequest && !isJsonObject(body)) return [];
  const request = isJsonObject(body) ? body : {};
  return route.judge({ exchange, pathname: pathOf(exchange), request, began, ended, memory });
}

/** Whether a path holds encoded characters, which no issued id does: what stands in front may refuse them in its own words. */
function hasOddId({ request }: Exchange): boolean {
  return request.method === 'GET' && pathOf({ request }).includes('%');
}

/** Whether it is a call of what is judged here. */
export function isOfInterface(exchange: Exchange): boolean {
  return routeOf(exchange) !== undefined;
}

function routeOf(exchange: Exchange): Route | undefined {
  const path = pathOf(exchange);
  return routes.find((one) => one.method === exchange.request.method && one.path.test(path));
}

function pathOf({ request: { url } }: Pick<Exchange, 'request'>): string {
  return URL.parse(url)?.pathname ?? '';
}

interface Case {
  readonly memory: Memory;
  readonly exchange: Exchange;
  readonly pathname: string;
  readonly request: Json;
  readonly began: number;
  readonly ended: number;
}

interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: RegExp;
  /** Whether what has to be answered depends on the body of the request. */
  readonly readsRequest?: boolean;
  readonly judge: (one: Case) => Judged[];
}

const routes: readonly Route[] = [
  { method: 'POST', path: /\/api\/v1\/chat\/completions$/, readsRequest: true, judge: judgeChat },
  { method: 'GET', path: /\/api\/v1\/models$/, judge: judgeModels },
  { method: 'POST', path: /\/api\/v1\/images\/generations$/, readsRequest: true, judge: judgeImage },
  {
    method: 'POST',
    path: /\/api\/v1\/tasks$/,
    judge: ({ exchange, memory }) => {
      memory.submissions.note(exchange, memory.profile);
      return [judged('tasks', exchange, () => judgeAccepted(exchange))];
    },
  },
  { method: 'GET', path: /\/api\/v1\/tasks\/[^/]+$/, judge: judgeTaskRead },
  { method: 'POST', path: /\/compat-a\/v1\/messages$/, readsRequest: true, judge: judgeCompatA },
  {
    method: 'POST',
    path: /\/compat-b\/v1beta\/models\/[^/]+:(?:generateContent|streamGenerateContent)$/,
    judge: judgeCompatB,
  },
];

function judged(check: PassiveName, exchange: Exchange, judge: () => unknown): Judged {
  const found: Finding[] = [];
  try {
    collecting((finding) => found.push(finding), judge);
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    found.push(error.finding);
  }
  return {
    check,
    findings: found.filter((finding) => finding.isAdvice !== true && isVisible(finding, exchange)),
  };
}

/** Whether a finding is about the deployment, and not about what stands behind it or about our clock. */
function isVisible({ requirement, aspect }: Finding, exchange: Exchange): boolean {
  if (ofTheUpstream.includes(`${requirement} ${aspect}`)) return false;
  return !ofTheClock.includes(requirement) || isOurTime(exchange);
}

function isDated(exchange: Exchange): boolean {
  return header(exchange, 'date') !== null;
}

/** Whether the answer is dated by a clock like ours. */
function isOurTime(exchange: Exchange): boolean {
  const { sentAt, endedAt } = exchange;
  const date = header(exchange, 'date');
  const dated = Date.parse(date ?? '');
  return dated >= sentAt - clockApartMs && dated <= endedAt + clockApartMs;
}

function judgeModels({ exchange, memory }: Case): Judged[] {
  return [judged('models', exchange, () => memory.names.listed(readModelList(exchange)))];
}

function modelOf({ model }: Json): string {
  return typeof model === 'string' ? model : '';
}

function judgeChat({ exchange, request }: Case): Judged[] {
  const expected = { requirement: 'RESP-023', aspect: 'served', model: modelOf(request) };
  // The upstream may have counted nothing, or called a tool with what is no JSON: nobody sees that here.
  const open = { uncounted: true, brokenArguments: true };
  const choseToCall = [undefined, null, 'auto'].some((free) => request.tool_choice === free);
  if (request.stream !== true)
    return [judged('chat', exchange, () => judgeCompletion(exchange, { ...expected, ...open, choseToCall }))];
  if (hasFailed(exchange)) return [judged('stream', exchange, () => judgeBrokenStream(exchange))];
  return [judged('stream', exchange, () => judgeStream(exchange, { ...expected, ...open, choseToCall }))];
}

/** Whether a stream reports a failure, or broke off. */
function hasFailed({ response }: Exchange): boolean {
  if (response === null || !response.complete) return true;
  return readSse(response.body).events.some(({ data }) => isErrorEvent(parseJson(data)));
}

function judgeCompatA({ exchange, request }: Case): Judged[] {
  const expected = { requirement: 'COMPA-010', aspect: 'served', model: modelOf(request) };
  if (request.stream !== true) return [judged('compatA', exchange, () => judgeMessage(exchange, expected))];
  const events = readSse(exchange.response?.body ?? Buffer.alloc(0)).events;
  const isBroken = exchange.response?.complete !== true || events.some(({ event }) => event === 'error');
  if (isBroken) return [judged('compatA', exchange, () => judgeBrokenMessage(exchange))];
  return [judged('compatA', exchange, () => judgeMessageStream(exchange, expected))];
}

function judgeCompatB({ exchange, pathname }: Case): Judged[] {
  const named = /models\/([^/]+):(\w+)$/.exec(pathname) ?? [];
  const model = decodedPart(named[1] ?? '');
  const expected = { requirement: 'COMPB-010', aspect: 'served', model, uncounted: true };
  if (named[2] === 'generateContent')
    return [judged('compatB', exchange, () => judgeGenerateAnswer(exchange, expected))];
  if (exchange.response?.complete !== true || isBrokenGenerate(exchange))
    return [judged('compatB', exchange, () => judgeBrokenGenerate(exchange, expected))];
  return [judged('compatB', exchange, () => judgeGenerateStream(exchange, expected))];
}

function judgeImage({ exchange, request }: Case): Judged[] {
  const { n, response_format: form } = request;
  const expected = {
    ...(typeof n === 'number' ? { n } : {}),
    ...(form === 'b64_json' ? { form: 'b64_json' as const } : {}),
  };
  return [judged('images', exchange, () => judgeImages(exchange, expected))];
}

/** The names of results are shown for videos alone, and nobody sees here which model made the task. */
function judgeTaskRead({ exchange, pathname, began, ended, memory }: Case): Judged[] {
  const { traces } = memory;
  const id = decodedPart(pathname.slice(pathname.lastIndexOf('/') + 1));
  const further: Judged[] = [];
  const alone = judged('tasks', exchange, () => {
    const record = judgeRecord(exchange, id, { openNames: true });
    if (traces.isAgain(id))
      further.push(judged('traces', exchange, () => traces.add(id, { record, began, ended })));
    else traces.add(id, { record, began, ended });
    for (const { check, judge } of readAfterEvents(record, memory))
      further.push(judged(check, exchange, judge));
  });
  return [alone, ...further];
}
