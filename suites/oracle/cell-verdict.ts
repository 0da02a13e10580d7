/** The required result of one case of a table; `open` where the specification leaves it to the deployment. */
export type CellVerdict = 'accept' | 'refuse' | 'open';
