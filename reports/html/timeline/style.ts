/** The style of timelines. */
export const timelineStyle: string = `
.story{margin-top:1.25rem}
.story>p{font-size:.875rem;margin:.15rem 0 .5rem;max-width:60rem}
.story>p b{color:var(--ink);font-weight:600}
.lanes-box{border:1px solid var(--line);border-radius:8px;overflow-x:auto}
.lanes{width:100%;border-collapse:collapse;font-size:.875rem;table-layout:fixed}
.lanes th{text-align:left;font-size:.75rem;font-weight:600;color:var(--muted);padding:.35rem .75rem}
.lanes thead th:nth-child(1){width:40%}.lanes thead th:nth-child(2){width:5.25rem}.lanes thead th:nth-child(3){width:9.5rem}
.lanes tbody tr+tr td{border-top:1px solid var(--line)}.lanes .lane+tr td{border-top:0!important}
.lanes .lane th{background:var(--sunken);color:var(--ink);border-block:1px solid var(--line)}
.lanes .lane small{font-weight:400;color:var(--muted)}
.lanes td{padding:.2rem .75rem;vertical-align:top}
.lanes td small{color:var(--muted);font-size:.75rem}
.lanes td b{font-weight:600}.lanes td code{font-size:.75rem}
.lanes td:nth-child(3){font-variant-numeric:tabular-nums}
.lanes td:nth-child(3) small{display:block;line-height:1.2}
.lanes td.bar{padding:0;position:relative;height:1.75rem}
.lanes td.bar svg{position:absolute;left:0;top:0;width:100%;height:1.75rem;display:block}
.lanes td.bar .across{height:100%}
.scale{display:flex;justify-content:space-between;font-weight:400;font-variant-numeric:tabular-nums}
.lanes .wait{fill:color-mix(in srgb,var(--b) 55%,var(--surface))}.lanes .send{fill:var(--b)}
.lanes .piece{stroke:var(--surface);vector-effect:non-scaling-stroke;stroke-width:1}
.lanes .cut{stroke:var(--muted);vector-effect:non-scaling-stroke;stroke-width:1;stroke-dasharray:2 3}
.lanes .now{stroke:var(--fail);vector-effect:non-scaling-stroke;stroke-width:1.5;opacity:.75}
.lanes .mark{stroke:var(--fail);vector-effect:non-scaling-stroke;stroke-width:4}
.lanes .rest{fill:var(--fail);opacity:.3}
.r-other{--b:var(--not-applicable)}.r-same{--b:var(--observed)}.r-shows,.r-moment{--b:var(--fail)}.r-twin{--b:var(--pass)}
.r-other td:not(.bar),.r-other td b{color:var(--muted);font-weight:400}
.r-moment td{background:color-mix(in srgb,var(--fail) 7%,var(--surface))}
.here{display:inline-block;font-size:.75rem;font-weight:600;color:var(--on-accent);background:var(--fail);border-radius:4px;padding:0 .4rem}
.lanes details summary{color:var(--link);font-size:.75rem}
.lanes details pre{white-space:pre-wrap;background:var(--sunken);border-radius:4px;padding:.3rem .5rem;margin:.15rem 0;max-height:12rem;overflow:auto}
@media (max-width:46rem){
.lanes tbody tr+tr td{border-top:0}.lanes td.bar svg{height:1.25rem}
.lanes,.lanes tbody,.lanes tr,.lanes td,.lanes th{display:block;width:auto}
.lanes thead{position:absolute;left:-100rem}
.lanes tr{padding:.25rem 0;border-top:1px solid var(--line)}.lanes .lane{border:0;padding:0}
.lanes td{padding:0 .75rem}.lanes td:nth-child(2),.lanes td:nth-child(3){display:inline-block;padding-right:0}
.lanes td:nth-child(3) small{display:inline}
.lanes td.bar{height:1.25rem;margin:0 .75rem}
.lanes .breaker td:nth-child(2){display:none}
}
`;
