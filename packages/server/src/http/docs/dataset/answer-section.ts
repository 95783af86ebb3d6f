import type { DatasetDefinition } from "../../../definition/dataset.ts";
import { html, type Html } from "../../html.ts";
import { codeBlock } from "../code-block.ts";
import { sampleRow } from "./sample-row.ts";

/** The shape of a whole answer, with one row made up from the types. */
export function answerSection(dataset: DatasetDefinition): Html {
  const answer = {
    data: { results: [sampleRow(dataset.row)] },
    pagination: { limit: dataset.limit.default, offset: 0, has_more: false, next_cursor: null },
    params: defaultsOf(dataset),
    coverage: { complete: true, from: "2022-11-21T00:00:00Z", to: "2026-11-20T10:00:03Z", gaps: [], reasons: [] },
    timestamp: "2026-11-20T10:00:04.120Z",
    request_id: "req_01JD3V7M2Q8Z4K6T9W5XHB1NRE",
  };
  return html`<p>
      Names, types and decimals are right; the values are made up from the types. Order: ${dataset.order}.
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
