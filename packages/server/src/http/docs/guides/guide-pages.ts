import type { DocsPage } from "../docs-page.ts";
import { guideText, GUIDES } from "./guide-list.ts";
import { renderMarkdown } from "./render-markdown.ts";

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
    body: () => renderMarkdown(guideText(guide.file).replaceAll(PLACE, publicUrl), guide.file),
    words: () => [...new Set(guideText(guide.file).toLowerCase().match(WORDS))].join(" "),
  }));
