/** The purpose of a provider URL. */
export interface OpenAiTarget {
  readonly act: 'completions' | 'embeddings' | 'responses' | 'models';
  /** The model or deployment in the URL. */
  readonly model: string | null;
}

const acts = { 'chat/completions': 'completions', embeddings: 'embeddings', responses: 'responses' } as const;

/**
 * Reads the paths of the provider itself (`/v1/…`), of compatible providers without a version (`/chat/completions`), and of
 * hosts of its models (`/openai/v1/…`, `/openai/deployments/{name}/…`). Null for any other path.
 */
export function openAiTarget(path: string): OpenAiTarget | null {
  const [, deployment, act] =
    /^\/openai\/deployments\/([^/]+)\/(chat\/completions|embeddings)$/.exec(path) ?? [];
  if (act !== undefined) return { act: acts[act as keyof typeof acts], model: deployment ?? null };
  const [, plain, , model] =
    /^(?:\/openai)?(?:\/v1)?\/(chat\/completions|embeddings|responses|models(\/([^/:]+))?)$/.exec(path) ?? [];
  if (plain === undefined) return null;
  if (plain.startsWith('models')) return { act: 'models', model: model ?? null };
  return { act: acts[plain as keyof typeof acts], model: null };
}
