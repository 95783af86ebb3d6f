import { html, type Html } from "../html.ts";

/** A table in a box that scrolls sideways where it is too narrow, by the keyboard too. */
export const dataTable = (label: string, heads: readonly string[], rows: readonly Html[]): Html =>
  html`<div class="table rows" tabindex="0" role="region" aria-label="${label}">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
