import type { SessionRows } from "./session.ts";

/** What a client of the records door sends; each is answered by one DoorAnswer with its id. */
export type DoorRequest =
  | { readonly id: number; readonly do: "acquire" | "release" }
  | { readonly id: number; readonly do: "query"; readonly text: string; readonly parameters: readonly unknown[] };

/** A database error as it crosses the door: `code` is the SQLSTATE. */
export type DoorTrouble = {
  readonly message: string;
  readonly code?: string;
  readonly constraint?: string;
  readonly detail?: string;
};

export type DoorAnswer = { readonly id: number; readonly result?: SessionRows; readonly trouble?: DoorTrouble };
