import type { Params, DatasetDefinition } from "../../../definition/dataset.ts";
import type { Param } from "../../../definition/param.ts";
import { html, type Html } from "../../html.ts";
import { dataTable, ticked } from "../page-parts.ts";
import type { ErrorCode } from "../../../definition/errors.ts";
import { errorRow } from "../errors/error-page.ts";

/** The parameters of a dataset; undefined if it takes none. */
export function paramTable(params: Params): Html | undefined {
  const all = Object.entries(params);
  if (all.length === 0) return undefined;
  return html`<p>
      Each value is a string. An empty one means no filter, as do the values that mean no filter; if there is a default
      and no such value, it means the default.
    </p>
    ${dataTable(
      "Parameters",
      ["name", "type", "default", "meaning"],
      all.map(([name, param]) => paramRow(name, param)),
    )}`;
}

const codes = (values: readonly string[]): Html =>
  html`${values.map((value, index) => html`${index > 0 ? ", " : ""}<code>${value}</code>`)}`;

function paramRow(name: string, param: Param): Html {
  const off = param.offValues.filter((value) => value !== "");
  const { description } = param.schema;
  const form = typeof description === "string" && description !== param.about ? `${description}.` : "";
  return html`<tr id="param-${name}">
    <td><code>${name}</code>${param.isRequired ? html` <span class="badge">required</span>` : html``}</td>
    <td>${param.type}</td>
    ${param.defaultText === undefined ? html`<td class="none">–</td>` : html`<td class="default"><code>${param.defaultText}</code></td>`}
    <td>
      ${ticked(param.about)} ${note(form === "" ? undefined : html`${form.slice(0, 1).toUpperCase()}${form.slice(1)}`)}
      ${note(param.choices && html`One of ${codes(param.choices)}.`)}
      ${note(off.length > 0 ? html`No filter: ${codes(off)} or empty.` : undefined)}
      ${note(param.defaultUnless === undefined ? undefined : html`No default with ${codes([param.defaultUnless])}.`)}
      ${note(param.aliases.length > 0 ? html`Also known as ${codes(param.aliases.filter((alias) => alias !== name))}.` : undefined)}
    </td>
  </tr> `;
}

const note = (text: Html | undefined): Html => (text === undefined ? html`` : html`<p class="note">${text}</p>`);

/** The errors with which a query to this dataset can be refused. */
export function errorTable(dataset: DatasetDefinition): Html {
  const rows = [...reasons(dataset)].map(([code, when]) => errorRow(code, when));
  return html`${dataTable("Errors", ["status", "code", "when"], rows)}
    <p>An empty result is no error: it is 200 with no rows. Every error: <a href="/docs/guides/errors">errors</a>.</p>`;
}

function* reasons({ params, limit, cursorHours, plan, check }: DatasetDefinition): Generator<[ErrorCode, string]> {
  const required = Object.entries(params).flatMap(([name, one]) => (one.isRequired ? [name] : []));
  const rule = check?.(new Set());
  const missing = required.length === 0 ? "" : ` ${required.join(", ")} not sent.`;
  yield [
    "INVALID_PARAMS",
    `An unknown parameter, or a value that is not a string or does not parse.${missing}${rule === undefined ? "" : ` Where ${rule}.`}`,
  ];
  yield [
    "INVALID_PAGINATION",
    `limit is not 1 to ${limit.max}, or a cursor is altered, of another request${cursorHours === undefined ? "" : `, or older than ${cursorHours} hours`}.`,
  ];
  yield ["UNAUTHENTICATED", "No key, or one that is not valid."];
  yield ["FORBIDDEN", `The key's plan (${plan} or above by default) or its list of datasets lacks it.`];
  yield ["RATE_LIMITED", "More requests than the plan allows a minute."];
  yield ["QUERY_TIMEOUT", "The query exceeds its time or memory budget."];
  yield ["UNAVAILABLE", "The store is down or the service sheds load."];
}
