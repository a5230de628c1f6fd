/** What a worker answers in place of what was asked for. */
export interface WorkerFailure {
  readonly kind: 'failed'
  /** The name of the error, `QuotaExceededError` for one. */
  readonly name: string
  readonly message: string
}

/** A worker that answers each request once, in order. */
export interface WorkerThread<Request, Answer> {
  /** Rejects where the worker fails, and with an AbortError once it is terminated. */
  ask(request: Request, transfer?: readonly Transferable[]): Promise<Answer>
  terminate(): void
}

export function createWorkerThread<Request, Answer extends { readonly kind: string }>(worker: Worker): WorkerThread<Request, Answer> {
  let waiting: { resolve: (answer: Answer) => void; reject: (reason: unknown) => void }[] = []
  let ended: Error | undefined

  worker.onmessage = ({ data }: MessageEvent<Answer | WorkerFailure>) => {
    const asked = waiting.shift()
    if (isFailure(data)) asked?.reject(new DOMException(data.message, data.name))
    else asked?.resolve(data)
  }
  worker.onerror = (event) => {
    // Told by the rejection, not in the console.
    event.preventDefault()
    end(new Error(event.message || 'the worker could not be loaded'))
  }
  worker.onmessageerror = () => end(new Error('the worker sent what cannot be read'))

  function end(reason: Error) {
    if (ended !== undefined) return
    ended = reason
    worker.terminate()
    const left = waiting
    waiting = []
    for (const { reject } of left) reject(reason)
  }

  return {
    ask(request, transfer = []) {
      if (ended !== undefined) return Promise.reject(ended)
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        worker.postMessage(request, [...transfer])
      })
    },
    terminate: () => end(new DOMException('the worker was terminated', 'AbortError')),
  }
}

const isFailure = (answer: { readonly kind: string }): answer is WorkerFailure => answer.kind === 'failed'
