import { boundedCall } from '../process/bounded-call.ts';
import { Untestable } from '../rules/violation.ts';
import { parseJson } from '../values/json.ts';
import { type Shape, shapeFault } from '../wire/shapes.ts';

/** A call of a deployment's hook, which is not judged. */
export interface HookCall {
  /** The name of the hook as messages show it, for example `usage`. */
  readonly name: string;
  readonly url: string;
  readonly token: string;
  /** Sent by POST as JSON; without it the hook is read by GET. */
  readonly body?: object;
  readonly shape?: Shape;
  readonly signal?: AbortSignal;
}

/**
 * Calls a hook and returns its answer as text of the expected shape.
 * @throws Untestable for any other answer: a fault in the deployment's setup, not a violated rule.
 */
export async function callHook({ name, url, token, body, shape, signal }: HookCall): Promise<string> {
  const { status, text } = await boundedCall(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted === true || !(error instanceof Error)) throw error;
    throw new Untestable(`the ${name} hook does not answer: ${error.message}`, { cause: error });
  });
  const fault = shape === undefined ? null : shapeFault(shape, parseJson(text));
  if (status < 200 || status > 299 || fault !== null) {
    const what = fault === null ? '' : `, ${fault.path} ${fault.reason}`;
    throw new Untestable(`the ${name} hook answered HTTP ${status}${what}`);
  }
  return text;
}
