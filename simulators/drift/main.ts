import { parseArgs } from 'node:util';
import { type ChatDialectName, chatDialectNames } from '../answers/native-answer.ts';
import { parseUpstream } from '../http/upstream.ts';
import { exitWith } from '../process-end.ts';
import { type DriftOptions, type DriftReport, measureDrift } from './measure-drift.ts';

const keyVariable = 'GATECHECK_PROVIDER_KEY';
const usage = `usage: gatecheck drift --provider URL --model NAME [--key KEY, or ${keyVariable}] [--dialect ${chatDialectNames.join('|')}] [--max-calls 7] [--timeout 60] [--price IN,OUT] [--json]`;

await main();

async function main(): Promise<void> {
  if (process.argv.includes('--help')) return void process.stdout.write(`${usage}\n`);
  let flags: ReturnType<typeof parseFlags>;
  try {
    flags = parseFlags(process.argv.slice(2));
  } catch (error) {
    return exitWith(2, `${error instanceof Error ? error.message : String(error)}; ${usage}`);
  }
  const report = await measureDrift(flags.options);
  process.stdout.write(flags.isJson ? `${JSON.stringify(report, null, 2)}\n` : textOf(report, flags.price));
  const isOurs = report.calls.some(({ differences }) =>
    differences.some(({ blame }) => blame === 'simulators'),
  );
  const hasFailed = report.calls.some(({ failed }) => failed !== null);
  process.exit(isOurs ? 1 : hasFailed ? 4 : 0);
}

function parseFlags(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      provider: { type: 'string' },
      model: { type: 'string' },
      key: { type: 'string' },
      dialect: { type: 'string' },
      'max-calls': { type: 'string', default: '7' },
      timeout: { type: 'string', default: '60' },
      price: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const { provider: given, model } = values;
  // Every user of the machine can read command-line arguments.
  const key = values.key ?? process.env[keyVariable];
  if (given === undefined || model === undefined) throw new Error('--provider and --model are needed');
  if (key === undefined) throw new Error(`set ${keyVariable}, or --key`);
  const provider = parseUpstream(given);
  const options: DriftOptions = {
    ...{ provider, model, key, dialect: dialectFor(values.dialect, provider.host) },
    maxCalls: positive('--max-calls', values['max-calls']),
    timeoutMs: positive('--timeout', values.timeout) * 1000,
    today: new Date().toISOString().slice(0, 10),
  };
  return { options, isJson: values.json, price: pricesIn(values.price) };
}

function dialectFor(given: string | undefined, host: string): ChatDialectName {
  const known = chatDialectNames.find((name) => name === given);
  if (given !== undefined && known === undefined)
    throw new Error(`--dialect is one of ${chatDialectNames.join(', ')}, not "${given}"`);
  if (known !== undefined) return known;
  if (host.includes('anthropic')) return 'messages';
  return host.includes('googleapis') ? 'generate-content' : 'chat-completions';
}

function positive(flag: string, given: string): number {
  if (/^[1-9]\d{0,3}$/.test(given)) return Number(given);
  throw new Error(`${flag} is a whole number from 1 to 9999, not "${given}"`);
}

/** Dollars for a million prompt tokens, and for a million completion tokens. */
function pricesIn(given: string | undefined): readonly [number, number] | null {
  if (given === undefined) return null;
  const [prompt = Number.NaN, completion = Number.NaN, ...more] = given.split(',').map(Number);
  if (prompt >= 0 && completion >= 0 && more.length === 0) return [prompt, completion];
  throw new Error(`--price is two numbers of dollars for a million tokens: 2.5,10`);
}

function textOf(
  { provider, dialect, model, calls, cost, held }: DriftReport,
  price: readonly [number, number] | null,
) {
  const lines = calls.flatMap(({ call, failed, differences }) => [
    `${call}: ${failed === null ? (differences.length === 0 ? 'the same' : `${differences.length} differences`) : `not compared: ${failed}`}`,
    ...differences.map(
      ({ what, live, simulated, blame }) =>
        `  ${blame.padEnd(10)}  ${what}: ${live ?? 'missing'} at the provider, ${simulated ?? 'missing'} here`,
    ),
  ]);
  const dollars =
    price === null
      ? ''
      : `, $${((cost.prompt_tokens * price[0] + cost.completion_tokens * price[1]) / 1e6).toFixed(6)}`;
  return [
    `${provider}, ${dialect}, ${model}`,
    ...lines,
    `cost: ${cost.calls} calls, ${cost.prompt_tokens} prompt and ${cost.completion_tokens} completion tokens${dollars}`,
    ...held.map(({ fault, on }) => `fault ${fault} has the bytes of this provider (${on})`),
    '',
  ].join('\n');
}
