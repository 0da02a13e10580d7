import { type Profile, profileSchema } from '../../profile/profile.ts';
import { loadRegister } from '../../rules/register.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { watchReport } from '../watch-report.ts';
import { Watcher } from '../watcher.ts';

/** An exchange for a watch that reads one after the other. */
export interface Sample {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of the request: a text, or an object as JSON. */
  readonly body?: unknown;
  readonly status?: number;
  readonly answered?: Readonly<Record<string, string>>;
  readonly answer?: unknown;
  /** When it was sent, and how long it took, ms. */
  readonly at: number;
  readonly took?: number;
}

export function exchangeOf(sample: Sample): Exchange {
  const {
    method = 'POST',
    path,
    headers = {},
    body,
    status = 200,
    answered = {},
    answer,
    at,
    took = 5,
  } = sample;
  const type = { 'content-type': 'application/json' };
  return {
    label: 'passing',
    request: {
      method,
      url: `https://gw.example${path}`,
      headers: Object.entries(headers),
      body: bytesOf(body),
    },
    response: {
      ...{ status, headers: Object.entries({ ...type, ...answered }), body: bytesOf(answer) },
      ...{ firstByteMs: 1, endMs: took, complete: true },
    },
    ...{ error: null, sentAt: at, endedAt: at + took },
  };
}

/** The findings of a watch with this profile about these exchanges: broken rules by name, and the report. */
export async function watched(
  samples: readonly Sample[],
  more: object | null,
): Promise<{ readonly broken: string[]; readonly report: ReturnType<typeof watchReport> }> {
  const profile: Profile | null =
    more === null
      ? null
      : profileSchema.parse({ base_url: 'https://gw.example', keys: { K1: 'sk-app-of-k1' }, ...more });
  const [broken, register]: [string[], ReturnType<typeof loadRegister>] = [[], loadRegister()];
  const watcher = new Watcher({
    ...{ register, profile, sample: 1, tasks: 10, bodyBytes: 10_000_000, command: 'npx gatecheck watch' },
    onFailure: (check, { requirement, aspect }) => broken.push(`${check} ${requirement} ${aspect}`),
  });
  for (const sample of samples) {
    const exchange = exchangeOf(sample);
    watcher.take({ exchange, began: exchange.sentAt, ended: exchange.endedAt });
  }
  const undecided = await watcher.conclude();
  if (watcher.unjudged.has('by a fault of the watch itself')) throw new Error('the watch itself broke');
  const report = watchReport({
    ...{
      watcher,
      register,
      profile,
      undecided,
      what: 'samples',
      command: 'npx gatecheck watch',
      stopped: null,
    },
    ...{ startedAt: new Date(), durationMs: 1, versions: { gatecheck: '0', node: '0', fast_check: '0' } },
  });
  return { broken, report };
}

function bytesOf(value: unknown): Buffer {
  if (value === undefined) return Buffer.alloc(0);
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
}
