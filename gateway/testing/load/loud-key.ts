import { readFileSync } from 'node:fs';
import { read } from '../wire.ts';

// Forked by second-key.ts. Sends one body repeatedly, with as many concurrent calls as the cap of its key allows. Stops when
// its parent exits or says so, then reports the number of answers by status.

interface Work {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly bodyFile: string;
  readonly atOnce: number;
}

let isOver = false;
const answers: Record<string, number> = {};

async function ask({ url, headers }: Work, body: Buffer): Promise<void> {
  while (!isOver) {
    const status = await read(url, { method: 'POST', headers, body }).then(
      (answer) => String(answer.status),
      () => 'cut',
    );
    answers[status] = (answers[status] ?? 0) + 1;
  }
}

process.once('message', (work: Work) => {
  const body = readFileSync(work.bodyFile);
  process.once('message', () => {
    isOver = true;
  });
  void Promise.all(Array.from({ length: work.atOnce }, () => ask(work, body))).then(() => {
    process.send?.(answers);
    process.disconnect?.();
  });
});
