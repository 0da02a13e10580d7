import { maxNoticeBytes, type Notices } from '../store/server-session.ts';
import type { SlotRecall } from './kept-slots.ts';

const prefix = 'slots ';

/** Asks the other processes on a database server for slots by notices. */
export function recallByNotice(notices: Notices, own: string): SlotRecall {
  return {
    get isHeard() {
      return notices.isHeard;
    },
    ask: async (userId) => {
      const text = `${prefix}${own} ${userId}`;
      if (Buffer.byteLength(text) > maxNoticeBytes) return;
      await notices.send(text);
    },
    onAsked: (give) => {
      notices.onNotice((text) => {
        const asked = readAsked(text);
        if (asked !== null && asked.from !== own) give(asked.userId);
      });
    },
  };
}

/** Null for other notices: every client of the database may send any. */
function readAsked(text: string): { from: string; userId: string } | null {
  if (!text.startsWith(prefix)) return null;
  const at = text.indexOf(' ', prefix.length);
  return at < 0 ? null : { from: text.slice(prefix.length, at), userId: text.slice(at + 1) };
}
