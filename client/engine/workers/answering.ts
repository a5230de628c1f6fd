import type { WorkerFailure } from '../worker-thread.ts'

/** Types of the runtime itself: `self` is declared as any worker's. */
declare const self: DedicatedWorkerGlobalScope

export interface Reply<Answer> {
  readonly answer: Answer
  readonly transfer?: readonly Transferable[]
}

/** Answers every request of the page in order, with a failure where `handle` throws. */
export function answerRequests<Request, Answer>(handle: (request: Request) => Reply<Answer> | Promise<Reply<Answer>>): void {
  let last: Promise<void> = Promise.resolve()
  self.onmessage = ({ data }: MessageEvent<Request>) => {
    last = last
      .then(() => handle(data))
      .then(
        ({ answer, transfer = [] }) => self.postMessage(answer, [...transfer]),
        (error: unknown) => self.postMessage(failureOf(error)),
      )
  }
}

function failureOf(error: unknown): WorkerFailure {
  const { name, message } = error instanceof Error || error instanceof DOMException ? error : new Error(String(error))
  return { kind: 'failed', name, message }
}
