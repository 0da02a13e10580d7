/** A native model of this upstream. */
export interface NativeModel {
  readonly name: string;
  /** Prompt and completion together, in tokens. */
  readonly windowTokens: number;
  readonly mostOutputTokens: number;
  /** A shorter prefix is never kept in the prompt cache. */
  readonly leastCacheableTokens: number;
}

const common = { windowTokens: 200_000, mostOutputTokens: 64_000 };

/** All models of this dialect; any other name is a native 404. */
const models: readonly NativeModel[] = [
  { name: 'bl-4-5-20260801', ...common, leastCacheableTokens: 1024 },
  { name: 'bm-4-5-20260801', ...common, leastCacheableTokens: 1024 },
  { name: 'bs-4-5-20260801', ...common, leastCacheableTokens: 2048 },
];

export function findModel(name: string): NativeModel | undefined {
  return models.find((model) => model.name === name);
}
