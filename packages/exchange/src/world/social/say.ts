import type { MarketView } from "../polymarket/market-view.ts";
import type { Rng } from "../core/rng.ts";
import type { Post } from "../social-contract.ts";
import { nameSubject, type SubjectName } from "./name-subject.ts";
import type { Subjects } from "./subjects.ts";
import { ANSWERS, AROUND, AROUND_IN, EMOJI, NEWS, NOISE, NOISE_IN, OPENERS, STANCES, TONES } from "./talk-words.ts";

const SHORT: Readonly<Record<string, readonly string[]>> = {
  Bitcoin: ["BTC", "$BTC", "bitcoin"],
  Ethereum: ["ETH", "$ETH"],
  Solana: ["SOL", "$SOL"],
  XRP: ["$XRP", "Ripple"],
};

/** Lists whose entries never become hashtags or possessives. */
const UNTAGGED: ReadonlySet<string> = new Set(["answer", "level", "number", "product", "topic"]);

const hashtag = (text: string): string => `#${text.replaceAll(/[^\p{L}\p{N}]/gu, "")}`;

/** A name as people write it: unchanged, in another case, as hashtag or possessive. Always complete. */
function sayName(name: SubjectName, rng: Rng): string {
  const { text } = name;
  const turn = rng.below(10);
  if (turn === 0) return text.toUpperCase();
  if (turn === 1) return text.toLowerCase();
  if (turn === 2 && !UNTAGGED.has(name.list)) return hashtag(text);
  if (turn === 3 && !UNTAGGED.has(name.list)) return `${text}${text.endsWith("s") ? "'" : "’s"}`;
  return text;
}

/** A part of a name, or its abbreviation, from which a reader must guess. */
function hintName(name: SubjectName, rng: Rng): string {
  const short = SHORT[name.text];
  if (short !== undefined) return rng.pick(short);
  const words = name.text.split(" ").filter((word) => word.length > 2);
  if (name.list === "person") return words.at(-1) ?? name.text;
  if (name.list === "team" && rng.chance(0.5)) return name.text.toLowerCase().replace(/s$/, "");
  return rng.chance(0.3) && !UNTAGGED.has(name.list)
    ? hashtag(name.text)
    : (words[rng.below(words.length)] ?? name.text);
}

/** A text and its ground truth. */
export type Said = Pick<Post, "text" | "langs" | "condition_ids" | "naming" | "stance" | "tone">;

const QUIET = { stance: "none", tone: 0 } as const;

/** Text unrelated to any market. */
export function sayNoise(rng: Rng): Said {
  const about = { condition_ids: [], naming: "none", ...QUIET } as const;
  if (rng.chance(0.2)) {
    const [lang, text] = rng.pick(NOISE_IN);
    return { text, langs: [lang], ...about };
  }
  const text = rng.pick(NOISE);
  return { text: rng.chance(0.2) ? `${text} ${rng.pick(EMOJI)}` : text, langs: ["en"], ...about };
}

/** Text without any names: only the parent post shows what it is about. */
export function sayAnswer(rng: Rng): Said {
  return { text: rng.pick(ANSWERS), langs: langsOf("en", rng), condition_ids: [], naming: "none", ...QUIET };
}

/** Text about a market, occasionally about all answers of its event or about a second market too. */
export function saySubject(market: MarketView, subjects: Subjects, rng: Rng, isNews: boolean): Said {
  if (!isNews && market.group_item_title !== "" && rng.chance(0.12)) return sayTitle(market, subjects, rng);
  const opener = rng.pick(isNews ? NEWS : OPENERS);
  const body = bodyOf(market, rng);
  const other = !isNews && rng.chance(0.08) ? subjects.pick(rng) : undefined;
  const second = other === undefined ? "" : `Also: ${other.question}`;
  const named = body.naming === "names" ? subjects.alikeByName(market) : subjects.alike(market);
  const about = [...named, ...(other === undefined ? [] : subjects.alike(other))];
  const attitude = body.lang === "en" ? attitudeOf(market, rng) : { text: "", ...QUIET };
  const tail = tailOf(market, rng);
  return {
    text: [body.lang === "en" ? opener : "", body.text, second, attitude.text, tail].filter(Boolean).join(" "),
    langs: langsOf(body.lang, rng),
    condition_ids: [...new Set(about.map((each) => each.condition_id))],
    naming: body.naming,
    stance: attitude.stance,
    tone: attitude.tone,
  };
}

function sayTitle(market: MarketView, subjects: Subjects, rng: Rng): Said {
  const { title } = market.event;
  const text = `${rng.pick(OPENERS)} ${rng.chance(0.3) ? title.toLowerCase() : title}`.trim();
  const condition_ids = subjects.ofTitle(title).map((each) => each.condition_id);
  return { text, langs: ["en"], condition_ids, naming: "question", ...QUIET };
}

type Body = { text: string; naming: "question" | "names" | "hint"; lang: string };

function bodyOf(market: MarketView, rng: Rng): Body {
  const names = nameSubject(market);
  const turn = rng.unit();
  if (turn < 0.4 || names.length === 0) return { text: market.question, naming: "question", lang: "en" };
  if (turn < 0.5) return { text: market.question.toLowerCase(), naming: "question", lang: "en" };
  if (turn < 0.65) {
    const text = rng.pick(AROUND).replace("{all}", () => hintName(rng.pick(names), rng));
    return { text, naming: "hint", lang: "en" };
  }
  const all = names.map((name) => sayName(name, rng)).join(rng.pick([", ", " / ", " and ", " + ", " "]));
  const [lang, sentence] = rng.chance(0.2) ? rng.pick(AROUND_IN) : (["en", rng.pick(AROUND)] as const);
  return { text: sentence.replace("{all}", () => all), naming: "names", lang };
}

/** The stated position and sentiment of the author. */
function attitudeOf(market: MarketView, rng: Rng): { text: string } & Pick<Said, "stance" | "tone"> {
  const cents = Math.round((market.last_trade_price_e4 ?? 5000) / 100);
  const stance = rng.chance(0.25) ? rng.pick(["buy_yes", "buy_no", "up", "down"] as const) : "none";
  const says = stance === "none" ? "" : rng.pick(STANCES[stance]);
  const tone = rng.chance(0.7) ? 0 : rng.chance(0.5) ? 1 : -1;
  const feels = tone === 0 ? "" : rng.pick(TONES[tone === 1 ? "good" : "bad"]);
  const text = [says.replace("{cents}", String(cents)).replace("{no}", String(100 - cents)), feels];
  return { text: text.filter(Boolean).join(" "), stance, tone };
}

function tailOf(market: MarketView, rng: Rng): string {
  const turn = rng.below(10);
  if (turn === 0) return `https://polymarket.com/event/${market.event.slug}`;
  if (turn === 1) return rng.pick(EMOJI);
  return turn === 2 ? "#PredictionMarkets" : "";
}

/** Declared languages: mostly correct, sometimes none, rarely wrong. */
function langsOf(lang: string, rng: Rng): string[] {
  const turn = rng.unit();
  if (turn < 0.06) return [];
  if (turn < 0.08) return ["en", lang === "en" ? "pt" : lang];
  return turn < 0.1 ? ["en"] : [lang];
}
