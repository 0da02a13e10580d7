import { maxNoticeBytes, type Notices } from '../store/server-session.ts';
import { type ChannelReport, reportLines, type SendReport } from './channel-report.ts';
import type { Channels } from './channels.ts';

const prefix = 'calls';

/** A report about one channel of one model. */
type Line = readonly [channelId: string, modelId: string, report: ChannelReport];

export interface OutcomesElsewhere {
  readonly report: SendReport;
  /** Applies the reports of other processes to these channels from now on. */
  learnFor(channels: Pick<Channels, 'all'>): void;
}

/**
 * Reports outcomes of calls to the other processes on a database server, through notices. A report that cannot be sent is
 * lost, but each process also learns from its own calls.
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
  /** Sends one statement at a time; reports that arrive meanwhile go with the next one. */
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

/**
 * The reports in a notice; none if it is about other things or from this process. Any client of the database may send
 * notices.
 */
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
