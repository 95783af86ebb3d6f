import { datasets } from "../../src/catalogue.ts";
import { EXAMPLE_SAMPLE } from "../../src/definition/example-values.ts";
import { createDocs } from "../../src/http/docs/create-docs.ts";
import { openapi } from "../../src/http/openapi/openapi.ts";

export const PLACE = "https://almanac.example";
const sample = async () => EXAMPLE_SAMPLE.values;
export const DOCUMENT = openapi(datasets, PLACE);

/** openapi.json and every file under /docs by path, as served while no rows are stored. */
export async function madeDocs(): Promise<ReadonlyMap<string, string>> {
  const docs = createDocs(datasets, PLACE);
  const texts = await Promise.all(
    docs.map(async ({ path, file }) => [path, (await (await file(sample)).body(undefined)).toString("utf8")] as const),
  );
  return new Map(texts);
}

/** The HTML pages among the files. */
export const pagesOf = (docs: ReadonlyMap<string, string>): readonly (readonly [string, string])[] =>
  [...docs].filter(([, text]) => text.startsWith("<!doctype html>"));

export const unescaped = (text: string): string =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
