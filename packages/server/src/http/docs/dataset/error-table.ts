import type { DatasetDefinition } from "../../../definition/dataset.ts";
import type { ErrorCode } from "../../../definition/errors.ts";
import { html, type Html } from "../../html.ts";
import { dataTable } from "../page-parts.ts";
import { errorRow } from "../errors/error-page.ts";

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
