/** A native model of this upstream. */
export interface NativeModel {
  readonly name: string;
  /** Prompt and completion together, in tokens. */
  readonly windowTokens: number;
}

/** All models of this dialect. The window of `small-1` is small enough to fill in a test. */
const models: readonly NativeModel[] = [
  { name: 'a52-2026-08-07', windowTokens: 400_000 },
  { name: 'a5p-2026-08-07', windowTokens: 400_000 },
  { name: 'a5c-2026-08-07', windowTokens: 400_000 },
  { name: 'ac-2026-03-01', windowTokens: 128_000 },
  { name: 'd3-2026-07-11', windowTokens: 256_000 },
  { name: 'small-1', windowTokens: 8_000 },
];

/** The context window of models that the simulators do not list, tokens. */
const otherWindowTokens = 1_000_000;

/** The model with a name. With strict models, an unknown name gets a native 404. */
export function findModel(name: string, isStrict: boolean): NativeModel | undefined {
  const known = models.find((model) => model.name === name);
  return known ?? (isStrict ? undefined : { name, windowTokens: otherWindowTokens });
}

/** When the first models were created, seconds since the epoch. */
const createdAt = 1_785_542_400;

function renderModel(name: string): object {
  return { id: name, object: 'model', created: createdAt, owned_by: 'simulated-upstream' };
}

/** `GET /v1/models` */
export function renderModels(): object {
  return { object: 'list', data: models.map(({ name }) => renderModel(name)) };
}

/** `GET /v1/models/{name}`; undefined for an unknown model. */
export function renderOneModel(name: string, isStrict: boolean): object | undefined {
  return findModel(name, isStrict) === undefined ? undefined : renderModel(name);
}
