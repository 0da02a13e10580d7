import { properties, tintPercent } from './palette.ts';
import { partsStyle } from './style-parts.ts';
import { timelineStyle } from './timeline/style.ts';

const base = `
:root{color-scheme:light dark;${properties('light')}
--sans:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif;
--mono:ui-monospace,"SF Mono","Cascadia Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
@media (prefers-color-scheme:dark){:root{${properties('dark')}}}
*{box-sizing:border-box}
html{scroll-padding-top:3.75rem;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 var(--sans);overflow-wrap:anywhere}
main,.bar>div,.top>div{max-width:76rem;margin:0 auto;padding:0 1.5rem}
h1,h2,h3,h4,p,dl,dd,ul,ol,pre,table,figure,fieldset{margin:0;padding:0}
ul,ol{list-style:none}
a{color:var(--link);text-underline-offset:.15em;text-decoration-thickness:.06em}
a:hover{text-decoration-thickness:.12em}
code,pre,kbd{font-family:var(--mono);font-size:.8125rem;line-height:1.55}
:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:4px}
summary{cursor:pointer}
section.part{margin-top:3rem}
.part>h2{font-size:1.375rem;line-height:1.25;letter-spacing:-.01em}
.part>.lead{color:var(--muted);margin-top:.25rem;max-width:48rem}
.part>:nth-child(n+3),.part>h2+:not(.lead){margin-top:1rem}
.muted{color:var(--muted)}
.card{background:var(--surface);border:1px solid var(--line);border-radius:10px}
.skip{position:absolute;left:-100rem}
.skip:focus{left:1rem;top:1rem;z-index:3;background:var(--surface);padding:.5rem 1rem}
.is-pass{--c:var(--pass)}.is-fail{--c:var(--fail)}.is-flaky{--c:var(--flaky)}.is-warn{--c:var(--warn)}.is-observed{--c:var(--observed)}
.is-untestable{--c:var(--untestable)}.is-waived{--c:var(--waived)}.is-not-applicable{--c:var(--not-applicable)}
.is-harness-error{--c:var(--harness-error)}
.badge{display:inline-flex;align-items:baseline;gap:.4em;white-space:nowrap;font-size:.8125rem;font-weight:600;
line-height:1.5;padding:.05rem .55rem;border-radius:99px;color:var(--c);
background:color-mix(in srgb,var(--c) ${tintPercent}%,var(--surface));border:1px solid color-mix(in srgb,var(--c) 35%,transparent)}
.badge.solid{color:var(--on-accent);background:var(--c);border-color:var(--c)}
.badge i,.tile i{font-style:normal;font-family:var(--mono)}
`;

const header = `
.top{background:color-mix(in srgb,var(--c) ${tintPercent}%,var(--surface));border-top:6px solid var(--c);border-bottom:1px solid var(--line)}
.top>div{padding-top:1.75rem;padding-bottom:1.75rem}
.brand{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;color:var(--muted);font-size:.875rem}
.brand b{color:var(--ink);letter-spacing:.01em}
.brand .badge{font-size:.875rem;padding:.15rem .75rem}
h1{font-size:clamp(1.375rem,1.1rem + 1.3vw,2rem);line-height:1.22;letter-spacing:-.018em;margin-top:.9rem;max-width:54rem;text-wrap:balance}
.stopped{margin-top:.9rem;padding:.6rem .9rem;border-left:4px solid var(--warn);background:var(--surface);border-radius:4px;max-width:54rem}
.stopped b{white-space:pre-wrap;overflow-wrap:anywhere}
.facts{display:flex;flex-wrap:wrap;gap:.75rem 2.25rem;margin-top:1.25rem}
.facts dt{font-size:.75rem;color:var(--muted)}
.facts dd{font-size:.9375rem;font-variant-numeric:tabular-nums}
.top .copy{margin-top:1.25rem}
.bar{position:sticky;top:0;z-index:2;background:var(--surface);border-bottom:1px solid var(--line)}
.bar ul{display:flex;gap:1.5rem;overflow-x:auto;padding:.65rem 0;font-size:.875rem;scrollbar-width:none}
.bar a{color:var(--ink);text-decoration:none;white-space:nowrap}
.bar a:hover{text-decoration:underline}
.bar span{color:var(--muted);font-variant-numeric:tabular-nums}
.tiles{display:grid;grid-template-columns:repeat(9,minmax(0,1fr)) repeat(2,minmax(0,1.12fr));gap:.5rem;margin-top:1.75rem}
.tile{display:block;height:100%;padding:.55rem .7rem .6rem;background:var(--surface);border:1px solid var(--line);border-radius:10px;
color:inherit;text-decoration:none;border-top:3px solid var(--c,var(--line))}
a.tile:hover{border-color:var(--c)}
.tile b{display:flex;justify-content:space-between;align-items:baseline;white-space:nowrap;font-size:1.5rem;line-height:1.2;font-weight:650;font-variant-numeric:tabular-nums;color:var(--c,var(--ink))}
.tile i{font-size:.875rem;font-weight:400}
.tile span{display:block;font-size:.75rem;color:var(--muted)}
.tile.zero{border-top-color:var(--line)}.tile.zero b{color:var(--muted);font-weight:400}
.share{display:flex;gap:2px;height:.625rem;margin-top:.875rem;border-radius:99px;overflow:hidden}
.share span{background:var(--c);min-width:3px}
footer{margin-top:4rem;padding:1.5rem 0 3rem;border-top:1px solid var(--line);color:var(--muted);font-size:.875rem}
`;

const media = `
@media (max-width:70rem){.tiles{grid-template-columns:repeat(6,minmax(0,1fr))}}
@media (max-width:46rem){
main,.bar>div,.top>div{padding-left:1rem;padding-right:1rem}
.top>div{padding-top:1.25rem;padding-bottom:1.25rem}
.tiles{grid-template-columns:repeat(4,minmax(0,1fr));gap:.375rem}.tile{padding:.55rem .5rem .6rem}
.tiles li:last-child{grid-column:span 2}
.index{grid-template-columns:minmax(0,1fr) auto!important}.index li{padding:.5rem 1rem!important}
.index .gist{grid-column:1/-1;grid-row:2}.chips .reach{margin-left:0!important}
.copy.wired pre{margin-right:0!important}.others .copy.wired pre{margin-right:4rem!important}.copy.wired .title{min-height:1.75rem;margin-right:4rem}
.versus,.pair,.again{grid-template-columns:minmax(0,1fr)!important}
.failure{padding:1rem!important}
.check>summary{grid-template-columns:minmax(0,1fr) auto!important;row-gap:.15rem}
.check>summary .badge{grid-column:1;justify-self:start;grid-row:2}
.check>summary .what{grid-column:1/-1}.check>summary .cost{grid-row:2}
.rows,.rows tbody,.rows tr,.rows td{display:block}
.rows thead{position:absolute;left:-100rem}
.rows tr{padding:.6rem 0;border-bottom:1px solid var(--line)}.rows td{border:0!important;padding:.1rem .9rem!important}
}
@media print{
:root{color-scheme:light;${properties('light')}}
body{background:#fff;font-size:11pt}
.bar,.filter,.copy button,.skip{display:none!important}
.failure{-webkit-box-decoration-break:clone;box-decoration-break:clone}h2,h3,.chips{break-after:avoid}
.versus,.copy,.fact,.tile,.check,.unlock{break-inside:avoid}.body{max-height:none!important}
}
@media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
`;

/** The whole style sheet of the page. */
export const style: string = base + header + partsStyle + timelineStyle + media;
