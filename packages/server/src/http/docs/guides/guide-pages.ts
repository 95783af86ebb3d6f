import { readFileSync } from "node:fs";
import type { DocsPage } from "../docs-page.ts";
import type { Guide } from "./guide.ts";
import { GUIDES } from "./guide-list.ts";
import { renderMarkdown } from "./render-markdown.ts";

const TEXTS = new URL("../../../../../../docs/", import.meta.url);
/** In a text: where this service is. */
const PLACE = "https://almanac.example";
const WORDS = /[\p{L}\p{N}_-]{3,}/gu;

/** /docs/guides/<name>: the texts under docs/ that callers and operators need. */
export const guidePages = (publicUrl: string): DocsPage[] =>
  GUIDES.map((guide) => ({
    path: `/docs/guides/${guide.name}`,
    title: guide.title,
    group: guide.group,
    lead: guide.lead,
    body: () => renderMarkdown(textOf(guide).replaceAll(PLACE, publicUrl), guide.file),
    words: () => [...new Set(textOf(guide).toLowerCase().match(WORDS))].join(" "),
  }));

const textOf = ({ file }: Guide): string => readFileSync(new URL(file, TEXTS), "utf8");
