/** A human-readable duration: '0 ms', '850 ms', '12.3 s', '2 min 5 s'. */
export function duration(ms: number): string {
  if (ms < 10 && !Number.isInteger(ms)) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const rest = seconds % 60;
  return rest === 0 ? `${(seconds - rest) / 60} min` : `${(seconds - rest) / 60} min ${rest} s`;
}

/** An ISO instant without its fraction: '2026-11-21 14:53:07 UTC'. Any other text is returned unchanged. */
export function instant(iso: string): string {
  const parts = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d+)?Z$/.exec(iso);
  return parts === null ? iso : `${parts[1]} ${parts[2]} UTC`;
}
