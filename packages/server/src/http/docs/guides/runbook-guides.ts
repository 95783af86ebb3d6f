import { readFileSync } from "node:fs";
import type { Guide } from "./guide.ts";

const CONTENTS = new URL("../../../../../../docs/runbook/README.md", import.meta.url);
const LINE = /^- \[(\w+)\]\(([a-z-]+)\.md\): (.+)$/gm;

/** The page of each alert, as the runbook's table of contents has it. */
export const RUNBOOK_GUIDES: readonly Guide[] = [...readFileSync(CONTENTS, "utf8").matchAll(LINE)].map(
  ([, title = "", name = "", lead = ""]) => ({
    name: `runbook/${name}`,
    file: `runbook/${name}.md`,
    title,
    group: "Runbook",
    lead: lead.replaceAll("`", ""),
  }),
);
