/** A native model of this upstream. */
export interface NativeModel {
  readonly name: string;
  /** Prompt and completion together, in tokens. */
  readonly windowTokens: number;
  readonly maxOutputTokens: number;
  /** A shorter prefix is never kept in the prompt cache. */
  readonly minCacheableTokens: number;
}

const common = { windowTokens: 200_000, maxOutputTokens: 200_000 };

/** All models of this dialect; any other name gets a native 404. */
const models: readonly NativeModel[] = [
  { name: 'bl-4-5-20260801', ...common, minCacheableTokens: 1024 },
  { name: 'bm-4-5-20260801', ...common, minCacheableTokens: 1024 },
  { name: 'bs-4-5-20260801', ...common, minCacheableTokens: 2048 },
];

export function findModel(name: string): NativeModel | undefined {
  return models.find((model) => model.name === name);
}
