import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { REPOSITORY } from "./repository.ts";

export type ComposeService = {
  readonly image: string;
  readonly build?: unknown;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly profiles?: readonly string[];
  readonly network_mode?: string;
  readonly pid?: string;
  readonly networks?: { readonly inside?: { readonly ipv4_address?: string } };
};
type Compose = {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
};

export const COMPOSE = join(REPOSITORY, "deploy/compose");
export const COMPOSE_FILES = ["one-machine.yaml", "cluster.yaml"] as const;

export const readComposeFile = (file: string): string => readFileSync(join(COMPOSE, file), "utf8");

export const readCompose = (file: string): Compose => parse(readComposeFile(file), { merge: true }) as Compose;

/** Whether the service runs the image built from this repository. */
export const isOurs = ({ build }: ComposeService): boolean => build !== undefined;

/** Substitutes `${NAME:?…}` and `${NAME:-default}` as Compose does, with a harmless value for every required one. */
export const filled = (text: string): string =>
  text.replaceAll(/\$\{[A-Z0-9_]+:([?-])([^}]*)\}/g, (_all, sign, rest) => (sign === "?" ? "abc" : rest));
