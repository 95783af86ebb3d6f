import { createContext, useContext } from "react";
import type { Console } from "./console-fetch.ts";

export const ConsoleContext = createContext<Console | undefined>(undefined);

export function useConsole(): Console {
  const found = useContext(ConsoleContext);
  if (found === undefined) throw new Error("useConsole is used outside of ConsoleContext");
  return found;
}
