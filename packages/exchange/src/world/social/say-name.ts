import type { Rng } from "../core/rng.ts";
import type { SubjectName } from "./name-subject.ts";

const SHORT: Readonly<Record<string, readonly string[]>> = {
  Bitcoin: ["BTC", "$BTC", "bitcoin"],
  Ethereum: ["ETH", "$ETH"],
  Solana: ["SOL", "$SOL"],
  XRP: ["$XRP", "Ripple"],
};

/** Of these nobody makes hashtags and possessives. */
const UNTAGGED: ReadonlySet<string> = new Set(["answer", "level", "number", "product", "topic"]);

const hashtag = (text: string): string => `#${text.replaceAll(/[^\p{L}\p{N}]/gu, "")}`;

/** A name as people write it: as it is, with another case, a hashtag, a possessive. All of it is there. */
export function sayName(name: SubjectName, rng: Rng): string {
  const { text } = name;
  const turn = rng.below(10);
  if (turn === 0) return text.toUpperCase();
  if (turn === 1) return text.toLowerCase();
  if (turn === 2 && !UNTAGGED.has(name.list)) return hashtag(text);
  if (turn === 3 && !UNTAGGED.has(name.list)) return `${text}${text.endsWith("s") ? "'" : "’s"}`;
  return text;
}

/** A part of a name, or what it is called for short: a reader has to guess. */
export function hintName(name: SubjectName, rng: Rng): string {
  const short = SHORT[name.text];
  if (short !== undefined) return rng.pick(short);
  const words = name.text.split(" ").filter((word) => word.length > 2);
  if (name.list === "person") return words.at(-1) ?? name.text;
  if (name.list === "team" && rng.chance(0.5)) return name.text.toLowerCase().replace(/s$/, "");
  return rng.chance(0.3) && !UNTAGGED.has(name.list)
    ? hashtag(name.text)
    : (words[rng.below(words.length)] ?? name.text);
}
