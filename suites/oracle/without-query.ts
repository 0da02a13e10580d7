/** A link may be signed again each time it is shown, so its query is not compared. */
export function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '');
}
