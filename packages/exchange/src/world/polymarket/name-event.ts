import type { PolymarketEvent, PolymarketSeries, Tag } from "../contract.ts";
import type { EventPlan } from "../core/event-plan.ts";
import type { Rng } from "../core/rng.ts";
import { LISTS, WORDINGS, type Wording } from "./wordings.ts";

/** Texts of an event and of each of its markets. */
export interface EventNames {
  title: string;
  slug: string;
  description: string;
  tags: string[];
  series: PolymarketSeries | null;
  markets: { question: string; slug: string; group: string; outcomes: [string, string] }[];
}

const COINS: Readonly<Record<string, string>> = { btc: "Bitcoin", eth: "Ethereum", sol: "Solana", xrp: "XRP" };
const LABELS: Readonly<Record<string, string>> = { geopolitics: "Geopolitics", economics: "Economy" };

/** Converts a title to slug form. */
export function toSlug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}

const EASTERN_DAY = new Intl.DateTimeFormat("en-US", { timeZone: "America/New_York", month: "long", day: "numeric" });
const EASTERN_CLOCK = new Intl.DateTimeFormat("en-US", {
  timeZone: "America/New_York",
  hour: "numeric",
  minute: "2-digit",
});

function easternTime(ms: number): { day: string; clock: string } {
  return { day: EASTERN_DAY.format(ms), clock: EASTERN_CLOCK.format(ms).replace(/\s/u, "") };
}

function nameWindow(plan: EventPlan, asset: string): EventNames {
  const coin = COINS[asset] ?? asset.toUpperCase();
  const from = easternTime(plan.start);
  const span = `${plan.minutes}m`;
  const title = `${coin} Up or Down - ${from.day}, ${from.clock}-${easternTime(plan.end).clock} ET`;
  const slug = `${asset}-updown-${span}-${plan.start / 1000}`;
  const series = {
    id: asset === "btc" ? "10684" : "10683",
    slug: `${asset}-up-or-down-${span}`,
    title: `${asset.toUpperCase()} Up or Down ${span}`,
    recurrence: span,
  };
  const description = `Resolves to "Up" if the price of ${coin} at the end of the window is at least its price at the beginning, else to "Down".`;
  const market = { question: title, slug, group: "", outcomes: ["Up", "Down"] as [string, string] };
  return {
    title,
    slug,
    description,
    tags: ["Crypto", coin, "Up or Down", span.toUpperCase()],
    series,
    markets: [market],
  };
}

function nameGame(plan: EventPlan, rng: Rng): EventNames {
  const teams = LISTS["team"] ?? [];
  const home = rng.below(teams.length);
  const away = (home + 1 + rng.below(teams.length - 1)) % teams.length;
  const league = rng.pick(LISTS["league"] ?? []);
  const outcomes: [string, string] = [teams[home] ?? "Home", teams[away] ?? "Away"];
  const title = `${outcomes[0]} vs. ${outcomes[1]}`;
  const day = new Date(plan.start).toISOString().slice(0, 10);
  const slug = `${toSlug(league)}-${toSlug(title)}-${day}-${plan.number}`;
  const description = `Winner of the ${league} game ${title} scheduled for ${day}. A game not played resolves 50-50.`;
  return {
    title,
    slug,
    description,
    tags: ["Sports", league, "Games"],
    series: null,
    markets: [{ question: title, slug, group: "", outcomes }],
  };
}

function fill(text: string, rng: Rng): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => rng.pick(LISTS[name] ?? [name]));
}

function answersOf(list: string, count: number, rng: Rng): string[] {
  const names = [...(LISTS[list] ?? [])];
  const answers: string[] = [];
  while (answers.length < count - 1 && names.length > 0) answers.push(...names.splice(rng.below(names.length), 1));
  while (answers.length < count - 1) answers.push(`Option ${answers.length + 1}`);
  return [...answers, "Other"];
}

function nameStanding(plan: EventPlan, rng: Rng): EventNames {
  const fits = WORDINGS.filter((w) => w.category === plan.category && (w.answers !== undefined) === plan.questions > 1);
  const any: Wording = {
    category: plan.category,
    tags: [],
    title: "Which answer comes in {month}?",
    answers: "person",
  };
  const wording = fits.length > 0 ? rng.pick(fits) : any;
  const title = fill(wording.title, rng);
  const slug = `${toSlug(title)}-${plan.number}`;
  const label = LABELS[plan.category] ?? plan.category[0]?.toUpperCase() + plan.category.slice(1);
  const answers = plan.questions > 1 ? answersOf(wording.answers ?? "person", plan.questions, rng) : [""];
  const markets = answers.map((answer) => ({
    question: answer === "" ? title : `${title.replace(/\?$/, "")}: ${answer}?`,
    slug: answer === "" ? slug : `${toSlug(answer)}-${slug}`,
    group: answer,
    outcomes: ["Yes", "No"] as [string, string],
  }));
  const description = `This market resolves by what credible reporting says: "${title}"`;
  return { title, slug, description, tags: [label, ...wording.tags], series: null, markets };
}

/** Names of a plan; the same plan and stream give the same names. Slugs are unique. */
export function nameEvent(plan: EventPlan, rng: Rng): EventNames {
  if (plan.asset !== null) return nameWindow(plan, plan.asset);
  return plan.kind === "sports" ? nameGame(plan, rng) : nameStanding(plan, rng);
}

/** Returns the tag of a label; its id is derived from the label. */
export function toTag(label: string): Tag {
  let hash = 0;
  for (const letter of label) hash = (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) | 0;
  return { id: String(100_000 + ((hash >>> 0) % 900_000)), label, slug: toSlug(label) };
}

/** The event of a plan, still without markets. */
export function toEvent(
  plan: EventPlan,
  names: EventNames,
  at: number,
  negRiskMarketId: PolymarketEvent["neg_risk_market_id"],
): PolymarketEvent {
  return {
    id: String(30_000 + plan.number),
    slug: names.slug,
    title: names.title,
    description: names.description,
    tags: names.tags.map(toTag),
    category: plan.category,
    neg_risk: plan.kind === "neg_risk",
    neg_risk_market_id: negRiskMarketId,
    series: names.series,
    created_ms: at,
    start_ms: plan.start,
    end_ms: plan.end,
    markets: [],
  };
}
