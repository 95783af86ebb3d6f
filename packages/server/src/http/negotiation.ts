import { createHash } from "node:crypto";
import type { Answer } from "../query/answer.ts";

/** One member of a header such as Accept: its name, its weight 0–1 and its position; other parameters are dropped. */
export type Weighted = { readonly name: string; readonly weight: number; readonly place: number };

const MAX_MEMBERS = 50;

/** Parses `a;q=0.5, b` into lower-case members in the order sent; a malformed weight counts as 0. */
export function readWeightedList(header: string): Weighted[] {
  return header
    .split(",", MAX_MEMBERS)
    .map((member, place) => {
      const [name = "", ...parameters] = member.split(";");
      const weight = parameters.map(weightIn).find((q) => q !== undefined);
      return { name: name.trim().toLowerCase(), weight: weight ?? 1, place };
    })
    .filter((member) => member.name !== "");
}

/** The weight in a parameter such as `q=0.5`; undefined for any other one. */
function weightIn(parameter: string): number | undefined {
  const equals = parameter.indexOf("=");
  if (parameter.slice(0, Math.max(0, equals)).trim().toLowerCase() !== "q") return undefined;
  return toWeight(parameter.slice(equals + 1).trim());
}

function toWeight(text: string): number {
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}

export type Encoding = "zstd" | "br" | "gzip";

/** At equal weights the first wins: at the levels used zstd is both the quickest and the smallest. */
const OFFERED: readonly Encoding[] = ["zstd", "br", "gzip"];

/** The content coding to use for Accept-Encoding, undefined for none. */
export function negotiateEncoding(header: string | undefined): Encoding | undefined;
/** The same for a subset of codings. */
export function negotiateEncoding<E extends Encoding>(header: string | undefined, offered: readonly E[]): E | undefined;
export function negotiateEncoding(
  header: string | undefined,
  offered: readonly Encoding[] = OFFERED,
): Encoding | undefined {
  if (header === undefined || header === "" || header === "identity") return undefined;
  const members = readWeightedList(header);
  const weightOf = (name: string): number | undefined => members.find((member) => member.name === name)?.weight;
  const any = weightOf("*") ?? 0;
  const identity = weightOf("identity") ?? 0;
  let best: { encoding: Encoding; weight: number } | undefined;
  for (const encoding of offered) {
    const weight = weightOf(encoding) ?? (encoding === "gzip" ? weightOf("x-gzip") : undefined) ?? any;
    if (weight > 0 && weight >= identity && weight > (best?.weight ?? 0)) best = { encoding, weight };
  }
  return best?.encoding;
}

/**
 * The validator of an answer: weak, since request id and timestamp differ between equal answers. The gaps are part
 * of it, so that "not modified" never hides that one was filled or opened.
 */
export function etagOf(answer: Pick<Answer, "etag" | "coverage">): string {
  const opaque = answer.etag.replace(/^W\//, "").replace(/^"|"$/g, "");
  const { complete, gaps } = answer.coverage;
  const digest = gaps.length > 0 ? `-${createHash("sha1").update(JSON.stringify(gaps)).digest("base64url")}` : "";
  return `W/"${opaque}${complete ? "" : "-partial"}${digest}"`;
}

const MAX_TAGS = 100;

/** Whether an If-None-Match header (a list, weak or strong, or *) names the tag, by weak comparison. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  const opaque = etag.replace(/^W\//, "");
  return header.split(",", MAX_TAGS).some((tag) => tag.trim().replace(/^W\//, "") === opaque);
}
