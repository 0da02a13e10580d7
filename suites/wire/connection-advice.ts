/** Where a connection failed, and what a user can set there. */
export interface FailedWay {
  readonly url: string;
  /** The advice for an unknown authority: "name a file with it as tls.ca in the profile". */
  readonly nameAuthority: string;
  /** The proxy in between, if there is one. */
  readonly proxy?: string | undefined;
}

const nameClient = 'name one as tls.cert and tls.key in the profile';

/** The advice for connection errors, by the words of the error. */
const advice: readonly (readonly [words: RegExp, advice: (way: FailedWay) => string])[] = [
  [/ECONNREFUSED/, () => 'nothing listens there: check host and port'],
  [/ENOTFOUND|EAI_AGAIN/, () => 'the host name cannot be resolved: check it'],
  [/CERT_HAS_EXPIRED/, () => 'its certificate has expired: it has to be renewed'],
  [/CERT_NOT_YET_VALID/, () => 'its certificate is not valid yet: compare its clock with ours'],
  [/ALTNAME_INVALID/, () => 'its certificate is for another host: use the name that it is for'],
  [
    /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)/,
    ({ nameAuthority }) => `its certificate is signed by an unknown authority: ${nameAuthority}`,
  ],
  [/CERTIFICATE_REQUIRED/, () => `it asks for a client certificate: ${nameClient}`],
  [/wrong version number|packet length too long/i, () => 'the port does not speak TLS: try http://'],
  [
    /HPE_|Parse Error|not match the HTTP/,
    () => 'what answers is not HTTP: if the port speaks TLS, try https://',
  ],
  [
    /ECONNRESET|UND_ERR_SOCKET|other side closed/,
    ({ url }) =>
      `it closed the connection without an answer: if ${url.startsWith('https:') ? `it asks for a client certificate, ${nameClient}` : 'the port speaks TLS, try https://'}`,
  ],
];

/** The error of a failed connection with advice; without known advice, only the error. */
export function connectionAdvice(error: string, way: FailedWay): string {
  const known = adviceOfProxy(error, way) ?? adviceOf(error, way);
  return known === null ? error : `${known} (${brief(error)})`;
}

function adviceOf(error: string, way: FailedWay): string | null {
  return advice.find(([pattern]) => pattern.test(error))?.[1](way) ?? null;
}

/** The advice about the proxy; null without a proxy, or when the error is not the proxy's. */
function adviceOfProxy(error: string, way: FailedWay): string | null {
  if (way.proxy === undefined) return null;
  const named = `the proxy ${new URL(way.proxy).origin} (http.proxy)`;
  if (/\(407\)/.test(error))
    return `${named} wants a name and a password, or others: write them as http://name:password@host in http.proxy`;
  if (/^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN)\b/.test(error))
    return `${named} is not reached: ${adviceOf(error, way)}`;
  return /Proxy response \(\d+\)/.test(error) ? `${named} does not reach the deployment` : null;
}

/** An error without Node's advice; for OpenSSL errors only the reason. */
function brief(error: string): string {
  return error
    .replace(/; if the root CA is installed locally.*$/, '')
    .replace(/[0-9A-F]+:error:[0-9A-F]+:[^:]*:[^:]*:([^:]*):.*$/, '$1');
}
