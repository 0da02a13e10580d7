// What the page asks the simulators for.

/** @typedef {'GET' | 'POST' | 'PUT' | 'DELETE'} Method */
/** @typedef {{ readonly event: string, readonly data: unknown }} FeedEvent */

const tokenName = 'gatecheck-console-token';

/** A call that was refused; the message is the simulators' own sentence. */
export class Refused extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** Takes the token out of the address, where nobody needs to see it, and keeps it for this tab. */
function takeToken() {
  const given = /[#&]token=([A-Za-z0-9_-]+)/.exec(location.hash)?.[1];
  if (given !== undefined) {
    sessionStorage.setItem(tokenName, given);
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem(tokenName) ?? '';
}

const token = takeToken();

/**
 * Calls the control API. @throws {Refused}
 * @param {string} path @param {unknown} [body] @param {Method} [method]
 * @returns {Promise<any>}
 */
export async function call(path, body, method = body === undefined ? 'GET' : 'POST') {
  const answer = await fetch(path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const told = await answer.json().catch(() => null);
  if (answer.ok) return told;
  throw new Refused(answer.status, told?.error?.message ?? `${path} was answered with ${answer.status}`);
}

/**
 * Reads the feed to its end. An EventSource could not send the token.
 * @param {(event: FeedEvent) => void} onEvent
 */
export async function readFeed(onEvent) {
  const answer = await fetch('/console/api/feed', { headers: { authorization: `Bearer ${token}` } });
  if (!answer.ok || answer.body === null) {
    const told = await answer.json().catch(() => null);
    throw new Refused(answer.status, told?.error?.message ?? 'the feed cannot be read');
  }
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const frames = (rest + value).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const [, event, data] = /^event: (\w+)\ndata: (.*)$/s.exec(frame) ?? [];
      if (event !== undefined && data !== undefined) onEvent({ event, data: JSON.parse(data) });
    }
  }
}
