import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { stringify } from 'yaml';
import { openStore } from '../store/store.ts';
import { type FakeUpstream, type SeenRequest, startFakeUpstream } from './fake-upstream.ts';
import { type Running, runGateway } from './gateway-process.ts';
import { mediaBody } from './media-bodies.ts';
import { type NativeJobs, playJobs, playRecords } from './native-jobs.ts';
import { file, mp3, mp4 } from './native-media.ts';
import { type StorePlace, silentLog } from './store/test-stores.ts';
import { testConfig, testKey } from './test-gateway.ts';
import { read } from './wire.ts';

/** Gateway processes with tasks, and upstreams of both dialects of jobs that outlive them. */
export interface TaskLives {
  /** The tasks acknowledged to callers. */
  readonly acknowledged: string[];
  start(): Promise<Running>;
  /** Submits one task of either model; false if the process did not answer. */
  submit(gateway: Running): Promise<boolean>;
  /** Resolves when every acknowledged task has status SUCCESS. */
  untilSuccess(gateway: Running): Promise<void>;
  /** Reads the database after all processes have stopped. */
  books(): Promise<Books>;
  close(): Promise<void>;
}

export interface Books {
  /** Each task with its status and the charge of its request in pico-USD; sorted by id. */
  readonly tasks: readonly {
    readonly id: string;
    readonly status: string;
    readonly charges: readonly string[];
  }[];
}

/** Number of polls until a task is done. */
const pollCount = 2;
const seconds = 8;
const taskPrices = { vidB2: { per_second: '0.05' }, 'voice-music': { per_task: '0.30' } };
const models = ['vidB2', 'voice-music'] as const;

/** Starts upstreams for gateways over an existing database. Files are kept in a directory unless `media` says otherwise. */
export async function startTaskLives(place: StorePlace, media?: object): Promise<TaskLives> {
  const directory = mkdtempSync(join(tmpdir(), 'gateway-tasks-'));
  const [jobs, records] = [await startFakeUpstream(), await startFakeUpstream()];
  const natives = [playJobs(jobs), playRecords(records)] as const;
  const lives: TaskLives = {
    acknowledged: [],
    start: () => runGateway(['--config', config]),
    submit: async (gateway) => {
      const model = models[submitted % models.length] ?? models[0];
      submitted += 1;
      const answer = await read(`${gateway.url}/api/v1/tasks`, {
        method: 'POST',
        key: testKey,
        body: mediaBody(model),
      }).catch(() => null);
      if (answer?.status !== 200) return false;
      lives.acknowledged.push(answer.json.task_id);
      return true;
    },
    untilSuccess: async (gateway) => {
      for (const id of lives.acknowledged) await untilSuccess(gateway, id);
    },
    books: () => readBooks(place),
    close: async () => {
      await Promise.all([jobs.close(), records.close()]);
      rmSync(directory, { recursive: true });
    },
  };
  let submitted = 0;
  finishJobs(jobs, natives[0], (url) => ({
    status: 'completed',
    output: [{ url, type: 'video/mp4', duration_seconds: seconds }],
  }));
  finishJobs(records, natives[1], (url) => ({
    status: 'SUCCESS',
    results: [{ url, kind: 'audio', durationSec: seconds }],
  }));
  natives[0].files.set('made', file(mp4));
  natives[1].files.set('made', file(mp3));
  const config = join(directory, 'gateway.yaml');
  const shared = { media: media ?? { dir: join(directory, 'media') } };
  writeFileSync(config, stringify({ ...configOf(place, jobs, records), ...shared }));
  return lives;
}

/** Lets each job be done when it was polled a few times. */
function finishJobs(
  upstream: FakeUpstream,
  native: NativeJobs,
  done: (url: string) => Record<string, unknown>,
): void {
  const looks = new Map<string, number>();
  const { answer } = upstream;
  const idIn = ({ path }: SeenRequest): string =>
    /^\/v1\/jobs\/(.+)$|[?&]taskId=(.+)$/.exec(path)?.slice(1).find(Boolean) ?? '';
  upstream.answer = (response, request) => {
    const id = idIn(request);
    looks.set(id, (looks.get(id) ?? 0) + 1);
    if (looks.get(id) === pollCount) native.records.set(id, done(`${upstream.url}/files/made`));
    return answer(response, request);
  };
}

function configOf(place: StorePlace, jobs: FakeUpstream, records: FakeUpstream): object {
  const [account] = testConfig(jobs.url).accounts;
  const channel = (id: string, dialect: string, { url }: FakeUpstream, model: string): object => ({
    id,
    dialect,
    base_url: `${url}/v1`,
    api_key: 'upstream-secret',
    models: { [model]: `native-${model}` },
  });
  return {
    listen: {},
    store: 'url' in place ? { url: place.url } : { data_dir: place.dataDir },
    key_pepper: 'a pepper for tests',
    prices: taskPrices,
    tasks: { poll_ms: 20, poll_most_ms: 100, start_again_ms: 20 },
    // On a server, slots of a killed process expire after a while, so the cap is high enough for all of them.
    accounts: [
      {
        ...account,
        users: [{ id: 'usr', cap: 1_000 }],
        prepaid: true,
        grants: [{ id: 'start', amount: '1000' }],
      },
    ],
    channels: [
      channel('video', 'jobs', jobs, 'vidB2'),
      channel('studio', 'callback-jobs', records, 'voice-music'),
    ],
  };
}

async function untilSuccess(gateway: Running, id: string): Promise<void> {
  for (;;) {
    const { json } = await read(`${gateway.url}/api/v1/tasks/${id}`, { method: 'GET', key: testKey });
    if (json.status === 'SUCCESS') return;
    if (json.status !== 'QUEUED' && json.status !== 'RUNNING')
      throw new Error(`${id} is ${JSON.stringify(json)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function readBooks(place: StorePlace): Promise<Books> {
  const store = await openStore({ ...place, log: silentLog });
  const tasks = await sql<Books['tasks'][number]>`
    select id, status, array(
      select amount_pico::text from ledger_entries e where e.request_id = tasks.request_id and e.book = 'revenue'
    ) as charges
    from tasks order by id`.execute(store.db);
  await store.close();
  return { tasks: tasks.rows };
}
