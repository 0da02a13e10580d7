/** What a user can set where an authority is not known, in the words of the command that he gave. */
export interface AdviceWords {
  /** For example "name a file with it as tls.ca in the profile". */
  readonly nameAuthority: string;
}

/** What to do about faults of a connection, by the words in which they are reported. */
const advice: readonly (readonly [words: RegExp, advice: (words: AdviceWords) => string])[] = [
  [/ECONNREFUSED/, () => 'nothing listens there: check host and port'],
  [/ENOTFOUND|EAI_AGAIN/, () => 'the name of the host is not known here: check it'],
  [/CERT_HAS_EXPIRED/, () => 'its certificate has expired: it has to be renewed'],
  [/ALTNAME_INVALID/, () => 'its certificate is for another host: use the name that it is for'],
  [
    /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)/,
    ({ nameAuthority }) =>
      `its certificate is signed by an authority that is not known here: ${nameAuthority}`,
  ],
  [/wrong version number|packet length too long/i, () => 'the port does not speak TLS: try http://'],
  [
    /HPE_|Parse Error|not match the HTTP/,
    () => 'what answers is not HTTP: if the port speaks TLS, try https://',
  ],
  [/ECONNRESET|UND_ERR_SOCKET|other side closed/, () => 'it closed the connection without an answer'],
];

/** What to do about a connection that failed with this error, with the error; the error alone where nothing is known. */
export function connectionAdvice(error: string, words: AdviceWords): string {
  const known = advice.find(([pattern]) => pattern.test(error))?.[1];
  return known === undefined ? error : `${known(words)} (${error})`;
}
