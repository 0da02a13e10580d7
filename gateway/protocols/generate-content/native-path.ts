/** The parsed path of compat path B; its colon may be encoded (B-98). */
export interface NativePath {
  /** Decoded, unchecked. */
  readonly model: string;
  readonly stream: boolean;
}

/** The path of both methods; no other method exists. */
export const nativePath = {
  path: '/compat-b/v1beta/models/{model}:{method}',
  pattern: /^\/compat-b\/v1beta\/models\/([^/]+)(?::|%3[Aa])(generateContent|streamGenerateContent)$/,
} as const;

/** Reads a path that the route has matched. */
export function readNativePath(path: string): NativePath {
  const [, model = '', method] = nativePath.pattern.exec(path) ?? [];
  return { model: decoded(model), stream: method === 'streamGenerateContent' };
}

/** A name that cannot be decoded matches no model. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
