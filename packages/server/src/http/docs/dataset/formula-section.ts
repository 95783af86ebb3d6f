import type { Formula } from "../../../definition/formula.ts";
import { html, type Html } from "../../html.ts";
import { ticked } from "../ticked.ts";

/** How figures are worked out; undefined for what a venue said as it is. */
export function formulaSection(formula: readonly Formula[] | undefined): Html | undefined {
  if (formula === undefined) return undefined;
  return html`<p>What is undefined is null, unless a line says otherwise.</p>
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
