import { readFileSync } from "node:fs";
import type { DatasetDefinition } from "../../definition/dataset.ts";
import type { JsonSchema } from "../openapi/dataset-schemas.ts";
import { toPageFile, type PageFile } from "../pages/page-file.ts";
import { DATASET_GROUPS, datasetGroup } from "./dataset/dataset-group.ts";
import { datasetPage, datasetPath } from "./dataset/dataset-page.ts";
import { type DocsPage, codeBlock, dataTable, pageBody, part } from "./page-parts.ts";
import { errorPages, errorPath } from "./errors/error-page.ts";
import { guidePages } from "./guides/guides.ts";
import { layout } from "./layout.ts";
import { referencePages } from "./reference/reference-pages.ts";
import { ERRORS } from "../../definition/errors.ts";
import { html, type Html } from "../html.ts";
import { snippet } from "./snippets/snippets.ts";

/** /docs: a request that works, every dataset, every guide. */
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
          ...DATASET_GROUPS.flatMap((group) =>
            part(group.toLowerCase(), group, datasetCards(byId.filter((one) => datasetGroup(one) === group))),
          ),
          ...part("guides", "Guides", pageCards(pages, "Guides")),
          ...part("method", "Method", pageCards(pages, "Method")),
          ...part("running-it", "Running it", pageCards(pages, "Running it")),
          ...part("errors", "Errors", errorList()),
        ],
      ),
    words: () => "",
  };
}

function datasetCards(datasets: readonly DatasetDefinition[]): Html | undefined {
  if (datasets.length === 0) return undefined;
  return html`<ul class="cards">
    ${datasets.map(
      (one) =>
        html`<li>
          <a href="${datasetPath(one)}">${one.title}</a> <small class="note">${one.agentId} · ${one.plan}</small>
          <p>${one.summary}</p>
        </li>`,
    )}
  </ul>`;
}

function pageCards(pages: readonly DocsPage[], group: string): Html {
  return html`<ul class="cards">
    ${pages
      .filter((page) => page.group === group)
      .map(
        ({ path, title, lead }) =>
          html`<li>
            <a href="${path}">${title}</a>
            <p>${lead}</p>
          </li>`,
      )}
  </ul>`;
}

const errorList = (): Html =>
  dataTable(
    "Errors",
    ["status", "code", "when"],
    Object.entries(ERRORS).map(
      ([code, { status, title }]) =>
        html`<tr>
          <td>${status}</td>
          <td>
            <a href="${errorPath(code)}"><code>${code}</code></a>
          </td>
          <td>${title}</td>
        </tr> `,
    ),
  );

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
