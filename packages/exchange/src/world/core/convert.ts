import type { CoreMarket } from "./core-market.ts";
import type { Arena } from "./taker-agent.ts";

/**
 * Some holder of NO in two or more questions of a neg-risk event converts: NO of those questions in, YES of all others
 * and size × (given − 1) USD out.
 */
export function convertSome(arena: Arena, markets: CoreMarket[], at: number): void {
  const first = markets[arena.rng.below(markets.length)] as CoreMarket;
  let wallet = -1;
  let looked = 0;
  for (const holder of first.positions.keys()) {
    looked += 1;
    if (looked > 40) break;
    if (first.available(holder, 1) < 1000) continue;
    if (markets.some((m) => m !== first && m.available(holder, 1) >= 1000)) {
      wallet = holder;
      break;
    }
  }
  if (wallet < 0 || !markets.every((m) => m.open)) return;
  const given = markets.map((m) => m.available(wallet, 1) >= 1000);
  const amounts = markets.filter((_, i) => given[i]).map((m) => m.available(wallet, 1));
  const size = Math.min(...amounts);
  let count = 0;
  for (const [i, market] of markets.entries()) {
    const position = market.position(wallet);
    if (given[i] === true) {
      count += 1;
      position.no -= size;
      market.noSupply -= size;
    } else {
      position.yes += size;
      market.yesSupply += size;
    }
  }
  arena.purses.add(wallet, size * 10_000 * (count - 1));
  first.tellConvert(markets, at, wallet, given, size);
}
