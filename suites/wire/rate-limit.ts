/** How the messages of limits count calls: "20 requests per minute", "Limit: 20 / min", "20 per 1 minute", "每分钟 20". */
const perMinute =
  /(\d{1,6})\s*(?:requests?|calls?|reqs?)?\s*(?:per|\/|a)\s*(?:1\s*)?min(?:ute)?\b|\b(\d{1,6})\s*rpm\b|每分钟\s*(?:最多)?\s*(\d{1,6})/i;

/** Headers with the limit of requests, and those that name its window in the value. */
const limits = /^(?:x-)?rate-?limit(?:-limit)?-requests$|^x-rate-?limit-limit(?:-requests)?(?:-minute)?$/i;
const policies = /^rate-?limit(?:-policy|-limit)?$/i;

const ofTime = /\bper (?:1 )?(?:second|min|minute|hour|day)\b|\brate[ -]limit|\b[rt]p[md]\b|每分钟/i;
const atOnce = /concurren|in[ -]flight|parallel|simultaneous|at once/i;
/** Words that limits of calls at once have, too, first of all the error type of the specification. */
const ofEither = /\brate_limit|\btoo many requests\b/i;

/**
 * Whether a translated refusal speaks of a limit of calls by time. In doubt it does not, because it then excuses no slot that
 * stays taken. Its code says nothing: dialects have it for every 429.
 */
export function isByTime(text: string): boolean {
  return ofTime.test(text) && !atOnce.test(text.replaceAll('concurrency_exceeded', ''));
}

/** Whether a refusal, as the deployment sends it, may be by a limit of calls by time, where one is known to exist. */
export function mayBeByTime(text: string): boolean {
  return (ofTime.test(text) || ofEither.test(text)) && !atOnce.test(text);
}

/** The calls per minute that an answer declares in its headers, or a refusal in its words; null for none. */
export function callsPerMinuteIn(answer: {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
}): number | null {
  if (answer.status === 429) {
    const said = perMinute
      .exec(answer.text)
      ?.slice(1)
      .find((count) => count !== undefined);
    if (said !== undefined) return Number(said);
  }
  for (const [name, value] of answer.headers) {
    const [, count, seconds] = /^\D*(\d+)\s*;\s*w=(\d+)/.exec(value) ?? [];
    if (policies.test(name) && seconds !== undefined && Number(seconds) > 0)
      return Math.max(1, Math.floor((Number(count) * 60) / Number(seconds)));
    if (limits.test(name) && /^\d+$/.test(value.trim())) return Math.max(1, Number(value));
  }
  return null;
}

/** Codes of the specification that a deployment with such a refusal has for something else than time. */
const otherCodes = /"(?:concurrency_exceeded|quota_exceeded|channel_queue_full)"/;

/** Headers with the remaining calls of a window. */
const left = /^(?:x-)?rate-?limit-remaining(?:-requests)?(?:-minute)?$/i;

/**
 * Whether a refusal, as the deployment sends it, is by a limit of calls by time that nobody has declared: it says so, or its
 * headers say that nothing is left of a window. In doubt it is not.
 */
export function isUndeclaredByTime({
  status,
  headers = [],
  text,
}: {
  readonly status: number;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly text: string;
}): boolean {
  if (
    status !== 429 ||
    otherCodes.test(text) ||
    atOnce.test(text) ||
    /quota|credit|balance|month/i.test(text)
  )
    return false;
  const isSpent = headers.some(
    ([name, value]) =>
      (left.test(name) && value.trim() === '0') || (policies.test(name) && /\br=0\b/.test(value)),
  );
  return isSpent || ofTime.test(text) || (ofEither.test(text) && isTimed(headers));
}

function isTimed(headers: readonly (readonly [name: string, value: string])[]): boolean {
  return headers.some(([name]) => /^retry-after(?:-ms)?$/i.test(name));
}
