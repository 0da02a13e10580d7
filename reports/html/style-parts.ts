import { tintPercent } from './palette.ts';

/** Styles of the parts of the page below its header: failures, exchanges, lists, tables. */
export const partsStyle = `
.calm{padding:1.1rem 1.25rem;border-left:4px solid var(--c)}
.index{padding:.35rem 0;display:grid;grid-template-columns:fit-content(14rem) minmax(0,1fr) auto;gap:0 1.25rem}
.index li{display:grid;grid-column:1/-1;grid-template-columns:subgrid;padding:.4rem 1.25rem}
.index li+li{border-top:1px solid var(--line)}
.failure:first-child{margin-top:0}
.index a{font-family:var(--mono);font-size:.875rem;line-height:1.7}
.failure{padding:1.5rem 1.75rem 1.75rem;border-left:4px solid var(--c)}
.failure+.failure{margin-top:1.25rem}
.chips{display:flex;flex-wrap:wrap;gap:.4rem .6rem;align-items:center;font-size:.875rem}
.chips code,.level{color:var(--muted)}
.level{font-size:.75rem;letter-spacing:.02em}
.index .reach{color:var(--muted);font-size:.875rem;white-space:nowrap;text-align:right}
.index .gist{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
.index .reach b{color:var(--ink)}
.more .reach{color:var(--muted);font-size:.875rem}
.chips .reach{margin-left:auto;font-weight:600;color:var(--c)}
.others{margin-top:.75rem;border:1px solid var(--line);border-radius:8px}
.others>summary{padding:.6rem .9rem;font-size:.9375rem;font-weight:600}
.others>summary:hover{background:var(--sunken)}
.others>p{padding:0 .9rem .6rem;font-size:.875rem}
.others li{padding:.6rem .9rem .7rem;border-top:1px solid var(--line);font-size:.9375rem}
.others .copy{margin-top:.35rem;padding:.3rem .7rem .35rem;border-radius:6px}
.others .copy .title{position:absolute;width:1px;height:1px;min-height:0;margin:0;overflow:hidden;clip-path:inset(50%)}
.others .copy pre{margin-top:0}
.others .copy button{top:.2rem;right:.25rem;padding:.05rem .55rem;min-height:1.5rem}
.others .terms{margin-bottom:.1rem}
.id{font-family:var(--mono);font-size:.8125rem}
.failure h3{font-size:1.1875rem;line-height:1.35;letter-spacing:-.008em;margin-top:.6rem;max-width:52rem;text-wrap:pretty}
.where{color:var(--muted);font-size:.875rem;margin-top:.2rem}
.failure h4,.more h4{font-size:.8125rem;font-weight:600;color:var(--muted)}
.versus,.pair,.again{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:.75rem;margin-top:1.1rem}
.versus>div{padding:.75rem 1rem .85rem;border-radius:8px;background:color-mix(in srgb,var(--c) ${tintPercent}%,var(--surface));border:1px solid color-mix(in srgb,var(--c) 28%,transparent)}
.versus h4{color:var(--c)!important}
.value{white-space:pre-wrap;font-size:1rem;margin-top:.1rem}
.fact{margin-top:1rem}.fact .value{font-size:.9375rem}
.pair{margin-top:1.25rem;align-items:start}
.pair>:only-child,.again>:only-child{grid-column:1/-1}
.exchange{border:1px solid var(--line);border-radius:8px;overflow:hidden}
.exchange>h4{padding:.5rem .9rem;background:var(--sunken);border-bottom:1px solid var(--line);color:var(--ink)}
.message{padding:.6rem .9rem .75rem}
.message+.message{border-top:1px solid var(--line)}
.start{display:flex;flex-wrap:wrap;gap:.1rem .6rem;align-items:baseline}
.start code{color:var(--ink)}.start small{color:var(--muted);font-size:.8125rem}
.start b{font-family:var(--mono);font-size:.875rem}
.status{color:var(--c)}
.message details{margin-top:.2rem}
.message summary,.more summary.quiet{color:var(--muted);font-size:.8125rem}
.headers{white-space:pre-wrap;padding:.3rem 0 .2rem}
.body{white-space:pre-wrap;max-height:26rem;overflow:auto;margin-top:.4rem;tab-size:2}
.body mark{display:inline-block;width:100%;margin-right:-.75rem;color:inherit;background:color-mix(in srgb,var(--c,var(--fail)) ${tintPercent}%,var(--surface));box-shadow:inset 3px 0 0 var(--c,var(--fail));padding-left:.5rem;margin-left:-.5rem}
.compared+.exchange .message+.message .body{max-height:13rem}
.jk{color:var(--json-key)}.js{color:var(--json-text)}.jn{color:var(--json-number)}
.copy{position:relative;background:var(--sunken);border:1px solid var(--line);border-radius:8px;padding:.5rem .9rem .6rem}
.copy .title{font-size:.75rem;font-weight:400;color:var(--muted)}
.copy pre{white-space:pre-wrap;margin-top:.05rem}
.copy.wired pre{margin-right:4.25rem}
.copy button,.chip{font:600 .8125rem/1.4 var(--sans);color:var(--ink);background:var(--surface);border:1px solid var(--line);border-radius:6px;cursor:pointer}
.copy button{position:absolute;top:.5rem;right:.5rem;padding:.25rem .65rem;min-height:1.75rem}
.copy button:hover{border-color:var(--link);color:var(--link)}
.again{grid-template-columns:minmax(0,1fr)}
.area>summary,.more>summary,.check>summary{list-style:none;position:relative}
.area>summary::-webkit-details-marker,.more>summary::-webkit-details-marker,.check>summary::-webkit-details-marker{display:none}
:is(.area,.more,.check)>summary::before{content:"";position:absolute;left:1.05rem;top:1.15rem;width:.4rem;height:.4rem;border:solid var(--muted);border-width:0 2px 2px 0;transform:rotate(-45deg)}
:is(.area,.more,.check)[open]>summary::before{transform:rotate(45deg)}
.check>summary::before{top:.95rem!important}
.stack>*+*{border-top:1px solid var(--line)}
.more>summary{display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:baseline;padding:.7rem 1.25rem .7rem 2.25rem}
.more>summary>.grow{flex:1 1 20rem;font-size:1rem;font-weight:400}
.more>summary small{flex-basis:100%;color:var(--muted);font-size:.875rem}
.inside{padding:.1rem 1.25rem 1.1rem 2.25rem}
.inside .notes{margin-top:.5rem}
.notes li{padding-left:1.1rem;position:relative}
.notes li::before{content:"–";position:absolute;left:0;color:var(--muted)}
.unlock{padding:.85rem 1.25rem}
.unlock h3{font-size:1rem;font-weight:600}
.unlock h3 code{font-size:.9375rem;color:var(--c)}
.unlock ul{margin-top:.25rem;color:var(--muted);font-size:.9375rem}
.filter{display:flex;flex-wrap:wrap;gap:.75rem 1rem;align-items:center}
.filter[hidden]{display:none}
.filter fieldset{border:0;display:flex;flex-wrap:wrap;gap:.375rem;min-width:0}
.filter legend,.visually-hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.chip{display:inline-flex;gap:.35rem;padding:.25rem .7rem;border-radius:99px;color:var(--c,var(--ink))}
.chip input{position:absolute;opacity:0;pointer-events:none}
.chip:has(:checked){background:var(--c,var(--ink));color:var(--surface);border-color:transparent}
.chip:has(:focus-visible){outline:3px solid var(--link);outline-offset:2px}
.filter input[type=search]{font:inherit;font-size:.9375rem;color:var(--ink);background:var(--surface);border:1px solid var(--line);border-radius:8px;padding:.35rem .75rem;min-width:0;width:17rem;max-width:100%}
.filter select{font:inherit;font-size:.9375rem;color:var(--ink);background:var(--surface);border:1px solid var(--line);border-radius:8px;padding:.35rem .5rem;max-width:15rem}
.tiles+.share+*,section+.filter{margin-top:2rem}
.filter output{color:var(--muted);font-size:.875rem}
.area+.area{margin-top:.625rem}
.area>summary{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:center;padding:.7rem 1.25rem .7rem 2.25rem;font-weight:600}
.area>summary .id{color:var(--muted);font-weight:400}
.area>summary .counts{display:flex;flex-wrap:wrap;gap:.375rem;margin-left:auto}
.area>.stack{border-top:1px solid var(--line)}
.check>summary{display:grid;grid-template-columns:8.5rem minmax(0,1fr) auto;gap:.25rem 1rem;align-items:baseline;padding:.5rem 1.25rem .5rem 2.25rem}
.check>summary .badge{justify-self:start}
.check>summary:hover,.area>summary:hover,.more>summary:hover{background:var(--sunken)}
.check .what .id{display:block;color:var(--muted)}
.check .cost{color:var(--muted);font-size:.8125rem;font-variant-numeric:tabular-nums;white-space:nowrap}
.check>.inside{padding-left:11.75rem;font-size:.9375rem}
.terms{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.15rem 1rem;font-size:.875rem;margin-top:.35rem}
.terms dt{color:var(--muted)}
[hidden]{display:none!important}
.rows{width:100%;border-collapse:collapse;font-size:.9375rem}
.rows th{text-align:left;font-size:.8125rem;font-weight:600;color:var(--muted);padding:.5rem .9rem;border-bottom:1px solid var(--line)}
.rows td{vertical-align:baseline;padding:.45rem .9rem;border-bottom:1px solid var(--line)}
.rows tr:last-child td{border-bottom:0}
.rows .id{white-space:nowrap}
.rows small{display:block;color:var(--muted);font-size:.8125rem}
.wide{border-top:1px solid var(--line);overflow-x:auto}
.grid-box{border-top:1px solid var(--line);overflow-x:auto}
.rules-grid{border-collapse:separate;border-spacing:0;font-size:.875rem}
.rules-grid thead th{vertical-align:bottom;text-align:left;font-size:.75rem;font-weight:600;color:var(--muted);padding:.5rem .5rem}
.rules-grid thead th[data-place] span{writing-mode:vertical-rl;transform:rotate(180deg);white-space:nowrap}
.rules-grid tbody th{text-align:left;font-weight:400;min-width:19rem;max-width:26rem;padding:.4rem .75rem .4rem 1.25rem}
.rules-grid th:first-child{position:sticky;left:0;background:var(--surface);border-right:1px solid var(--line)}
.rules-grid tbody th small{display:block;color:var(--muted);line-height:1.35}
.rules-grid tbody th span{color:var(--c)}
.rules-grid td{color:var(--c,var(--muted));text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums;padding:.4rem .5rem;vertical-align:top}
.rules-grid tbody :is(th,td){border-top:1px solid var(--line)}
.rules-grid td:is(.is-fail,.is-harness-error){background:color-mix(in srgb,var(--c) ${tintPercent}%,var(--surface));font-weight:600}
.rules-grid td a{color:inherit}
.rules-grid i{font-style:normal;font-family:var(--mono)}
.counts b{color:var(--c)}
.trend{padding:1rem 1.25rem}.trend svg{display:block;width:100%;height:6rem}.trend rect{fill:var(--c)}
@media (max-width:60rem){.pair{grid-template-columns:minmax(0,1fr)}}
@media (max-width:46rem){.check>.inside{padding-left:2.25rem}.area>summary .counts{margin-left:0;flex-basis:100%}}
@media (max-width:46rem){
.rules-grid,.rules-grid tbody,.rules-grid tr,.rules-grid tbody th{display:block}
.rules-grid thead{position:absolute;left:-100rem}
.rules-grid tr{padding:.5rem .75rem .6rem 1rem;border-top:1px solid var(--line)}.rules-grid tbody :is(th,td){border:0!important}
.rules-grid tbody th{position:static;min-width:0;max-width:none;padding:0 0 .25rem}
.rules-grid td{display:inline-block;padding:0 .4rem;margin:.1rem .25rem 0 0;border-radius:4px;background:var(--sunken)}
.rules-grid td:empty{display:none}
.rules-grid td[data-at]::before{content:attr(data-at)" ";color:var(--muted);font-weight:400}
}
`;
