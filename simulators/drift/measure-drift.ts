import type { ChatDialectName } from '../answers/native-answer.ts';
import type { JsonObject } from '../faults/native/json-path.ts';
import { usageIn } from '../faults/native/usage-places.ts';
import { countedIn } from '../faults/native/usage-sums.ts';
import { parseUpstream, type Upstream } from '../http/upstream.ts';
import { startSimulators } from '../in-process/start-simulators.ts';
import { isObject, parseJson } from '../json/json-body.ts';
import { callProvider } from '../passthrough/call-provider.ts';
import { labelFrames } from '../passthrough/label-frames.ts';
import { callsOf, type DriftCall } from './calls.ts';
import { compareForms, type Difference, type Form } from './compare.ts';
import { clientMembers, membersOf } from './members.ts';

/** The provider to compare, and the limits of the comparison. */
export interface DriftOptions {
  readonly provider: Upstream;
  readonly dialect: ChatDialectName;
  readonly model: string;
  readonly key: string;
  /** The maximum number of calls to the provider. */
  readonly maxCalls: number;
  /** The longest wait for an answer, ms. */
  readonly timeoutMs: number;
  /** Today, YYYY-MM-DD. */
  readonly today: string;
}

/** The comparison of one call. */
export interface DriftRow {
  readonly call: string;
  /** Why the comparison failed; null if it succeeded. */
  readonly failed: string | null;
  readonly differences: readonly Difference[];
}

export interface DriftReport {
  readonly provider: string;
  readonly dialect: ChatDialectName;
  readonly model: string;
  readonly calls: readonly DriftRow[];
  /** What the provider counted for all calls. */
  readonly cost: {
    readonly calls: number;
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
  };
  /** Faults whose bytes match the provider's: entries for `held` in their facts. */
  readonly held: readonly { readonly fault: string; readonly on: string; readonly against: string }[];
}

/** Makes the same calls to a provider and to the simulators, and compares the forms of their answers. */
export async function measureDrift(options: DriftOptions): Promise<DriftReport> {
  const { provider, dialect, model, key, maxCalls, today } = options;
  await using simulators = await startSimulators();
  const rows: DriftRow[] = [];
  const held: DriftReport['held'][number][] = [];
  const cost = { calls: 0, prompt_tokens: 0, completion_tokens: 0 };
  for (const call of callsOf(dialect, model, key).slice(0, maxCalls)) {
    const tenant = simulators.tenant();
    if (call.fault !== undefined) tenant.on({}, { fault: call.fault });
    const own = parseUpstream(tenant.url);
    cost.calls += 1;
    try {
      const live = await answerTo(provider, dialect, call, options.timeoutMs);
      cost.prompt_tokens += live.counted.prompt;
      cost.completion_tokens += live.counted.completion;
      const simulated = await answerTo(own, dialect, call, options.timeoutMs);
      const declared = call.kind === null ? null : clientMembers(dialect, call.kind);
      const differences = compareForms(live, simulated, declared);
      rows.push({ call: call.name, failed: null, differences });
      if (call.fault !== undefined && differences.length === 0)
        held.push({ fault: call.fault.id, on: today, against: provider.origin });
    } catch (error) {
      rows.push({ call: call.name, failed: reasonOf(error).replaceAll(key, '…'), differences: [] });
    }
  }
  return { provider: provider.origin + provider.pathPrefix, dialect, model, calls: rows, cost, held };
}

interface Answered extends Form {
  readonly counted: ReturnType<typeof countedIn>;
}

async function answerTo(
  upstream: Upstream,
  dialect: ChatDialectName,
  { kind, request }: DriftCall,
  timeoutMs: number,
): Promise<Answered> {
  const { status, headers, body } = await callProvider(upstream, request, AbortSignal.timeout(timeoutMs));
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const whole = Buffer.concat(chunks);
  if (kind !== null && status !== 200)
    throw new Error(`status ${status}: ${whole.toString('utf8').slice(0, 200)}`);
  const isStream = headers['content-type']?.startsWith('text/event-stream') === true;
  const documents = isStream ? eventsIn(whole) : [parseJson(whole)];
  const labels = isStream
    ? (labelFrames(dialect, whole) ?? []).map(({ label }) => label.replace(/-\d+$/, ''))
    : [];
  const usages = documents.filter(isObject).flatMap((one) => usageIn(one as JsonObject, dialect) ?? []);
  const counted: JsonObject = Object.assign({}, ...usages);
  return {
    status,
    members: membersOf(documents),
    order: labels.filter((label, at) => label !== labels[at - 1]).join(' '),
    counted: countedIn(counted, dialect),
  };
}

function eventsIn(body: Buffer): unknown[] {
  return [...body.toString('utf8').matchAll(/^data: ?(.*?)\r?$/gm)].flatMap(([, data = '']) => {
    const value = parseJson(Buffer.from(data));
    return value === undefined ? [] : [value];
  });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
