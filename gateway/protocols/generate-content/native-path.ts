/** What a path of compat path B says; the colon may be encoded (B-98). */
export interface NativePath {
  /** Decoded, unchecked. */
  readonly model: string;
  readonly stream: boolean;
}

/** The route of both methods, as a pattern and by a name to read; every other method does not exist. */
export const NATIVE_ROUTE = {
  path: '/compat-b/v1beta/models/:target{[^/]+(?::|%3[Aa])(?:generateContent|streamGenerateContent)}',
  label: '/compat-b/v1beta/models/{model}:{method}',
} as const;

const PATH = /^\/compat-b\/v1beta\/models\/([^/]+)(?::|%3[Aa])(generateContent|streamGenerateContent)$/;

/** Reads a path that the route has let through. */
export function readNativePath(path: string): NativePath {
  const [, model = '', method] = PATH.exec(path) ?? [];
  return { model: decoded(model), stream: method === 'streamGenerateContent' };
}

/** A name that cannot be decoded is that of no model. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
