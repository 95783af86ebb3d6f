/** A list of the console has so many rows at most; one more is read, to know whether there are more. */
const LIST_ROWS = 1000;
export const LIST_LIMIT = LIST_ROWS + 1;

export const listPage = <Row>(read: readonly Row[]): { readonly rows: readonly Row[]; readonly has_more: boolean } => ({
  rows: read.slice(0, LIST_ROWS),
  has_more: read.length > LIST_ROWS,
});
