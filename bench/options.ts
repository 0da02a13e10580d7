import { parseArgs } from 'node:util';
import { type SizeName, sizeNames } from './workloads.ts';

export const usage = `usage: npm --prefix bench start -- [--size ${sizeNames.join('|')}] [--targets a,b] [--workloads a,b]
         [--seconds N] [--rounds N] [--gateway NAME=DIR]... [--profile DIR] [--json FILE] [--list]`;

/** What to measure, for how long, and where to write the result. */
export interface Options {
  readonly size: SizeName;
  /** Parts of names; empty means all. */
  readonly targets: readonly string[];
  readonly workloads: readonly string[];
  /** Null: the default of the size. */
  readonly seconds: number | null;
  readonly rounds: number | null;
  /** Other source trees whose gateways are measured as well, by name. */
  readonly trees: readonly { readonly name: string; readonly dir: string }[];
  /** Where the measured programs of this repository leave their CPU profiles. */
  readonly profile: string | null;
  readonly json: string | null;
  /** Print only the names of targets and workloads. */
  readonly list: boolean;
}

/** Reads the command line; throws an Error whose message is for its user. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      size: { type: 'string', default: 'quick' },
      targets: { type: 'string', default: '' },
      workloads: { type: 'string', default: '' },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      gateway: { type: 'string', multiple: true, default: [] },
      profile: { type: 'string' },
      json: { type: 'string' },
      list: { type: 'boolean', default: false },
    },
  });
  const size = sizeNames.find((name) => name === values.size);
  if (size === undefined) throw new Error(`--size is one of ${sizeNames.join(', ')}`);
  return {
    size,
    targets: parts(values.targets),
    workloads: parts(values.workloads),
    seconds: positive('--seconds', values.seconds),
    rounds: positive('--rounds', values.rounds),
    trees: values.gateway.map(treeOf),
    profile: values.profile ?? null,
    json: values.json ?? null,
    list: values.list,
  };
}

function parts(list: string): string[] {
  return list.split(',').filter((part) => part !== '');
}

function positive(flag: string, value: string | undefined): number | null {
  if (value === undefined) return null;
  const number = Number(value);
  if (!(number > 0)) throw new Error(`${flag} is a number above zero`);
  return number;
}

function treeOf(text: string): { name: string; dir: string } {
  const [name = '', dir = ''] = text.split('=');
  if (name === '' || dir === '') throw new Error('--gateway is a name and a directory: main=../other-tree');
  return { name, dir };
}
