/** A native model of this upstream. */
export interface NativeModel {
  readonly name: string;
  readonly displayName: string;
  /** Maximum input tokens. The requested output does not count against it. */
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** All models of this dialect. */
const models: readonly NativeModel[] = [
  { name: 'g3p-2026-09', displayName: 'G3 Pro', inputTokens: 2_000_000, outputTokens: 2_000_000 },
  { name: 'g3f-2026-09', displayName: 'G3 Flash', inputTokens: 1_000_000, outputTokens: 1_000_000 },
];

/** The model with a name. With strict models, an unknown name gets a native 404. */
export function findModel(name: string, isStrict: boolean): NativeModel | undefined {
  const known = models.find((model) => model.name === name);
  const other = { name, displayName: name, inputTokens: 1_000_000, outputTokens: 1_000_000 };
  return known ?? (isStrict ? undefined : other);
}

/** One entry of the native model list, and the whole answer of a look-up. */
export function renderModel({ name, displayName, inputTokens, outputTokens }: NativeModel): object {
  return {
    name: `models/${name}`,
    version: name.slice(name.indexOf('-') + 1),
    displayName,
    description: `A simulated model with an input of ${inputTokens} tokens.`,
    inputTokenLimit: inputTokens,
    outputTokenLimit: outputTokens,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
    temperature: 1,
    topP: 0.95,
    topK: 64,
    maxTemperature: 2,
    thinking: true,
  };
}

/** `GET /v1beta/models`: pages of up to `pageSize` models. Null when the requested page does not exist. */
export function listModels(query: URLSearchParams): object | null {
  const size = Number(query.get('pageSize') || 50);
  const start = Number(query.get('pageToken') || 0);
  if (!Number.isInteger(size) || size < 1 || !Number.isInteger(start) || start < 0 || start > models.length) {
    return null;
  }
  const end = start + size;
  return {
    models: models.slice(start, end).map(renderModel),
    ...(end < models.length ? { nextPageToken: String(end) } : {}),
  };
}
