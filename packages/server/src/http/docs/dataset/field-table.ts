import type { Column } from "../../../definition/column.ts";
import type { Row } from "../../../definition/dataset.ts";
import { html, type Html } from "../../html.ts";
import { dataTable } from "../data-table.ts";
import { ticked } from "../ticked.ts";

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

/** The fields of a row, in their order. */
export const fieldTable = (row: Row): Html =>
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
