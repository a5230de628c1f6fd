import type { Call } from '../protocol.ts'

/** The calls that a worker implements for the tests of the protocol. */
export interface EchoCalls {
  /** Returns the same bytes; their memory is transferred back. */
  readonly echo: Call<{ readonly bytes: Uint8Array<ArrayBuffer> }, { readonly bytes: Uint8Array<ArrayBuffer> }>
  /** Throws a DOMException with the given name. */
  readonly fail: Call<{ readonly name: string }, undefined>
  /** Reports progress every millisecond until the call is cancelled. */
  readonly run: Call<undefined, undefined, number>
  readonly countCancelled: Call<undefined, number>
  /** Throws outside of any call, as an unexpected bug would. */
  readonly crash: Call<undefined, undefined>
}
