import { z } from "zod";

/** 0x-hex of exactly so many bytes, in lower case. */
export const hexWire = (bytes: number) =>
  z
    .string()
    .regex(new RegExp(`^0x[0-9a-fA-F]{${bytes * 2}}$`), `0x-hex of ${bytes} bytes`)
    .transform((text) => text.toLowerCase());
