/** One limit of an upstream, as its answers report it. */
export interface RateWindow {
  readonly limit: number;
  readonly remaining: number;
  /** Time until the full limit is available again, ms. */
  readonly resetMs: number;
}

/** Windows by unit: `requests`, `tokens`, `input-tokens`. */
export type RateWindows = Readonly<Record<string, RateWindow>>;

/** The headers in which chat-completions reports its limits. */
export function chatWindowHeaders(windows: RateWindows): Record<string, string> {
  return headersOf(windows, (what, { limit, remaining, resetMs }) => [
    [`x-ratelimit-limit-${what}`, String(limit)],
    [`x-ratelimit-remaining-${what}`, String(remaining)],
    [`x-ratelimit-reset-${what}`, durationText(resetMs)],
  ]);
}

/** The headers in which messages reports its limits; resets are RFC 3339 times in whole seconds. */
export function messagesWindowHeaders(windows: RateWindows, nowMs: number): Record<string, string> {
  return headersOf(windows, (what, { limit, remaining, resetMs }) => [
    [`anthropic-ratelimit-${what}-limit`, String(limit)],
    [`anthropic-ratelimit-${what}-remaining`, String(remaining)],
    [`anthropic-ratelimit-${what}-reset`, rfc3339(nowMs + resetMs)],
  ]);
}

function headersOf(
  windows: RateWindows,
  pairs: (what: string, window: RateWindow) => [string, string][],
): Record<string, string> {
  return Object.fromEntries(Object.entries(windows).flatMap(([what, window]) => pairs(what, window)));
}

/** A duration in the format of chat-completions: `20ms`, `1.5s`, `6m0s`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${ms}ms`;
  const minutes = Math.floor(ms / 60_000);
  const seconds = `${(ms - minutes * 60_000) / 1000}s`;
  return minutes === 0 ? seconds : `${minutes}m${seconds}`;
}

function rfc3339(atMs: number): string {
  return new Date(Math.ceil(atMs / 1000) * 1000).toISOString().replace('.000Z', 'Z');
}
