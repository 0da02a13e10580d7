import { createHash, createHmac } from 'node:crypto';
import { secretBytes, signatureOf } from '../oracle/webhooks/sign.ts';
import { readStamp } from '../oracle/webhooks/stamp.ts';
import type { Dialect } from '../profile/dialect.ts';
import type { CarriedEvent } from '../profile/translation.ts';
import { exactIn } from '../rewrite/json.ts';
import { eventHeader } from '../wire/received-event.ts';
import { inSpecifiedEvent } from './members.ts';

type Signature = NonNullable<Dialect['webhooks']>['signature'];

const standard: NonNullable<Dialect['webhooks']> = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: {
    ...{ header: 'webhook-signature', form: 'v1,{signature}', algorithm: 'sha256', encoding: 'base64' },
    ...{ signs: '{id}.{timestamp}.{body}', secret: 'whsec' },
  },
};

/** Partial contents that a wrong signature may cover, so that the translated event has the same fault. */
const partial = ['{id}.{body}', '{timestamp}.{body}', '{body}'];

/**
 * Translates a dialect's events to the specified form (reading B-111): each is verified by its sender's scheme, then reworded
 * and signed again. An event that does not verify still does not verify afterwards. Undefined if both forms are equal.
 * @param secrets of the deployment, as {@link specifiedSecret} writes them
 */
export function eventsIn(
  dialect: Dialect,
  secrets: readonly string[],
): ((event: CarriedEvent) => CarriedEvent) | undefined {
  const { webhooks, fields, tasks } = dialect;
  const { answer, texts } = fields.tasks;
  const hasWords = [...Object.keys(answer), ...texts, ...Object.keys(tasks.states)].length > 0;
  if (webhooks === undefined && !hasWords) return undefined;
  const { id: idName, timestamp: timestampName, signature } = webhooks ?? standard;
  return (event) => {
    const body = inWords(event, dialect);
    const marks = [idName, timestampName ?? idName, signature.header];
    if (marks.every((name) => eventHeader(event, name) === null)) return { ...event, body };
    const shown = eventHeader(event, signature.header) ?? '';
    const { signatures, timestamp: within } = readForm(signature.form, shown);
    const timestamp = within ?? (timestampName === undefined ? null : eventHeader(event, timestampName));
    const stamp = timestamp === null ? null : readStamp(timestamp);
    const seconds = stamp === null ? (timestamp ?? '') : String(Math.floor(stamp.fromMs / 1_000));
    const id = eventHeader(event, idName) ?? idOf(event);
    const signed = { id, timestamp: timestamp ?? '', body: event.body };
    const templates = [signature.signs, ...partial];
    const found = secrets.flatMap((secret) => {
      const template = templates.find((one) =>
        signatures.includes(ownSignature(secret, one, signature, signed)),
      );
      return template === undefined ? [] : [{ secret, template }];
    });
    const [first] = found;
    const value =
      first === undefined
        ? signatures.map((one) => `v1,${createHash('sha256').update(one).digest('base64')}`).join(' ')
        : resigned(first, signature, { id, timestamp: seconds, body });
    const own = marks.map((name) => name.toLowerCase());
    const others = event.headers.filter(([name]) => !own.includes(name.toLowerCase()));
    return {
      headers: [
        ...others,
        ['webhook-id', id],
        ...(timestamp === null ? [] : stamps(seconds, timestamp, webhooks !== undefined)),
        ...(shown === '' ? [] : [['webhook-signature', value] as const]),
      ],
      body,
    };
  };
}

/** A secret in the form of Standard Webhooks, of the same key. */
export function specifiedSecret(secret: string, { webhooks }: Dialect): string {
  const form = webhooks?.signature.secret ?? 'whsec';
  if (form === 'whsec') return secret;
  return `whsec_${Buffer.from(secret, form === 'hex' ? 'hex' : 'utf8').toString('base64')}`;
}

function stamps(seconds: string, own: string, isRenamed: boolean): (readonly [string, string])[] {
  const signed = ['webhook-timestamp', seconds] as const;
  return isRenamed ? [signed, ['X-Service-Timestamp', own]] : [signed];
}

/** A stable id for events whose sender gives none: the same event always gets the same id. */
function idOf({ body }: CarriedEvent): string {
  return `evt_${createHash('sha256').update(body).digest('hex').slice(0, 24)}`;
}

/** The signatures and timestamp in a header of this form, which may contain several signatures. */
function readForm(form: string, text: string): { signatures: string[]; timestamp: string | null } {
  const pick = (part: string): string[] => {
    const [before] = form.includes(part) ? form.split(part) : [];
    if (before === undefined) return [];
    const lead = before.replace(/^.*\}/s, '').replace(/^[\s,;]+/, '');
    const pattern = new RegExp(`(?:^|[\\s,;])${lead.replaceAll(/\W/g, '\\$&')}([^\\s,;]+)`, 'g');
    return [...text.matchAll(pattern)].map(([, found = '']) => found);
  };
  return { signatures: pick('{signature}'), timestamp: pick('{timestamp}')[0] ?? null };
}

interface Signed {
  readonly id: string;
  readonly timestamp: string;
  readonly body: Buffer;
}

function ownSignature(
  secret: string,
  template: string,
  { algorithm, encoding }: Signature,
  signed: Signed,
): string {
  const mac = createHmac(algorithm, secretBytes(secret));
  for (const part of template.split(/(\{\w+\})/)) {
    const name = /^\{(id|timestamp|body)\}$/.exec(part)?.[1] as keyof Signed | undefined;
    mac.update(name === undefined ? part : signed[name]);
  }
  return mac.digest(encoding);
}

/** A standard signature with the same coverage as the original. An id that the sender never signs is no fault. */
function resigned(
  { secret, template }: { readonly secret: string; readonly template: string },
  { signs }: Signature,
  content: Signed,
): string {
  if (template === signs && signs.includes('{timestamp}')) return signatureOf(secret, content);
  const covered = template === signs ? '{id}.{body}' : template;
  return `v1,${ownSignature(secret, covered, standard.signature, content)}`;
}

function inWords({ body }: CarriedEvent, dialect: Dialect): Buffer {
  const read = exactIn(body);
  if (read === null) return body;
  const was = JSON.stringify(read);
  inSpecifiedEvent(read, dialect);
  const is = JSON.stringify(read);
  return was === is ? body : Buffer.from(is);
}
