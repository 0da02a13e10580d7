/** A native model of this upstream. */
export interface NativeModel {
  readonly name: string;
  /** Prompt and completion together, in tokens. */
  readonly windowTokens: number;
  readonly maxOutputTokens: number;
  /** The minimum length of a prefix in the prompt cache, tokens. */
  readonly minCacheableTokens: number;
}

const common = { windowTokens: 200_000, maxOutputTokens: 200_000 };

/** All models of this dialect. */
const models: readonly NativeModel[] = [
  { name: 'bl-4-5-20260801', ...common, minCacheableTokens: 1024 },
  { name: 'bm-4-5-20260801', ...common, minCacheableTokens: 1024 },
  { name: 'bs-4-5-20260801', ...common, minCacheableTokens: 2048 },
];

/** The model with a name. With strict models, an unknown name gets a native 404. */
export function findModel(name: string, isStrict: boolean): NativeModel | undefined {
  const known = models.find((model) => model.name === name);
  return (
    known ?? (isStrict ? undefined : { name, ...common, maxOutputTokens: 128_000, minCacheableTokens: 1024 })
  );
}

function renderModel({ name, windowTokens, maxOutputTokens }: NativeModel): object {
  const created_at = '2026-08-01T00:00:00Z';
  return {
    type: 'model',
    id: name,
    display_name: name,
    created_at,
    max_input_tokens: windowTokens,
    max_tokens: maxOutputTokens,
  };
}

/** `GET /v1/models`: all on one page. */
export function renderModels(): object {
  const ids = models.map(({ name }) => name);
  return {
    data: models.map(renderModel),
    has_more: false,
    first_id: ids[0] ?? null,
    last_id: ids.at(-1) ?? null,
  };
}

/** `GET /v1/models/{name}`; undefined for an unknown model. */
export function renderOneModel(name: string, isStrict: boolean): object | undefined {
  const model = findModel(name, isStrict);
  return model === undefined ? undefined : renderModel(model);
}
