import type { DatasetDefinition } from "../../../definition/dataset.ts";
import type { TableDefinition } from "../../../definition/table.ts";
import { html, type Html } from "../../html.ts";
import { ticked } from "../page-parts.ts";

/** Explains what an answer's `coverage` counts, and which snapshot a walk by cursor uses. */
export function coverageSection(dataset: DatasetDefinition): Html {
  return html`<ul>
      ${[...lines(dataset)].map((line) => html`<li>${ticked(line)}</li>`)}
    </ul>
    <p>More: <a href="/docs/guides/coverage">coverage</a>, <a href="/docs/guides/paging">paging and cursors</a>.</p>`;
}

function* lines(dataset: DatasetDefinition) {
  const { tables, tablesWith, range, asOf, venue, venues, instrument, snapshot, cursorHours } = dataset;
  yield `Every answer's \`coverage\` says whether rows that exist upstream could be missing. It counts the sources of ${named(tables)}.`;
  if (tablesWith)
    yield `With \`${tablesWith.param}\` it counts the sources of these instead: ${named(tablesWith.tables)}.`;
  if (range) yield rangeLine(range);
  if (asOf) yield `It counts up to the end of the UTC day \`${asOf}\`; without it up to now.`;
  if (venue) yield `Only data from ${venue} counts.`;
  if (venues) yield `\`${venues.param}\` chooses whose rows count: ${venues.all.join(", ")} without it.`;
  if (instrument) yield `Gaps of other instruments than \`${instrument}\` do not count.`;
  yield snapshot
    ? "A walk by cursor stays on the rows of its first page: the next walk sees later changes."
    : "A walk by cursor omits rows stored after it began if rows never change; other rows show their current state.";
  if (cursorHours) yield `A cursor is valid for ${cursorHours} hours.`;
}

function rangeLine({ from, to, hours, needsAllBefore }: NonNullable<DatasetDefinition["range"]>): string {
  const start = needsAllBefore
    ? "everything before, because figures depend on all earlier activity"
    : from === undefined
      ? `\`${hours ?? ""}\` before it`
      : `\`${from}\`${hours === undefined ? "" : `, or \`${hours}\` before it`}`;
  return `It counts up to \`${to}\` (now without it), from ${start} on.`;
}

const named = (tables: readonly TableDefinition[]): string =>
  tables.map(({ about }) => lowerFirst(about.replace(/\.$/, ""))).join("; ");

const lowerFirst = (text: string): string =>
  /^[A-Z][a-z]/.test(text) && !/^(Polymarket|Kalshi|Bluesky)/.test(text)
    ? text.slice(0, 1).toLowerCase() + text.slice(1)
    : text;
