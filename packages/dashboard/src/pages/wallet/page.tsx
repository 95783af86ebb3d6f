import type { ReactElement } from "react";
import { useParams } from "react-router";
import { CopyText } from "../../ui/copy-text.tsx";
import { Empty } from "../../ui/content-states.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { shortHex } from "../../read/value-text.ts";
import { EquityCard } from "./equity-card.tsx";
import { FiguresCard } from "./figures-card.tsx";
import { LedgerCard } from "./ledger-card.tsx";
import { LifetimeCard } from "./lifetime-card.tsx";
import { PositionsCard } from "./positions-card.tsx";
import { ScoreCard } from "./score-card.tsx";

const WALLET = /^0x[0-9a-f]{40}$/;

/** All data of a Polymarket wallet. Another wallet remounts the page, so that nothing of the previous one is shown. */
export default function WalletPage(): ReactElement {
  const address = (useParams()["address"] ?? "").toLowerCase();
  if (!WALLET.test(address))
    return (
      <>
        <PageHeader title="Wallet" />
        <Empty title="Not a wallet's address">An address is 0x and 40 hexadecimal digits; this is “{address}”.</Empty>
      </>
    );
  return (
    <>
      <PageHeader title={`Wallet ${shortHex(address)}`} about={<CopyText text={address} label="address" />} />
      <div key={address} className="grid min-w-0 grid-cols-1 gap-5 xl:grid-cols-3">
        <div className="grid min-w-0 grid-cols-1 content-start gap-5 xl:col-span-2">
          <LifetimeCard address={address} />
          <EquityCard address={address} />
          <PositionsCard address={address} />
          <LedgerCard address={address} />
        </div>
        <div className="grid min-w-0 grid-cols-1 content-start gap-5">
          <ScoreCard address={address} />
          <FiguresCard address={address} />
        </div>
      </div>
    </>
  );
}
