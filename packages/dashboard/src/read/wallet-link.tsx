import type { ReactElement } from "react";
import { Link } from "react-router";
import { shortHex } from "./short-hex.ts";

/** Link to a wallet's page, labelled with its short address. */
export function WalletLink({ address }: { readonly address: string }): ReactElement {
  return (
    <Link to={`/wallets/${address}`} title={address} className="font-mono text-xs text-accent underline">
      {shortHex(address)}
    </Link>
  );
}
