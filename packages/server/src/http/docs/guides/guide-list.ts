import { readFileSync } from "node:fs";

/** A guide: its name under /docs/guides, and its text under the repository's docs/. */
export type Guide = {
  readonly name: string;
  readonly file: string;
  readonly title: string;
  /** The last two are for whoever runs the service. */
  readonly group: "Guides" | "Method" | "Running it" | "Runbook";
  readonly lead: string;
};

const TEXTS = new URL("../../../../../../docs/", import.meta.url);
const LINE = /^- \[(.+)\]\((\S+\.md)\): (.+)$/gm;

export const guideText = (file: string): string => readFileSync(new URL(file, TEXTS), "utf8");

/** In the order in which one reads them: what docs/README.md lists by group, then the page of each alert. */
export const GUIDES: readonly Guide[] = [
  ...guideText("README.md").split("\n## ").slice(1).flatMap(groupOf),
  ...listed(guideText("runbook/README.md"), "Runbook", "runbook/"),
];

function groupOf(section: string): readonly Guide[] {
  const [group = ""] = section.split("\n");
  return listed(section, group as Guide["group"], "");
}

function listed(text: string, group: Guide["group"], folder: string): readonly Guide[] {
  return [...text.matchAll(LINE)].map(([, title = "", path = "", lead = ""]) => ({
    name: `${folder}${path.replace(/^guides\//, "").replace(/(?:\/README)?\.md$/, "")}`,
    file: `${folder}${path}`,
    title,
    group,
    lead: lead.replaceAll("`", ""),
  }));
}
