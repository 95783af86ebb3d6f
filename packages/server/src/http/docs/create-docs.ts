import { readFileSync } from "node:fs";
import type { DatasetDefinition } from "../../definition/dataset.ts";
import type { JsonSchema } from "../openapi/json-schema.ts";
import { toPageFile, type PageFile } from "../pages/page-file.ts";
import { DATASET_GROUPS, datasetGroup } from "./dataset/dataset-group.ts";
import { datasetPage } from "./dataset/dataset-page.ts";
import type { DocsPage } from "./docs-page.ts";
import { errorPages } from "./errors/error-page.ts";
import { guidePages } from "./guides/guide-pages.ts";
import { indexPage } from "./index-page.ts";
import { layout } from "./layout.ts";
import { referencePages } from "./reference/reference-pages.ts";

/** A path of the documentation, made when it is first asked for and kept. */
export type DocsFile = { readonly path: string; readonly file: () => PageFile };

type Made = {
  readonly catalogue: readonly DatasetDefinition[];
  readonly openapi: JsonSchema;
  readonly publicUrl: string;
};

/** All that is under /docs: the pages, their style, their script and what a search reads. */
export function createDocs({ catalogue, openapi, publicUrl }: Made): readonly DocsFile[] {
  const grouped = DATASET_GROUPS.flatMap((group) =>
    catalogue.filter((one) => datasetGroup(one) === group).toSorted((a, b) => a.agentId - b.agentId),
  );
  const guides = guidePages(publicUrl);
  const others: readonly DocsPage[] = [
    ...guides.filter(({ group }) => group === "Guides"),
    ...grouped.map((dataset) => datasetPage(dataset, catalogue, publicUrl)),
    ...guides.filter(({ group }) => group !== "Guides"),
    ...referencePages(grouped, openapi),
    ...errorPages(publicUrl),
  ];
  const pages = [indexPage(catalogue, others, publicUrl), ...others];
  return [
    ...pages.map((page) => docsFile(page.path, "html", () => layout(page, page.body(), pages))),
    docsFile("/docs/docs.css", "css", () => STYLES.map(readAsset).join("")),
    docsFile("/docs/docs.js", "js", () => readAsset("docs.js")),
    docsFile("/docs/search.json", "json", () => JSON.stringify(pages.map(toFound))),
  ];
}

const STYLES = ["tokens.css", "frame.css", "content.css", "media.css"];

const readAsset = (name: string): string => readFileSync(new URL(`assets/${name}`, import.meta.url), "utf8");

const toFound = ({ path, title, lead, words }: DocsPage) => ({ path, title, lead, words: words() });

function docsFile(path: string, kind: "html" | "css" | "js" | "json", text: () => string): DocsFile {
  let made: PageFile | undefined;
  return {
    path,
    file: () => {
      made ??= toPageFile(`page.${kind}`, Buffer.from(text()));
      if (made === undefined) throw new TypeError(`pages of kind ${kind} are not served`);
      return made;
    },
  };
}
