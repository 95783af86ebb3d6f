import type { DatasetDefinition, Row, Formula } from "../../../definition/dataset.ts";
import { costText } from "../../cost-text.ts";
import { html, type Html } from "../../html.ts";
import { type DocsPage, pageBody, part, ticked, cardList, codeBlock, dataTable } from "../page-parts.ts";
import { coverageSection } from "./coverage-section.ts";
import { errorTable, paramTable } from "./dataset-tables.ts";
import { examplesSection, explorerLink } from "./examples-section.ts";
import type { Column } from "../../../definition/column.ts";
import { EXAMPLE_SAMPLE } from "../../../definition/example-values.ts";

const WIRE: Readonly<Record<string, string>> = {
  text: "string",
  id: "string",
  flag: "boolean",
  int: "integer",
  num: "number",
  iso: "string, ISO-8601 UTC",
  "json string": "string of JSON",
  list: "array of strings",
};

/** The fields of a row, in order. */
const fieldTable = (row: Row): Html =>
  html`<p>
      Types are those of the <code>raw</code> format; in <code>typed</code> decimal strings are numbers and strings of
      JSON are JSON.
    </p>
    ${dataTable(
      "Fields",
      ["field", "type", "unit", "meaning"],
      Object.entries(row).map(([name, column]) => fieldRow(name, column)),
    )}`;

function fieldRow(name: string, column: Column): Html {
  return html`<tr id="field-${name}">
    <td><code>${name}</code></td>
    <td>${wireText(column.wire)}${column.nullable ? " or null" : ""}</td>
    ${column.unit === undefined ? html`<td class="none">–</td>` : html`<td>${column.unit}</td>`}
    <td>${ticked(column.about)}</td>
  </tr> `;
}

function wireText(wire: string): string {
  const places = /^dec\((\d+)\)$/.exec(wire)?.[1];
  return places === undefined ? (WIRE[wire] ?? wire) : `decimal string, ${places} places`;
}

/** How figures are computed; undefined for data passed on as the venue reports it. */
function formulaSection(formula: readonly Formula[] | undefined): Html | undefined {
  if (formula === undefined) return undefined;
  return html`<p>Undefined values are null, unless a line says otherwise.</p>
    ${formula.map(
      ({ title, fields, says }) =>
        html`<h3>${title}</h3>
          ${fields.length === 0 ? html`` : html`<p class="note">Gives ${fieldLinks(fields)}.</p>`}
          <ul>
            ${says.map((line) => html`<li>${ticked(line)}</li>`)}
          </ul>`,
    )}`;
}

const fieldLinks = (fields: readonly string[]): Html =>
  html`${fields.map((field, index) => html`${index > 0 ? ", " : ""}<a href="#field-${field}"><code>${field}</code></a>`)}`;

export const datasetPath = ({ name }: DatasetDefinition): string => `/docs/datasets/${name}`;

/** /docs/datasets/<name>: everything in a dataset's definition. */
export function datasetPage(
  dataset: DatasetDefinition,
  catalogue: readonly DatasetDefinition[],
  publicUrl: string,
): DocsPage {
  return {
    path: datasetPath(dataset),
    title: dataset.title,
    group: datasetGroup(dataset),
    lead: dataset.summary,
    note: `${dataset.agentId} · ${dataset.plan}`,
    hasExamples: true,
    body: (values) =>
      pageBody(facts(dataset), [
        ...part("examples", "Examples", examplesSection(dataset, publicUrl, values)),
        ...part("parameters", "Parameters", paramTable(dataset.params)),
        ...part("fields", "Fields", fieldTable(dataset.row)),
        ...part("formula", "Formulas", formulaSection(dataset.formula)),
        ...part("notes", "Good to know", notes(dataset)),
        ...part("coverage", "Coverage and walks", coverageSection(dataset)),
        ...part("answer", "Answer", answerSection(dataset)),
        ...part("errors", "Errors", errorTable(dataset)),
        ...part("related", "Related", related(dataset, catalogue)),
      ]),
    words: () =>
      [String(dataset.agentId), dataset.name, ...Object.keys(dataset.params), ...Object.keys(dataset.row)].join(" "),
  };
}

