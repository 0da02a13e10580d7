import type { Clock } from '../clock.ts';
import type { JournalAnswer, JournalQuery } from '../control/journal.ts';
import type { Journal } from './journal.ts';

const defaultTimeoutMs = 5000;

/**
 * Answers as soon as the journal satisfies the query. After the query's timeout it answers with the entries so
 * far. It reacts to changes of the journal and never polls. It also ends when the signal aborts.
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
