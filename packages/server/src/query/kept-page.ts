import type { PageBytes } from "./read-page.ts";

/** A page with what a walk that goes on from it needs: the snapshot it was read on, and when that was (Unix ms). */
export type KeptPage = PageBytes & { readonly snapshot: string; readonly began: number };
