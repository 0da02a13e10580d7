import { setTimeout as wait } from 'node:timers/promises';
import { startRead } from '../wire.ts';
import { type AuditAccount, auditAccounts } from './audit-config.ts';
import type { Gateway } from './fleet.ts';
import type { Sighting, Sightings } from './sightings.ts';
import { answeredWays, taskWays, type Way } from './ways.ts';

/** The outcome of a request: a complete valid answer, no free slot, no answer because its process was killed, or other. */
type CallEnd = 'answered' | 'capped' | 'cut' | 'other';

export interface Callers {
  /** Sends one request and records what the caller sees. */
  call(gateway: Gateway, account: AuditAccount, way: Way): Promise<CallEnd>;
  /** Lets callers of every account send requests until `over` aborts; some of them submit tasks up to a number. */
  load(over: AbortSignal, mostTasks: number): Promise<void>;
  /** Tasks that were submitted and acknowledged. */
  readonly taskCount: number;
}

export interface CallersParts {
  readonly sightings: Sightings;
  readonly live: readonly Gateway[];
  readonly random: () => number;
  readonly webhookUrl: string;
  /** A violation that a caller saw, in one sentence. */
  readonly onWrong: (what: string) => void;
}

/** More callers than the cap allows, so that some requests are always rejected. */
const callersEach = 4;
const submittersEach = 1;
const pauseMs = 50;

export function createCallers(parts: CallersParts): Callers {
  const { sightings, live, random } = parts;
  let last = 0;
  let taskCount = 0;
  const pick = <One>(some: readonly One[]): One | undefined => some[Math.floor(random() * some.length)];

  const call = async (gateway: Gateway, account: AuditAccount, way: Way): Promise<CallEnd> => {
    last += 1;
    const sighting = sightings.begin({ n: last, user: account.user, way, gateway: gateway.number });
    const asking = way.ask({ n: last, ...account, webhookUrl: parts.webhookUrl });
    const sent = startRead(gateway.url + asking.path, asking.question);
    sightings.onMoment({ what: 'asked', n: last, gateway: gateway.number });
    const end = await readAnswer(sent, sighting, parts);
    if (end === 'answered' && way.kind === 'task') taskCount += 1;
    return end;
  };
  const loop = async (account: AuditAccount, ways: readonly Way[], isOver: () => boolean): Promise<void> => {
    while (!isOver()) {
      const [gateway, way] = [pick(live), pick(ways)];
      const end = gateway && way && (await call(gateway, account, way));
      if (end !== 'answered') await wait(pauseMs);
    }
  };
  return {
    call,
    get taskCount() {
      return taskCount;
    },
    load: async (over, mostTasks) => {
      const isOver = (): boolean => over.aborted;
      const isEnough = (): boolean => over.aborted || taskCount >= mostTasks;
      const times = (count: number, work: () => Promise<void>): Promise<void>[] =>
        Array.from({ length: count }, work);
      await Promise.all(
        auditAccounts.flatMap((account) => [
          ...times(callersEach, () => loop(account, answeredWays, isOver)),
          ...times(submittersEach, () => loop(account, taskWays, isEnough)),
        ]),
      );
    },
  };
}

async function readAnswer(
  sent: ReturnType<typeof startRead>,
  sighting: Sighting,
  { sightings, live, onWrong }: CallersParts,
): Promise<CallEnd> {
  const { n, way } = sighting;
  try {
    const { statusCode, headers, body } = await sent;
    let text = '';
    for await (const chunk of body.setEncoding('utf8')) {
      text += chunk;
      if (sighting.beganAtMs !== null || !way.isStream || statusCode !== 200) continue;
      sighting.beganAtMs = Date.now();
      sightings.onMoment({ what: 'streamed', n, gateway: sighting.gateway });
    }
    if (statusCode === 200 && way.isWhole(text)) {
      note(sighting, String(headers['x-request-id']), text);
      return 'answered';
    }
    if (sighting.isShaken) {
      if (!/"error":\{.*"code":"/s.test(text)) onWrong(`number ${n} was refused with ${statusCode} ${text}`);
      return 'other';
    }
    if (statusCode === 429 && /concurrency_exceeded|in flight/.test(text)) return 'capped';
    onWrong(`number ${n} (${way.name}) was answered ${statusCode} ${text.slice(0, 300)}`);
    return 'other';
  } catch (error) {
    if (!sighting.isShaken && live.some(({ number }) => number === sighting.gateway))
      onWrong(`number ${n} (${way.name}) was cut by a process that lives: ${String(error)}`);
    sighting.isCut = true;
    return 'cut';
  }
}

function note(sighting: Sighting, requestId: string, text: string): void {
  sighting.answeredAtMs = Date.now();
  sighting.requestId = requestId;
  if (sighting.way.kind === 'task') sighting.taskId = JSON.parse(text).task_id;
  if (sighting.way.kind === 'images')
    sighting.links = JSON.parse(text).data.map(({ url }: { url: string }) => new URL(url).pathname);
}
