import type { ChatRequest, NativeForm } from '../chat-request.ts';

/** How a request of a compat path is forwarded to an upstream of its own dialect, as JSON text. */
export interface CompatBodies {
  /**
   * The caller's body, with `nativeModel` where the dialect needs it, and `stream`. Two values of the request
   * replace those of the body: `maxTokens`, and `fields.stop` when it is null. They differ for a fallback, or for
   * an upstream without stop sequences.
   */
  body(request: ChatRequest, native: NativeForm, nativeModel: string): string;
  /** The body of the call that counts the tokens of the same prompt. */
  countBody(native: NativeForm, nativeModel: string): string;
}
