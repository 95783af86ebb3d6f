import { openConsole, type Service } from "../browser/console-client.ts";
import { findThings, type KnownThings } from "../browser/known-things.ts";

const text = (value: unknown, other: string): string => (typeof value === "string" && value !== "" ? value : other);

/** Subjects for screenshots: the largest open market, and the busiest of the wallets that earned most. */
export async function findShown(service: Service): Promise<KnownThings> {
  const console = await openConsole(service, service.admin);
  const known = await findThings(console);
  const [market] = await console.ask(574, { closed: "False" }, 1);
  const earners = await console.ask(579, {}, 50);
  const [best] = earners.toSorted((a, b) => Number(b["total_trades"]) - Number(a["total_trades"]));
  return {
    ...known,
    condition_id: text(market?.["condition_id"], known.condition_id),
    wallet: text(best?.["address"], known.wallet),
  };
}
