import type { Column } from "../../definition/column.ts";
import type { DatasetDefinition } from "../../definition/dataset.ts";
import type { Param } from "../../definition/param.ts";
import { html, type Html } from "../html.ts";
import { layout } from "./layout.ts";

/** /docs/datasets/<name>: parameters, columns and examples of one dataset. */
export function datasetPage(dataset: DatasetDefinition, publicUrl: string): string {
  return layout(
    dataset.title,
    html`<p>${dataset.summary}</p>
      <p>
        <code>agent_id</code> ${dataset.agentId} · plan ${dataset.plan} · ${dataset.limit.default} rows by default, at
        most ${dataset.limit.max} · order: ${dataset.order}
      </p>
      <h2>Parameters</h2>
      ${fieldTable(Object.entries(dataset.params).map(([name, param]) => paramRow(name, param)))}
      <h2>Row</h2>
      ${fieldTable(Object.entries(dataset.row).map(([name, column]) => columnRow(name, column)))}
      <h2>Examples</h2>
      ${dataset.examples.map((example) => exampleBlock(dataset, example, publicUrl))}`,
  );
}

function fieldTable(rows: readonly Html[]): Html {
  return html`<div class="table">
    <table>
      <tr>
        <th>name</th>
        <th>type</th>
        <th>meaning</th>
      </tr>
      ${rows}
    </table>
  </div>`;
}

function paramRow(name: string, param: Param): Html {
  const notes = [
    param.about,
    param.isRequired ? "Required." : "",
    param.choices === undefined ? "" : `One of ${param.choices.join(", ")}.`,
    param.defaultText === undefined ? "" : `Default ${param.defaultText}.`,
    offNote(param),
    param.aliases.length > 0 ? `Also ${param.aliases.join(", ")}.` : "",
  ];
  return html`<tr>
    <td><code>${name}</code></td>
    <td>${param.type}</td>
    <td>${notes.filter((note) => note !== "").join(" ")}</td>
  </tr> `;
}

function offNote(param: Param): string {
  const shown = param.offValues.filter((value) => value !== "");
  return shown.length > 0 ? `No filter: ${shown.join(", ")} or empty.` : "";
}

function columnRow(name: string, column: Column): Html {
  const unit = column.unit === undefined ? "" : ` (${column.unit})`;
  return html`<tr>
    <td><code>${name}</code></td>
    <td>${column.wire}${column.nullable ? " or null" : ""}</td>
    <td>${column.about}${unit}</td>
  </tr> `;
}

function exampleBlock(
  dataset: DatasetDefinition,
  example: DatasetDefinition["examples"][number],
  publicUrl: string,
): Html {
  const body = JSON.stringify({
    agent_id: dataset.agentId,
    params: example.params,
    pagination: { limit: 10, offset: 0 },
  });
  return html`<p>${example.title}</p>
    <pre>
curl ${publicUrl}/api/v2/semantic/retrieve/parameterized \\
  -H "Authorization: Bearer $ALMANAC_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${body}'</pre> `;
}
