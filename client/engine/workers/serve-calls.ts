import type { CallError, CallMessage, CallResult, Calls, ClientMessage, ServerMessage } from './protocol.ts'

/** The worker library declares `self` as the scope of any worker. */
declare const self: DedicatedWorkerGlobalScope

export interface CallContext<Progress> {
  /** The signal that is aborted when the page cancels the call. */
  readonly signal: AbortSignal
  reportProgress(progress: Progress): void
}

export interface CallReply<Response> {
  readonly response: Response
  /** The buffers that are moved to the page instead of being copied. */
  readonly transfer?: readonly Transferable[]
}

/** A function for each call of the worker. An error that it throws is sent to the page. */
export type CallHandlers<Api extends Calls<Api>> = {
  readonly [Name in keyof Api]: (
    request: Api[Name]['request'],
    context: CallContext<Api[Name]['progress']>,
  ) => CallReply<Api[Name]['response']> | Promise<CallReply<Api[Name]['response']>>
}

/** Runs the page's calls one after the other, in the order of their arrival, and answers each one. */
export function serveCalls<Api extends Calls<Api>>(handlers: CallHandlers<Api>): void {
  const controllerByCallId = new Map<number, AbortController>()
  let previousCall: Promise<void> = Promise.resolve()

  const postServerMessage = (message: ServerMessage, transfer: readonly Transferable[] = []) => self.postMessage(message, [...transfer])

  async function runCall<Name extends keyof Api>({ id, name, request }: CallMessage<Api> & { name: Name }, signal: AbortSignal) {
    try {
      signal.throwIfAborted()
      const reportProgress = (progress: Api[Name]['progress']) => postServerMessage({ kind: 'progress', id, progress })
      const { response, transfer } = await handlers[name](request, { signal, reportProgress })
      postResult(id, { ok: true, response }, transfer)
    } catch (error) {
      postResult(id, { ok: false, error: toCallError(error) })
    }
  }

  function postResult(callId: number, result: CallResult, transfer?: readonly Transferable[]) {
    controllerByCallId.delete(callId)
    postServerMessage({ kind: 'result', id: callId, result }, transfer)
  }

  self.onmessage = ({ data }: MessageEvent<ClientMessage<Api>>) => {
    if (data.kind === 'cancel') return controllerByCallId.get(data.id)?.abort()
    const controller = new AbortController()
    controllerByCallId.set(data.id, controller)
    previousCall = previousCall.then(() => runCall(data, controller.signal))
  }
}

function toCallError(error: unknown): CallError {
  const { name, message } = error instanceof Error || error instanceof DOMException ? error : new Error(String(error))
  return { name, message }
}
