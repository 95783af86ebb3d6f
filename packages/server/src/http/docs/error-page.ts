import { ERRORS, type ErrorCode } from "../../definition/errors.ts";
import { html } from "../html.ts";
import { layout } from "./layout.ts";

/** /docs/errors/<code>: what an error means and what to do. */
export function errorPage(code: ErrorCode): string {
  const error = ERRORS[code];
  const isRetried = error.status === 429 || error.status === 500 || error.status === 503;
  return layout(
    code,
    html`<p>${error.title}. Answered with HTTP ${error.status}.</p>
      <h2>What to do</h2>
      <p>${error.fix}</p>
      <h2>Trying again</h2>
      <p>
        ${
          isRetried
            ? "Wait 1, 2, then 4 seconds (longer where Retry-After says so), at most three times."
            : "The same request fails again; change it first."
        }
      </p>`,
  );
}
