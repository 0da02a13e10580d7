import { maxNoticeBytes, type Notices } from '../store/server-session.ts';
import { type ChannelReport, reportLines, type SendReport } from './channel-report.ts';
import type { Channels } from './channels.ts';

const prefix = 'calls';

/** What is reported of one channel of one model. */
type Line = readonly [channelId: string, modelId: string, report: ChannelReport];

export interface OutcomesElsewhere {
  readonly report: SendReport;
  /** Has these channels take into account what other processes report from now on. */
  learnFor(channels: Pick<Channels, 'all'>): void;
}

/**
 * Reports to the other processes on a database server, by notices, what calls of this one say about channels. What cannot be
 * sent is lost: each process also finds out by itself.
 */
export function createOutcomesElsewhere(notices: Notices, own: string): OutcomesElsewhere {
  let waiting: Line[] = [];
  let sending: Promise<void> | null = null;
  const send = async (lines: readonly Line[]): Promise<void> => {
    const text = `${prefix} ${own} ${JSON.stringify(lines)}`;
    const half = Math.ceil(lines.length / 2);
    if (Buffer.byteLength(text) <= maxNoticeBytes) await notices.send(text);
    else if (lines.length > 1) {
      await send(lines.slice(0, half));
      await send(lines.slice(half));
    }
  };
  /** One statement at a time: what comes meanwhile goes with the next one. */
  const sendAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const lines = waiting;
      waiting = [];
      await send(lines).catch(() => {});
    }
    sending = null;
  };
  return {
    report: (...line) => {
      waiting.push(line);
      sending ??= sendAll();
      return sending;
    },
    learnFor: (channels) => {
      const known = new Map(
        channels
          .all()
          .flatMap(({ id, models }) => models.map((live) => [`${id} ${live.facts.modelId}`, live])),
      );
      notices.onNotice((text) => {
        for (const [channelId, modelId, report] of linesIn(text, own))
          known.get(`${channelId} ${modelId}`)?.learn(report);
      });
    },
  };
}

/** None in a notice about other things, or of this process itself. Whoever may use the database may send anything. */
function linesIn(text: string, own: string): readonly Line[] {
  if (!text.startsWith(`${prefix} `)) return [];
  const at = text.indexOf(' ', prefix.length + 1);
  if (at < 0 || text.slice(prefix.length + 1, at) === own) return [];
  return reportLines.safeParse(jsonIn(text.slice(at + 1))).data ?? [];
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