function facts(dataset: DatasetDefinition): Html {
  const { default: usual, max } = dataset.limit;
  return html`<dl class="facts">
      ${fact("agent_id", html`<code>${dataset.agentId}</code>`)} ${fact("name", html`<code>${dataset.name}</code>`)}
      ${fact("plan", dataset.plan)} ${fact("rows a page", `${usual} by default, at most ${max.toLocaleString("en")}`)}
      ${fact(
        "costs",
        html`${ticked(costText(dataset))} <a href="/docs/guides/limits#what-a-question-costs">How it is counted</a>`,
      )}
      ${fact("try it", html`<a href="${explorerLink(dataset)}">Open in the explorer</a>`)}
    </dl>
    <p class="note">Order: ${dataset.order}.</p>`;
}

const fact = (term: string, reported: string | Html): Html =>
  html`<div>
    <dt>${term}</dt>
    <dd>${reported}</dd>
  </div>`;

function notes({ notes: all, guide }: DatasetDefinition): Html | undefined {
  if (all === undefined && guide === undefined) return undefined;
  const more =
    guide === undefined ? html`` : html`<p>The guide says more: <a href="/docs/guides/${guide}">${guide}</a>.</p>`;
  return html`<ul>
      ${(all ?? []).map((one) => html`<li>${ticked(one)}</li>`)}
    </ul>
    ${more}`;
}

function related({ related: ids = [] }: DatasetDefinition, catalogue: readonly DatasetDefinition[]): Html | undefined {
  const found = ids.flatMap((id) => catalogue.find(({ agentId }) => agentId === id) ?? []);
  if (found.length === 0) return undefined;
  return cardList(found.map((one) => ({ path: datasetPath(one), title: one.title, lead: one.summary })));
}

/** The shape of a complete answer, with a row from a demo. */
function answerSection(dataset: DatasetDefinition): Html {
  const answer = {
    data: { results: [sampleRow(dataset)] },
    pagination: { limit: dataset.limit.default, offset: 0, has_more: false, next_cursor: null },
    params: defaultsOf(dataset),
    coverage: { complete: true, from: "2022-11-21T00:00:00Z", to: "2026-11-20T10:00:03Z", gaps: [], reasons: [] },
    timestamp: "2026-11-20T10:00:04.120Z",
    request_id: "req_01JD3V7M2Q8Z4K6T9W5XHB1NRE",
  };
  return html`<p>
      The row comes from a demo's simulated exchanges. Order: ${dataset.order}.
      <code>params</code> shows the filters as applied, defaults included.
    </p>
    ${codeBlock("The shape of an answer (200)", JSON.stringify(answer, null, 2), "json")}`;
}

function defaultsOf({ params }: DatasetDefinition): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).flatMap(([name, { defaultText }]) =>
      defaultText === undefined ? [] : [[name, defaultText]],
    ),
  );
}

/** The groups of datasets in display order. */
export const DATASET_GROUPS = ["Polymarket", "Kalshi", "Markets", "Wallets", "Social"] as const;

const BY_NAME: readonly (readonly [RegExp, (typeof DATASET_GROUPS)[number]])[] = [
  [/^kalshi-/, "Kalshi"],
  [/^social-/, "Social"],
  [/^wallet-|pnl|^score-/, "Wallets"],
  [/^polymarket-/, "Polymarket"],
];

/** The group of a dataset, by its name. */
export function datasetGroup({ name }: Pick<DatasetDefinition, "name">): string {
  return BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? "Markets";
}

/** A row of the dataset in raw format as a demo answered it, limited to the dataset's current fields. */
export function sampleRow({ agentId, row }: Pick<DatasetDefinition, "agentId" | "row">): Record<string, unknown> {
  const sample = EXAMPLE_SAMPLE.rows[String(agentId)] ?? {};
  return Object.fromEntries(Object.entries(sample).filter(([name]) => name in row));
}
