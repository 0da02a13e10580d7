import { declaredUrl } from '../../profile/declared-url.ts';
import type { Profile } from '../../profile/profile.ts';
import { curlWay, isShellText, printfText, toCurl } from '../../wire/curl.ts';
import { ownVariables } from '../../wire/redactor.ts';
import { type DraftRequest, keySlot } from '../grammar/subject.ts';
import { hostSlot } from '../raw/raw-sequence.ts';

/** The longest command line, characters: longer ones do not fit a terminal. */
const longest = 8_192;
const placeholder = '$GATECHECK_KEY';

/** A `curl` line for a draft. A body that is too long, or not plain text, comes from a file. */
export function curlOf(draft: DraftRequest, profile: Profile, bodyFile: string): string {
  const isInline = !needsFile(draft);
  const base = declaredUrl(profile).replace(/\/+$/, '');
  const line = toCurl(
    {
      method: draft.method,
      url: base + draft.path,
      headers: Object.entries(draft.headers).map(([name, value]) => [name, value === '' ? ' ' : value]),
      body: isInline ? draft.body : Buffer.alloc(0),
    },
    (text) => text.replaceAll(keySlot, () => placeholder),
    curlWay(profile),
  );
  return isInline ? line : `${line} --data-binary @${bodyFile}`;
}

/** Whether a body needs its own file. */
export function needsFile({ body }: Pick<DraftRequest, 'body'>): boolean {
  return !isShellText(body) || body.length > longest;
}

/** A `printf … | nc` line for bytes; null when they are too long, or the deployment uses TLS. */
export function printfOf(
  { pieces, ends = false }: { readonly pieces: readonly (string | Buffer)[]; readonly ends?: boolean },
  profile: Profile,
): string | null {
  const { host, hostname, port, protocol } = new URL(declaredUrl(profile));
  const bytes = Buffer.concat(pieces.map((piece) => Buffer.from(piece as string)));
  if (protocol !== 'http:' || bytes.length > longest / 2) return null;
  const key = ownVariables(profile).get(placeholder) ?? placeholder;
  const quoted = bytes
    .toString('latin1')
    .replaceAll(hostSlot, () => host)
    .split(keySlot)
    .map((text) => `'${printfText(text)}'`)
    .join(`"${key}"`);
  // Without -N the server never sees the end of the input.
  return `printf ${quoted} | nc${ends ? ' -N' : ''} -w 10 ${hostname} ${port || '80'}`;
}
