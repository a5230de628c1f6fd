import { toTrustedScriptUrl } from '../primitives/trusted-types.ts'
import type { CallError, CallMessage, Calls, CancelMessage, ServerMessage } from './workers/protocol.ts'

/** The page's side of a worker that runs `serveCalls`. */
export interface WorkerClient<Api extends Calls<Api>> {
  /**
   * Sends a call; the worker runs calls in the order in which they are sent.
   *
   * @throws DOMException with the name of the worker's error; the reason of an aborted signal; an Error if the worker could not be loaded; an
   * AbortError if the worker was terminated
   */
  call<Name extends keyof Api>(
    name: Name,
    request: Api[Name]['request'],
    options?: CallOptions<Api[Name]['progress']>,
  ): Promise<Api[Name]['response']>
  /** Terminates the worker. Pending and later calls reject. */
  terminate(): void
}

export interface CallOptions<Progress> {
  /** The buffers that are moved to the worker instead of being copied. */
  readonly transfer?: readonly Transferable[] | undefined
  /** Rejects the call immediately and cancels it in the worker. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

interface PendingCall {
  resolve(response: unknown): void
  reject(reason: unknown): void
  onProgress(progress: unknown): void
}

/** Wraps a worker in a client that calls it. @param signal terminates the worker when it is aborted; calls then reject with its reason */
export function createWorkerClient<Api extends Calls<Api>>(worker: Worker, signal?: AbortSignal): WorkerClient<Api> {
  const pendingCallById = new Map<number, PendingCall>()
  let lastCallId = 0
  let terminationReason: { readonly reason: unknown } | undefined

  worker.onmessage = ({ data }: MessageEvent<ServerMessage>) => {
    const pendingCall = pendingCallById.get(data.id)
    if (data.kind === 'progress') pendingCall?.onProgress(data.progress)
    else if (data.result.ok) pendingCall?.resolve(data.result.response)
    else pendingCall?.reject(toDomException(data.result.error))
  }
  worker.onerror = (event) => {
    // The error event is cancelled, because the rejected calls report the error and the browser would also write it to the console.
    event.preventDefault()
    endClient(new Error(event.message || 'the worker could not be loaded'))
  }
  worker.onmessageerror = () => endClient(new Error('a message of the worker could not be deserialized'))

  const onAbort = () => endClient(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted) onAbort()

  function endClient(reason: unknown) {
    if (terminationReason !== undefined) return
    terminationReason = { reason }
    signal?.removeEventListener('abort', onAbort)
    worker.terminate()
    for (const { reject } of [...pendingCallById.values()]) reject(reason)
  }

  return {
    call(callName, request, { transfer = [], signal: callSignal, onProgress } = {}) {
      if (terminationReason !== undefined) return Promise.reject(terminationReason.reason)
      if (callSignal?.aborted) return Promise.reject(callSignal.reason)
      const callId = ++lastCallId
      const callMessage = { kind: 'call', id: callId, name: callName, request } as CallMessage<Api>
      return new Promise((resolve, reject) => {
        const cancelCall = () => {
          const cancelMessage: CancelMessage = { kind: 'cancel', id: callId }
          worker.postMessage(cancelMessage)
          settleCall()
          reject(callSignal?.reason)
        }
        const settleCall = () => {
          pendingCallById.delete(callId)
          callSignal?.removeEventListener('abort', cancelCall)
        }
        worker.postMessage(callMessage, [...transfer])
        pendingCallById.set(callId, {
          resolve(response) {
            settleCall()
            resolve(response as Api[typeof callName]['response'])
          },
          reject(reason) {
            settleCall()
            reject(reason)
          },
          onProgress: (progress) => onProgress?.(progress as Api[typeof callName]['progress']),
        })
        callSignal?.addEventListener('abort', cancelCall, { once: true })
      })
    },
    terminate: () => endClient(new DOMException('the worker was terminated', 'AbortError')),
  }
}

const toDomException = ({ name, message }: CallError) => new DOMException(message, name)

/** Starts a worker of `workers/`. @param url the default export of the module with the suffix `?worker&url`, by which Vite bundles the worker */
export const startWorker = (url: string): Worker => new Worker(toTrustedScriptUrl(url), { type: 'module' })
