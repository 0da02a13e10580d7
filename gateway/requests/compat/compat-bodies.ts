import type { ChatRequest, NativeForm } from '../chat-request.ts';

/** How a request of a compat path goes on to an upstream of its own dialect, as JSON text. */
export interface CompatBodies {
  /**
   * The caller's body, with `nativeModel` where the dialect wants it, and `stream`. What the request says otherwise than
   * the body, because it goes to a fallback or to an upstream that takes no stops, has changed: `maxTokens`, and
   * `fields.stop` when it is null.
   */
  body(request: ChatRequest, native: NativeForm, nativeModel: string): string;
  /** The body of the call that counts the tokens of the same prompt. */
  countBody(native: NativeForm, nativeModel: string): string;
}
