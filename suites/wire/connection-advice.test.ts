import { expect, it } from 'vitest';
import { connectionAdvice } from './connection-advice.ts';

const nameAuthority = 'name it with --ca';
const plain = { url: 'http://gateway.example:8080', nameAuthority };
const secure = { url: 'https://gateway.example', nameAuthority };

it.each([
  [
    secure,
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE: unable to verify the first certificate; if the root CA is installed locally, try running Node.js with --use-system-ca',
    'its certificate is signed by an unknown authority: name it with --ca (UNABLE_TO_VERIFY_LEAF_SIGNATURE: unable to verify the first certificate)',
  ],
  [
    secure,
    'UND_ERR_SOCKET: other side closed',
    'it closed the connection without an answer: if it asks for a client certificate, name one as tls.cert and tls.key in the profile (UND_ERR_SOCKET: other side closed)',
  ],
  [
    secure,
    'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 40:error:0A00045C:SSL routines:ssl3_read_bytes:tlsv13 alert certificate required:../deps/x.c:9:SSL alert number 116',
    'it asks for a client certificate: name one as tls.cert and tls.key in the profile (ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: tlsv13 alert certificate required)',
  ],
  [plain, 'EMYSTERY: who knows', 'EMYSTERY: who knows'],
])('a fault of %o in %s gets advice in our own words', (where, error, said) => {
  expect(connectionAdvice(error, where)).toBe(said);
});

it.each([
  [
    'ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:9',
    'the proxy http://proxy.example:3128 (http.proxy) is not reached: nothing listens there: check host and port (ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:9)',
  ],
  [
    'UND_ERR_INVALID_ARG: Proxy Authentication Required (407)',
    'the proxy http://proxy.example:3128 (http.proxy) wants a name and a password, or others: write them as http://name:password@host in http.proxy (UND_ERR_INVALID_ARG: Proxy Authentication Required (407))',
  ],
  [
    'UND_ERR_ABORTED: Proxy response (502) !== 200 when HTTP Tunneling',
    'the proxy http://proxy.example:3128 (http.proxy) does not reach the deployment (UND_ERR_ABORTED: Proxy response (502) !== 200 when HTTP Tunneling)',
  ],
])('%s is the fault of the proxy, whose password is not shown', (error, said) => {
  expect(connectionAdvice(error, { ...plain, proxy: 'http://me:secret@proxy.example:3128' })).toBe(said);
});
