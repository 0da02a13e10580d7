import { chunks, type Got } from './variant-probe.ts';

type Json = Record<string, unknown>;

/** The values of a header of an answer. `name` is in lower case. */
export const header = ({ headers }: Got, name: string): string[] =>
  headers.filter(([known]) => known.toLowerCase() === name).map(([, value]) => value);

/** The JSON events of a stream, in every form that the grammar of events allows. */
export const chunksOf = ({ text }: Got): Json[] =>
  text
    .split(/\r?\n/)
    .filter((line) => /^data: ?\{/.test(line))
    .map((line) => JSON.parse(line.slice(5)) as Json);

/** The deltas of all choices of all chunks. */
export const deltasOf = (got: Got): Json[] =>
  chunksOf(got).flatMap((chunk) => (chunk.choices as { delta: Json }[]).map((choice) => choice.delta));

/** The error of a gateway whose upstream has failed. */
export const failed = { type: 'api_error', code: 'upstream_error', message: 'm', channel: null, param: null };

/** The chunks of a stream that fails after its first chunk. */
export const failing = [chunks[0] ?? {}, { error: failed }];
