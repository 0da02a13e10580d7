/** One spelling for all paths and queries that RFC 3986 (6.2.2) calls equivalent. */
export function plainSpelling(target: string): string {
  return target.replace(/%[0-9a-f]{2}/gi, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : escaped.toUpperCase();
  });
}

/** A host as it is usually written: in small letters and without the port that https implies. */
export function plainHost(host: string): string {
  return host.toLowerCase().replace(/:443$/, '');
}
