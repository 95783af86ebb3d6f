import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { linesBeside } from "./load-markets.ts";
import { readCsv } from "./read-csv.ts";

const FILE = fileURLToPath(
  new URL("../../../../../../shared/recorded/social/truth_social/trump_truths_full.csv.gz", import.meta.url),
);

/** Why the posts cannot be read; undefined if the file exists. */
export const noPosts = existsSync(FILE) ? undefined : `no recorded posts at ${FILE}`;

/** A person's label of a post; `key` is an event, `key:group` one of its markets. */
export type Label = {
  readonly row: number;
  /** First 16 digits of the SHA-256 of the text as the file has it. */
  readonly sha256: string;
  readonly stratum: "random" | "entity" | "named" | "fresh" | "second";
  readonly about?: readonly string[];
  readonly doubtful?: readonly string[];
};

export type RecordedPost = {
  readonly row: number;
  readonly tsMs: number;
  readonly text: string;
  readonly sha256: string;
};
export type LabelledPost = Label & RecordedPost;

/** Matchers are tuned on one half and judged on the other, and on two samples labelled after a matcher was measured. */
export type Half = "tuning" | "held out" | "fresh" | "second";
export function halfOf({ stratum, sha256 }: Pick<Label, "stratum" | "sha256">): Half {
  if (stratum === "fresh" || stratum === "second") return stratum;
  return Number.parseInt(sha256.slice(-1), 16) % 2 === 0 ? "tuning" : "held out";
}

export const loadLabels = (): readonly Label[] => linesBeside<Label>("labels.jsonl");

/** Every recorded post, by its row (0 is the first after the heading). Throws if the file is absent. */
export function loadPosts(): readonly RecordedPost[] {
  if (noPosts !== undefined) throw new Error(noPosts);
  const [, ...records] = readCsv(gunzipSync(readFileSync(FILE)).toString("utf8"));
  return records.map(([date = "", text = ""], row) => ({
    row,
    tsMs: Date.parse(`${date.replace(" ", "T")}Z`),
    text: plainText(text),
    sha256: createHash("sha256").update(text).digest("hex").slice(0, 16),
  }));
}

/** The labelled posts. Throws if a text is not the one that was labelled. */
export function loadLabelledPosts(): readonly LabelledPost[] {
  const posts = loadPosts();
  return loadLabels().map((label) => {
    const post = posts[label.row];
    if (post?.sha256 !== label.sha256) throw new Error(`row ${label.row} is another post than the one labelled`);
    return Object.assign({}, label, post);
  });
}

/** The file spells line ends as a literal \n, and ampersands as HTML entities. */
const plainText = (text: string): string => text.replaceAll("\\n", "\n").replaceAll("&amp;", "&");
