/** How the messages of limits count calls: "20 requests per minute", "Limit: 20 / min", "20 per 1 minute". */
const perMinute =
  /(\d{1,6})\s*(?:requests?|calls?|reqs?)?\s*(?:per|\/|a)\s*(?:1\s*)?min(?:ute)?\b|\b(\d{1,6})\s*rpm\b/i;

/** Headers with the limit of requests, and those that name its window in the value. */
const limits = /^(?:x-)?rate-?limit(?:-limit)?-requests$|^x-rate-?limit-limit(?:-requests)?(?:-minute)?$/i;
const policies = /^rate-?limit(?:-policy|-limit)?$/i;

/** Whether a refusal speaks of a limit of calls by time, not at once. */
export function isByTime(text: string): boolean {
  return /\bper (?:1 )?(?:second|minute|hour|day)\b|\brate[ _-]?limit|\btoo many requests\b|\b[rt]p[md]\b|每分钟/i.test(
    text,
  );
}

/** The calls per minute that an answer declares in its headers, or a refusal in its words; null for none. */
export function callsPerMinuteIn(answer: {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
}): number | null {
  if (answer.status === 429) {
    const [, said, short] = perMinute.exec(answer.text) ?? [];
    if (said ?? short) return Number(said ?? short);
  }
  for (const [name, value] of answer.headers) {
    const [, count, seconds] = /^\D*(\d+)\s*;\s*w=(\d+)/.exec(value) ?? [];
    if (policies.test(name) && seconds !== undefined && Number(seconds) > 0)
      return Math.max(1, Math.floor((Number(count) * 60) / Number(seconds)));
    if (limits.test(name) && /^\d+$/.test(value.trim())) return Math.max(1, Number(value));
  }
  return null;
}
