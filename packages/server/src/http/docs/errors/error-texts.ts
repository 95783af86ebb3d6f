import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ErrorCode, ErrorDetail } from "../../../definition/errors.ts";

/** What the page of an error says beside its title and what to do. */
type ErrorText = {
  readonly means: string;
  /** One of it: what was asked, and what the service says then, which goes on where it ends with "…". */
  readonly asked: string;
  readonly message: string;
  readonly details?: readonly ErrorDetail[];
  readonly related: readonly ErrorCode[];
};

const SECTION =
  /^(?<code>\w+)\n\n(?<means>.+)\n\nExample: (?<asked>.+)\n\n> (?<message>.+)\n\n(?:```json\n(?<details>[^]+?)```\n\n)?Related: (?<related>.+)\n$/u;

/** The sections of errors.md; test/docs/error-samples.test.ts brings each example about. */
const ERROR_TEXTS: ReadonlyMap<string, ErrorText> = new Map(
  `\n${readFileSync(join(import.meta.dirname, "errors.md"), "utf8")}`.split("\n## ").slice(1).map(readSection),
);

function readSection(section: string): readonly [string, ErrorText] {
  const { code, means, asked, message, details, related } = SECTION.exec(`${section.trimEnd()}\n`)?.groups ?? {};
  if (!code || !means || !asked || !message || !related)
    throw new TypeError(`a section of errors.md lacks a part: ${section}`);
  const shown = details === undefined ? {} : { details: JSON.parse(details) as ErrorDetail[] };
  return [code, { means, asked, message, ...shown, related: related.split(", ") as ErrorCode[] }];
}

export function errorText(code: ErrorCode): ErrorText {
  const text = ERROR_TEXTS.get(code);
  if (text === undefined) throw new TypeError(`errors.md says nothing of ${code}`);
  return text;
}
