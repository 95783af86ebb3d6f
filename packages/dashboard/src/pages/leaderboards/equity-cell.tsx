import { useQuery } from "@tanstack/react-query";
import { useContext, type ReactElement } from "react";
import { Sparkline } from "../../charts/sparkline.tsx";
import { shortHex } from "../../read/short-hex.ts";
import { useIsSeen } from "../../read/use-is-seen.ts";
import { EquityContext } from "./equity-asks.ts";

/** A wallet's equity as a sparkline, requested when its row is visible. `of` keys the cache by board and window. */
export function EquityCell({ wallet, of }: { readonly wallet: string; readonly of: string }): ReactElement {
  const [box, isSeen] = useIsSeen<HTMLDivElement>();
  const ask = useContext(EquityContext);
  const { data, isError } = useQuery({
    queryKey: ["equity", of, wallet],
    queryFn: () => (ask === undefined ? [] : ask(wallet)),
    enabled: isSeen && ask !== undefined,
    retry: false,
    staleTime: 5 * 60_000,
  });
  return (
    <div ref={box} className="h-7 w-28">
      {isError ? <span className="text-xs text-ink-faint">failed to load</span> : null}
      {data && data.length > 1 ? <Sparkline label={`Equity of ${shortHex(wallet)}, USD`} values={data} /> : null}
      {data && data.length < 2 ? <span className="text-xs text-ink-faint">one day</span> : null}
    </div>
  );
}
