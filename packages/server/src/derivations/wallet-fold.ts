import { defineFold } from "../definition/fold.ts";
import { walletDays } from "../tables/wallet-days.ts";
import { walletTokenDays } from "../tables/wallet-token-days.ts";
import { CHECKPOINT_FORM } from "./wallet/wallet-checkpoint.ts";
import { activeInSpan } from "./wallet-touch/active-in-span.ts";
import { foldWallets } from "./wallet-read/fold-wallets.ts";
import { holdersAtEnd } from "./wallet-touch/holders-at-end.ts";
import { namedSince } from "./wallet-touch/named-since.ts";
import { walletSources } from "./wallet-touch/wallet-sources.ts";

/** The ledger → wallets' days: what each did, holds, won and lost. */
export const walletFold = defineFold({
  name: "wallet-days",
  title: "Wallets' days from the ledger",
  from: walletSources,
  into: [walletTokenDays, walletDays],
  key: "wallet",
  day: "day",
  gatherSeconds: 10,
  form: CHECKPOINT_FORM,
  work: foldWallets,
  findUndone: activeInSpan,
  findHolders: holdersAtEnd,
  findRipe: namedSince,
});
