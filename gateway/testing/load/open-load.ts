import { setTimeout as wait } from 'node:timers/promises';
import { Agent } from 'undici';
import type { AuditAccount } from '../crash/audit-config.ts';
import { answeredWays, taskWays, type Way } from '../crash/ways.ts';
import { startRead } from '../wire.ts';
import { streamUser } from './faulty-upstream.ts';

/** One request of an open-loop load. */
export interface Sent {
  readonly n: number;
  /** Time from the scheduled start to the end of the answer. */
  readonly tookMs: number;
  readonly status: number | 'cut' | 'left';
  readonly isWhole: boolean;
  /** The beginning of an invalid answer. */
  readonly said: string;
  readonly way: string;
}

export interface LoadParts {
  readonly url: string;
  readonly account: AuditAccount;
  /** Requests per second. */
  readonly rate: number;
  /** Concurrent long streams. */
  readonly streams: number;
  /** The fraction of requests whose callers disconnect before the answer. */
  readonly leaving: number;
  readonly webhookUrl: string;
  readonly random: () => number;
  readonly onSent: (sent: Sent) => void;
}

const tickMs = 5;
const partTasks = 0.01;
const partImages = 0.02;
const leaveAfterMs = 5;
const mostSaid = 300;
const chats = answeredWays.filter(({ kind }) => kind === 'chat');
const images = answeredWays.filter(({ kind }) => kind === 'images');

/** Sends until stopped, then waits for the requests in flight and closes its connections. */
export async function openLoad(parts: LoadParts, over: AbortSignal): Promise<void> {
  const { rate, random, streams } = parts;
  const dispatcher = new Agent();
  const underWay = new Set<Promise<void>>();
  let last = 0;
  const keep = (work: Promise<void>): void => {
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  };
  const pick = (): Way | undefined => {
    const draw = random();
    const ways = draw < partTasks ? taskWays : draw < partTasks + partImages ? images : chats;
    return ways[Math.floor(random() * ways.length)];
  };
  const stream = async (): Promise<void> => {
    const way = chats.find(({ isStream }) => isStream);
    while (!over.aborted && way !== undefined) {
      last += 1;
      await sendOne({ dispatcher, n: last, user: streamUser, way, dueMs: performance.now() }, parts);
    }
  };
  for (let n = 0; n < streams; n += 1) keep(stream());
  const startedAt = performance.now();
  for (let sent = 0; !over.aborted; await wait(tickMs)) {
    for (; sent < ((performance.now() - startedAt) * rate) / 1000; sent += 1) {
      const way = pick();
      if (way === undefined) continue;
      last += 1;
      keep(
        sendOne(
          { dispatcher, n: last, user: parts.account.user, way, dueMs: startedAt + (sent * 1000) / rate },
          parts,
        ),
      );
    }
  }
  await Promise.all(underWay);
  await dispatcher.close();
}

interface One {
  readonly dispatcher: Agent;
  readonly n: number;
  readonly user: string;
  readonly way: Way;
  readonly dueMs: number;
}

async function sendOne({ dispatcher, n, user, way, dueMs }: One, parts: LoadParts): Promise<void> {
  const { url, account, webhookUrl, random, leaving, onSent } = parts;
  const { path, question } = way.ask({ n, user, key: account.key, webhookUrl });
  const leave = new AbortController();
  if (user !== streamUser && random() < leaving) setTimeout(() => leave.abort(), leaveAfterMs);
  const ended = (status: Sent['status'], isWhole: boolean, said = ''): void =>
    onSent({
      n,
      tookMs: performance.now() - dueMs,
      status,
      isWhole,
      said: isWhole ? '' : said.slice(0, mostSaid),
      way: user === streamUser ? user : way.name,
    });
  try {
    const { statusCode, body } = await startRead(url + path, {
      ...question,
      dispatcher,
      signal: leave.signal,
    });
    const text = await body.text();
    ended(statusCode, statusCode === 200 && way.isWhole(text), text);
  } catch (error) {
    ended(leave.signal.aborted ? 'left' : 'cut', false, String(error));
  }
}
