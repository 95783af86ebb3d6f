import { AlmanacError } from "@almanac/client";
import { useCallback, useEffect, useRef, useState } from "react";
import { useDatasetClient } from "../../api/console-client.ts";
import { addPage, type Answered } from "../../explore/add-page.ts";
import type { SentRequest } from "../../explore/request.ts";

/** Maximum rows kept in the page; beyond it, download or narrow the query. */
export const MAX_ROWS = 50_000;

export type AnswerState = {
  /** When the pending request was sent (performance.now()). */
  readonly askingSince?: number;
  readonly error?: AlmanacError;
  readonly wasCancelled?: boolean;
  readonly answered?: Answered;
};

type Asking = { readonly request: SentRequest; readonly cursor?: string; readonly kept?: Answered };

export type AnswerHook = {
  readonly state: AnswerState;
  readonly run: (request: SentRequest) => void;
  readonly more: () => void;
  readonly cancel: () => void;
  readonly clear: () => void;
};

/** Runs one query at a time: a new one aborts the previous. Errors are shown at once, without silent retries. */
export function useAnswer(): AnswerHook {
  const client = useDatasetClient({ retries: 0 });
  const [state, setState] = useState<AnswerState>({});
  const current = useRef<AbortController>(undefined);
  const stop = useCallback(() => {
    current.current?.abort();
    setState((shown) => (shown.askingSince === undefined ? shown : answeredOf(shown)));
  }, []);
  // The page may be hidden, while its user signs in again, and shown later.
  useEffect(() => stop, [stop]);

  const ask = useCallback(
    async ({ request, cursor, kept }: Asking): Promise<void> => {
      current.current?.abort();
      const control = new AbortController();
      current.current = control;
      const askingSince = performance.now();
      setState({ askingSince, ...(kept === undefined ? {} : { answered: kept }) });
      const { agentId, params, limit, offset } = request;
      const page = {
        ...(limit === undefined ? {} : { limit }),
        ...(cursor === undefined ? (offset === undefined ? {} : { offset }) : { cursor }),
      };
      try {
        const last = await client.ask(agentId, params, { ...page, signal: control.signal });
        const ms = performance.now() - askingSince;
        setState({ answered: addPage(kept, { request, last, ms }) });
      } catch (error) {
        if (control.signal.aborted) return;
        const reported = error instanceof AlmanacError ? error : unexpected(error);
        setState({ error: reported, ...(kept === undefined ? {} : { answered: kept }) });
      }
    },
    [client],
  );
  const run = useCallback((request: SentRequest) => void ask({ request }), [ask]);
  const cancel = useCallback(() => {
    current.current?.abort();
    setState((shown) => ({ wasCancelled: true, ...answeredOf(shown) }));
  }, []);
  const clear = useCallback(() => {
    current.current?.abort();
    setState({});
  }, []);
  const more = (): void => {
    const { answered } = state;
    const cursor = answered?.last.pagination.nextCursor;
    if (answered === undefined || typeof cursor !== "string") return;
    void ask({ request: answered.request, cursor, kept: answered });
  };
  return { state, run, more, cancel, clear };
}

const answeredOf = ({ answered }: AnswerState): AnswerState => (answered === undefined ? {} : { answered });

function unexpected(cause: unknown): AlmanacError {
  return new AlmanacError("This page could not read the response.", { status: 0, code: "UNEXPECTED", cause });
}
