import type { Clock } from '../clock.ts';
import type { JournalAnswer, JournalQuery } from '../control/protocol.ts';
import type { Journal } from './journal.ts';

const defaultTimeoutMs = 5000;

/**
 * Answers as soon as the journal holds what the query waits for, or when its time has passed with what there is
 * then. Wakes at changes of the journal, never by looking again. Also ends when the signal aborts.
 */
export function awaitJournal(
  journal: Journal,
  query: JournalQuery,
  clock: Clock,
  signal: AbortSignal,
): Promise<JournalAnswer> {
  return new Promise((resolve) => {
    const answer = (): void => {
      unwatch();
      timeout.cancel();
      signal.removeEventListener('abort', answer);
      resolve(journal.read(query));
    };
    const answerIfSatisfied = (): void => {
      if (journal.isSatisfied(query)) answer();
    };
    const unwatch = journal.watch(answerIfSatisfied);
    const timeout = clock.schedule(query.timeout_ms ?? defaultTimeoutMs, answer);
    signal.addEventListener('abort', answer, { once: true });
    answerIfSatisfied();
  });
}
