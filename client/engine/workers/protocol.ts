/**
 * The messages between a page and its workers. A page makes calls; a worker runs them one after the other and answers each one with a result.
 * `worker-client.ts` is the page's side, `serve-calls.ts` the worker's, and `calls.ts` lists the calls of each worker.
 */

/** The types of one call. A call without progress events has `never` as its progress. */
export interface Call<Request, Response, Progress = never> {
  readonly request: Request
  readonly response: Response
  readonly progress: Progress
}

/** Constraint of a worker's list of calls: a property of type `Call` for each name. */
export type Calls<Api> = { readonly [Name in keyof Api]: Call<unknown, unknown, unknown> }

export type ClientMessage<Api extends Calls<Api>> = CallMessage<Api> | CancelMessage

export type CallMessage<Api extends Calls<Api>> = {
  readonly [Name in keyof Api]: {
    readonly kind: 'call'
    /** The id of the call, which the page chooses uniquely for the life of the worker. */
    readonly id: number
    readonly name: Name
    readonly request: Api[Name]['request']
  }
}[keyof Api]

/** Aborts the signal of a running call, or drops a call that has not started. The call is answered with an AbortError. */
export interface CancelMessage {
  readonly kind: 'cancel'
  readonly id: number
}

export type ServerMessage =
  | { readonly kind: 'result'; readonly id: number; readonly result: CallResult }
  | { readonly kind: 'progress'; readonly id: number; readonly progress: unknown }

/** The result of a call: its response, or the error that it threw. */
export type CallResult = { readonly ok: true; readonly response: unknown } | { readonly ok: false; readonly error: CallError }

/** An error in a form that every browser can clone. */
export interface CallError {
  /** The error's `name`, for example `QuotaExceededError`. */
  readonly name: string
  readonly message: string
}
