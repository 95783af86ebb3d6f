import type { Config } from "../config.ts";
import type { Address } from "../store/connection.ts";
import type { ClusterPlace } from "../store/cluster/cluster-place.ts";

const DATABASE = "almanac";

/** The ClickHouse server or cluster that the settings name; undefined: the engine is embedded. */
export function columnPlace({
  clickhouseUrl,
  clickhouseCluster,
}: Pick<Config, "clickhouseUrl" | "clickhouseCluster">): { readonly address: Address } | ClusterPlace | undefined {
  if (clickhouseUrl === undefined) return undefined;
  const [first, ...others] = clickhouseUrl.split(",").map((each) => new URL(each));
  if (first === undefined) return undefined;
  const own = addressOf(first, { user: "default", password: "", database: DATABASE });
  if (clickhouseCluster === undefined) return { address: own };
  return { cluster: clickhouseCluster, nodes: [own, ...others.map((url) => addressOf(url, own))] };
}

/** What an address leaves out is as the first one's. */
function addressOf(url: URL, base: Pick<Address, "user" | "password" | "database">): Address {
  const isNamed = url.username !== "";
  return {
    url: url.origin,
    user: isNamed ? decodeURIComponent(url.username) : base.user,
    password: isNamed ? decodeURIComponent(url.password) : base.password,
    database: url.pathname.length > 1 ? url.pathname.slice(1) : base.database,
  };
}
