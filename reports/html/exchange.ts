import { duration } from '../durations.ts';
import type { ReportedExchange } from '../report.ts';
import { html, type Markup } from './markup.ts';
import { bodyBox } from './text-boxes.ts';

/** A request and its answer. Lines of the request that `compared` lacks are marked. */
export function exchangeBox(
  title: string,
  exchange: ReportedExchange,
  compared: ReportedExchange | null,
): Markup {
  const { request, mapping = [] } = exchange;
  return html`<section class="exchange${compared === null ? '' : ' compared'}"><h4>${title}</h4>
<div class="message"><p class="start"><b>${request.method}</b> <code>${request.url}</code></p>
${mapping.length > 0 && html`<p class="value">In the dialect: ${mapping.join('; ')}</p>`}
${headerList(request.headers)}${bodyBox(request.body, compared?.request.body ?? null)}</div>
<div class="message">${answer(exchange)}</div></section>`;
}

function answer({ response, error }: ReportedExchange): Markup {
  if (response === null) {
    return html`<p class="start is-fail"><b class="status">No response</b></p><p class="value">${error ?? ''}</p>`;
  }
  return html`<p class="start is-${tone(response.status)}"><b class="status">${response.status}</b>
<small>first byte ${duration(response.first_byte_ms)}, end ${duration(response.end_ms)}</small></p>
${headerList(response.headers)}${bodyBox(response.body, null)}${
  error !== null && html`<p class="is-fail"><b class="status">Broke off:</b> ${error}</p>`
}`;
}

function headerList(headers: readonly [string, string][]): Markup | null {
  if (headers.length === 0) return null;
  const lines = headers.map(([name, value]) => html`<span class="jk">${name}</span>: ${value}\n`);
  const count = headers.length === 1 ? '1 header' : `${headers.length} headers`;
  return html`<details><summary>${count}</summary><pre class="headers"><code>${lines}</code></pre></details>`;
}

function tone(status: number): 'pass' | 'warn' | 'fail' | 'observed' {
  if (status >= 500) return 'fail';
  if (status >= 400) return 'warn';
  return status >= 200 && status < 300 ? 'pass' : 'observed';
}
