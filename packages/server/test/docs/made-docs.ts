import { datasets } from "../../src/catalogue.ts";
import { createDocs } from "../../src/http/docs/create-docs.ts";
import { openapi } from "../../src/http/openapi/openapi.ts";

export const PLACE = "https://almanac.example";
export const DOCUMENT = openapi(datasets, PLACE);

/** Every file under /docs as it is served, by path. */
export async function madeDocs(): Promise<ReadonlyMap<string, string>> {
  const docs = createDocs({ catalogue: datasets, openapi: DOCUMENT, publicUrl: PLACE });
  const texts = await Promise.all(
    docs.map(async ({ path, file }) => [path, (await file().body(undefined)).toString("utf8")] as const),
  );
  return new Map(texts);
}

/** Those of them that are pages. */
export const pagesOf = (docs: ReadonlyMap<string, string>): readonly (readonly [string, string])[] =>
  [...docs].filter(([, text]) => text.startsWith("<!doctype html>"));

export const unescaped = (text: string): string =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
