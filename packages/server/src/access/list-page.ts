/** A list of the console has so many rows at most. */
const LIST_ROWS = 1000;

type Limited<Row> = { readonly limit: (rows: number) => { readonly execute: () => Promise<readonly Row[]> } };
type Page<Row> = { readonly rows: readonly Row[]; readonly has_more: boolean };

/** The first rows of a query; one more is read, to know whether there are more. */
export async function listPage<Row>(query: Limited<Row>, most = LIST_ROWS): Promise<Page<Row>> {
  const read = await query.limit(most + 1).execute();
  return { rows: read.slice(0, most), has_more: read.length > most };
}
