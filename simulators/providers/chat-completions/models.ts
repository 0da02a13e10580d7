/** A native model of this upstream. */
export interface NativeModel {
  readonly name: string;
  /** Prompt and completion together, in tokens. */
  readonly windowTokens: number;
}

/**
 * All models of this dialect; any other name gets a native 404. The window of `small-1` is small enough to fill in
 * a test.
 */
const models: ReadonlyMap<string, NativeModel> = new Map(
  [
    { name: 'a52-2026-08-07', windowTokens: 400_000 },
    { name: 'a5p-2026-08-07', windowTokens: 400_000 },
    { name: 'a5c-2026-08-07', windowTokens: 400_000 },
    { name: 'ac-2026-03-01', windowTokens: 128_000 },
    { name: 'd3-2026-07-11', windowTokens: 256_000 },
    { name: 'small-1', windowTokens: 8_000 },
  ].map((model) => [model.name, model]),
);

export function findModel(name: string): NativeModel | undefined {
  return models.get(name);
}
