import type { BookLevel, BookReply } from "./book-reply.ts";
import { acrossTo, Ladder } from "./ladder.ts";
import { toContracts, toDollars } from "../wire/to-decimal.ts";

/** A REST book (bids of YES and of NO) on the YES scale: a NO bid at p is a YES ask at 1 − p. */
export function toLadder(reply: BookReply): Ladder {
  const ladder = new Ladder();
  const { yes, no } = sidesOf(reply);
  for (const [price, size] of yes) ladder.set("bids", toDollars(price) ?? "0", toContracts(size) ?? "0");
  for (const [price, size] of no) ladder.set("asks", acrossTo(toDollars(price) ?? "0"), toContracts(size) ?? "0");
  return ladder;
}

function sidesOf(reply: BookReply): { readonly yes: readonly BookLevel[]; readonly no: readonly BookLevel[] } {
  if (reply.orderbook_fp) {
    return { yes: reply.orderbook_fp.yes_dollars ?? [], no: reply.orderbook_fp.no_dollars ?? [] };
  }
  const { yes_dollars, no_dollars, yes, no } = reply.orderbook ?? {};
  return { yes: yes_dollars ?? yes ?? [], no: no_dollars ?? no ?? [] };
}
