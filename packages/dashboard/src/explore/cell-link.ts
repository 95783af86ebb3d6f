const WALLET = /^0x[0-9a-f]{40}$/i;
const CONDITION = /^0x[0-9a-f]{64}$/i;
const TOKEN = /^[0-9]{20,78}$/;
const TICKER = /^[A-Z0-9][A-Z0-9._-]{2,80}$/;
const WALLETS = /(^|_)(wallet|address|proxy_wallet)$/;
const TOKENS = /(^|_)token_id$/;

/**
 * Path of the page about a cell's value: a wallet, a market by its condition or ticker, a token's book. Decided by the
 * column's name and the value's form alone, so that a new dataset's cells link too; undefined for anything else.
 */
export function cellLink(column: string, value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  if (WALLETS.test(column) && WALLET.test(value)) return `/wallets/${value}`;
  if (column === "condition_id" && CONDITION.test(value)) return `/markets/polymarket/${value}`;
  if (TOKENS.test(column) && TOKEN.test(value)) return `/books/polymarket/${value}`;
  if (column === "ticker" && TICKER.test(value)) return `/markets/kalshi/${encodeURIComponent(value)}`;
  return undefined;
}
