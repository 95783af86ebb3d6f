import type { DatasetDefinition } from "../../../definition/dataset.ts";
import { html, type Html } from "../../html.ts";
import type { DocsPage } from "../docs-page.ts";
import { pageBody, part } from "../page-body.ts";
import { ticked } from "../ticked.ts";
import { answerSection } from "./answer-section.ts";
import { coverageSection } from "./coverage-section.ts";
import { datasetGroup } from "./dataset-group.ts";
import { errorTable } from "./error-table.ts";
import { examplesSection } from "./examples-section.ts";
import { explorerLink } from "./explorer-link.ts";
import { fieldTable } from "./field-table.ts";
import { formulaSection } from "./formula-section.ts";
import { paramTable } from "./param-table.ts";

export const datasetPath = ({ name }: DatasetDefinition): string => `/docs/datasets/${name}`;

/** /docs/datasets/<name>: all that a definition says of its dataset. */
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
    body: () =>
      pageBody(facts(dataset), [
        ...part("examples", "Examples", examplesSection(dataset, publicUrl)),
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
      <div>
        <dt>agent_id</dt>
        <dd><code>${dataset.agentId}</code></dd>
      </div>
      <div>
        <dt>name</dt>
        <dd><code>${dataset.name}</code></dd>
      </div>
      <div>
        <dt>plan</dt>
        <dd>${dataset.plan}</dd>
      </div>
      <div>
        <dt>rows a page</dt>
        <dd>${usual} by default, at most ${max.toLocaleString("en")}</dd>
      </div>
      <div>
        <dt>try it</dt>
        <dd><a href="${explorerLink(dataset)}">Open in the explorer</a></dd>
      </div>
    </dl>
    <p class="note">Order: ${dataset.order}.</p>`;
}

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
  return html`<ul class="cards">
    ${found.map(
      (one) =>
        html`<li>
          <a href="${datasetPath(one)}">${one.title}</a>
          <p>${one.summary}</p>
        </li>`,
    )}
  </ul>`;
}
