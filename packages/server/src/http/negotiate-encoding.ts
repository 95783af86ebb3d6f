import { readWeightedList } from "./weighted-list.ts";

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
