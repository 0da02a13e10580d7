import type { Fault } from '../../fault-contract/fault.ts';
import { htmlPage, ofForm } from '../native/refusal.ts';

const titles: Readonly<Record<string, string>> = {
  502: 'Bad Gateway',
  503: 'Service Temporarily Unavailable',
  504: 'Gateway Time-out',
};

/** A CDN or proxy in front of the upstream answers with HTML. */
export const cdnHtml: Fault = {
  id: 'H12',
  kind: 'instead',
  answer: (context) => htmlPage(context.dialect, Number(context.form), ofForm(context, titles)),
};
