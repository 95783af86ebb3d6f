import { readFileSync } from "node:fs";
import type { DatasetDefinition } from "../../definition/dataset.ts";
import { openapi } from "../openapi/openapi.ts";
import { DATASET_GROUPS, datasetGroup, datasetPage } from "./dataset/dataset-page.ts";
import { type DocsPage, cardList, codeBlock, dataTable, pageBody, part } from "./page-parts.ts";
import { errorPages, errorRow } from "./errors/error-page.ts";
import { guidePages } from "./guides/guides.ts";
import { layout } from "./layout.ts";
import { referencePages } from "./reference/reference-pages.ts";
import { ERRORS, type ErrorCode } from "../../definition/errors.ts";
import { html, type Html } from "../html.ts";
import { docsFile, type DocsFile } from "./docs-file.ts";
import { snippet } from "./snippets/snippets.ts";

/** /docs: a working request, every dataset, every guide. */
function indexPage(catalogue: readonly DatasetDefinition[], pages: readonly DocsPage[], publicUrl: string): DocsPage {
  const byId = catalogue.toSorted((a, b) => a.agentId - b.agentId);
  const first = byId.find(({ params }) => Object.values(params).every(({ isRequired }) => !isRequired));
  return {
    path: "/docs",
    title: "Almanac",
    group: "Documentation",
    lead: "Every prediction market behind one endpoint: markets, trades, books, wallets and what is said about them.",
    body: () =>
      pageBody(
        html`<p>
            One <code>POST</code> with a key answers every dataset. New here?
            <a href="/docs/guides/getting-started">Getting started</a>. The whole contract:
            <a href="/docs/reference">reference</a>.
          </p>
          ${codeBlock("A first question", snippet("curl", { agentId: first?.agentId ?? 574, params: {}, limit: 3 }, publicUrl), "shell")}`,
        [
          ...[...DATASET_GROUPS, "Guides", "Method", "Running it"].flatMap((group) => {
            const some = pages.filter((page) => page.group === group);
            return some.length === 0 ? [] : part(group.toLowerCase().replace(" ", "-"), group, cardList(some));
          }),
          ...part("errors", "Errors", errorList()),
        ],
      ),
    words: () => "",
  };
}

const errorList = (): Html => {
  const rows = Object.entries(ERRORS).map(([code, { title }]) => errorRow(code as ErrorCode, title));
  return dataTable("Errors", ["status", "code", "when"], rows);
};

/** openapi.json and everything under /docs: pages, styles, script and search index. */
export function createDocs(catalogue: readonly DatasetDefinition[], publicUrl: string): readonly DocsFile[] {
  const grouped = DATASET_GROUPS.flatMap((group) =>
    catalogue.filter((one) => datasetGroup(one) === group).toSorted((a, b) => a.agentId - b.agentId),
  );
  const guides = guidePages(publicUrl);
  const others: readonly DocsPage[] = [
    ...guides.filter(({ group }) => group === "Guides"),
    ...grouped.map((dataset) => datasetPage(dataset, catalogue, publicUrl)),
    ...guides.filter(({ group }) => group !== "Guides"),
    ...referencePages(grouped, openapi(catalogue, publicUrl)),
    ...errorPages(publicUrl),
  ];
  const pages = [indexPage(catalogue, others, publicUrl), ...others];
  return [
    ...pages.map((page) =>
      docsFile({ ...page, kind: "html", text: (values) => layout(page, page.body(values), pages) }),
    ),
    docsFile({
      path: "/openapi.json",
      kind: "json",
      hasExamples: true,
      text: (values) => JSON.stringify(openapi(catalogue, publicUrl, values)),
    }),
    docsFile({ path: "/docs/docs.css", kind: "css", text: () => STYLES.map(readAsset).join("") }),
    docsFile({ path: "/docs/docs.js", kind: "js", text: () => readAsset("docs.js") }),
    docsFile({ path: "/docs/search.json", kind: "json", text: () => JSON.stringify(pages.map(toFound)) }),
  ];
}

const STYLES = ["tokens.css", "frame.css", "content.css", "media.css"];

const readAsset = (name: string): string => readFileSync(new URL(`assets/${name}`, import.meta.url), "utf8");

const toFound = ({ path, title, lead, words }: DocsPage) => ({ path, title, lead, words: words() });
