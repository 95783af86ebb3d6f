import { setFlagsFromString } from "node:v8";
import { PGlite, type PGliteOptions } from "@electric-sql/pglite";

/** Of V8: whether WebAssembly modules compiled from now on have their hot functions optimised. */
const OPTIMISING = ["wasm-tier-up", "wasm-dynamic-tiering"];

/**
 * Opens an embedded PostgreSQL whose code V8 does not optimise. Optimising the SQL parser alone takes 600 MB of memory
 * and a second or more of a core, a little after each start; without it a statement takes a tenth longer.
 */
export async function openPglite(options: PGliteOptions): Promise<PGlite> {
  for (const flag of OPTIMISING) setFlagsFromString(`--no-${flag}`);
  try {
    return await PGlite.create(options);
  } finally {
    for (const flag of OPTIMISING) setFlagsFromString(`--${flag}`);
  }
}
