import type { PeerIds } from "../peers/ids.ts";
import { makeMixes, type Requested, type Mix } from "../peers/mixes.ts";

export const KINDS = ["pages", "boards", "wallet 360", "scan"] as const;
export type Kind = (typeof KINDS)[number];
export type Paid = Requested & { readonly kind: Kind };

/** Of twenty consecutive requests one is a scan, three are boards, three full wallet figures, the rest pages by key. */
const EVERY = 20;
const SCAN = 10;
const BOARDS: readonly number[] = [2, 8, 14];
const WALLETS: readonly number[] = [5, 12, 18];
const MINUTE_MS = 60_000;
const SCAN_HOURS = 6;

/** The paying key's requests: the same turn gives the same request, and no scan or page occurs twice. */
export function paidQuestions(ids: PeerIds): (turn: number) => Paid {
  const mixes = makeMixes(ids);
  const mixOf = (name: Mix["name"]): Mix["questionAt"] => {
    const found = mixes.find((mix) => mix.name === name);
    if (found === undefined) throw new TypeError(`there is no mix ${name}`);
    return found.questionAt;
  };
  const [pageAt, boardAt, derivedAt] = [mixOf("cold"), mixOf("boards"), mixOf("derived")];
  return (turn) => {
    const [round, place] = [Math.floor(turn / EVERY), turn % EVERY];
    if (place === SCAN) return { kind: "scan", ...scanAt(ids, round) };
    const [board, wallet] = [BOARDS.indexOf(place), WALLETS.indexOf(place)];
    if (board >= 0) return { kind: "boards", ...boardAt(round * BOARDS.length + board) };
    // Every fourth request of the derived mix is a full wallet.
    if (wallet >= 0) return { kind: "wallet 360", ...derivedAt((round * WALLETS.length + wallet) * 4 + 3) };
    return { kind: "pages", ...pageAt(turn) };
  };
}

/** Jumps of all tokens within a few hours, a different range each time: no index can answer it. */
function scanAt({ lastDay }: PeerIds, round: number): Requested {
  const end = Date.parse(lastDay) - ((round * 97) % 10_000) * MINUTE_MS;
  return {
    agentId: 596,
    params: {
      start_time: new Date(end - SCAN_HOURS * 60 * MINUTE_MS).toISOString(),
      end_time: new Date(end).toISOString(),
    },
    limit: 100,
  };
}
