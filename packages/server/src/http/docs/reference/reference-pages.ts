import type { DatasetDefinition } from "../../../definition/dataset.ts";
import { html, type Html } from "../../html.ts";
import { datasetSchemas, schemaName, type JsonSchema } from "../../openapi/dataset-schemas.ts";
import { datasetPath } from "../dataset/dataset-page.ts";
import { type DocsPage, pageBody, part } from "../page-parts.ts";
import { operationView, schemaView } from "./operation-view.ts";
import type { LinkOf } from "./type-text.ts";

const HOME = "/docs/reference";
const pathOf = ({ name }: DatasetDefinition): string => `${HOME}/${name}`;

type Document = JsonSchema & {
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
};

/** /docs/reference: openapi.json as pages: its operations and shared schemas, and a page of schemas per dataset. */
export function referencePages(catalogue: readonly DatasetDefinition[], openapi: JsonSchema): DocsPage[] {
  const document = openapi as Document;
  const { schemas } = document.components;
  const homeOf = new Map(
    catalogue.flatMap((dataset) =>
      Object.keys(datasetSchemas(dataset)).map((name) => [name, pathOf(dataset)] as const),
    ),
  );
  const linkOf: LinkOf = (name) => `${homeOf.get(name) ?? HOME}#schema-${name}`;
  const shared = Object.keys(schemas).filter((name) => !homeOf.has(name));
  const home: DocsPage = {
    path: HOME,
    title: "OpenAPI reference",
    group: "Reference",
    lead: "The whole contract of the one endpoint: request, answers, headers and every schema.",
    body: () =>
      pageBody(
        html`<p>
          For programs: <a href="/openapi.json">openapi.json</a>, OpenAPI 3.1, from which client generators work. This
          page shows the same document.
        </p>`,
        [
          ...part("operations", "Operations", operations(document, linkOf)),
          ...part(
            "schemas",
            "Shared schemas",
            html`${shared.map((name) => schemaView(name, schemas[name] ?? {}, linkOf))}`,
          ),
          ...part("datasets", "Schemas by dataset", datasetList(catalogue)),
        ],
      ),
    words: () => `${shared.join(" ")} openapi swagger schema headers`,
  };
  return [home, ...catalogue.map((dataset) => schemasPage(dataset, schemas, linkOf))];
}

function operations({ paths }: Document, linkOf: LinkOf): Html {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationView(method, path, operation, linkOf)),
  );
  return html`${all}`;
}

const datasetList = (catalogue: readonly DatasetDefinition[]): Html =>
  html`<ul>
    ${catalogue.map((dataset) => html`<li><a href="${pathOf(dataset)}">${schemaName(dataset)}</a>: ${dataset.title}</li>`)}
  </ul>`;

function schemasPage(dataset: DatasetDefinition, schemas: Document["components"]["schemas"], linkOf: LinkOf): DocsPage {
  const names = Object.keys(datasetSchemas(dataset));
  return {
    path: pathOf(dataset),
    title: `Schemas: ${dataset.name}`,
    group: "Reference",
    lead: `Request, rows and answer of ${dataset.title} as openapi.json has them.`,
    body: () =>
      pageBody(
        html`<p>In words and with examples: <a href="${datasetPath(dataset)}">${dataset.title}</a>.</p>
          ${names.map((name) => schemaView(name, schemas[name] ?? {}, linkOf))}`,
        [],
      ),
    words: () => names.join(" "),
  };
}
