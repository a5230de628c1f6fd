import { Worker } from 'node:worker_threads'
import type { AssembleDocument, AssembledDocument, DocumentSource } from './assemble-document.ts'

/** A request to the render thread. */
export interface RenderCall {
  id: number
  source: DocumentSource
}
export type RenderResult = { id: number; document: AssembledDocument } | { id: number; error: unknown }

export interface RenderThreadFiles {
  /** The folder of the built client. */
  clientDir: string
  /** The built `client/prerender.tsx`. */
  prerenderFile: string
}

interface PendingCall {
  resolve: (document: AssembledDocument) => void
  reject: (reason: unknown) => void
  timer: NodeJS.Timeout
}

/** The time after which a page counts as one that is never rendered. It includes the thread's start and the pages before it. */
const RENDER_MAX_MS = 15_000

/**
 * Starts a thread that makes documents, up to the compressed bytes, so that other requests do not wait for it: a page takes some milliseconds of a
 * processor. If the thread ends, or is ended because it does not answer in time, the calls that it had not answered fail, and the next call starts
 * another one.
 * @param programFile the built `server/pages/render-program.ts`
 */
export function startRenderThread(programFile: string, files: RenderThreadFiles, renderMaxMs = RENDER_MAX_MS): AssembleDocument {
  const pendingCallById = new Map<number, PendingCall>()
  let lastCallId = 0
  let thread: Worker | undefined = startThread()

  function startThread(): Worker {
    const renderWorker = new Worker(programFile, { workerData: files })
    let endReason: unknown = new Error('The render thread has ended.')
    renderWorker.on('message', (result: RenderResult) => {
      const pendingCall = pendingCallById.get(result.id)
      pendingCallById.delete(result.id)
      clearTimeout(pendingCall?.timer)
      if ('document' in result) pendingCall?.resolve(result.document)
      else pendingCall?.reject(result.error)
    })
    renderWorker.once('error', (error) => {
      endReason = error
    })
    renderWorker.once('exit', () => {
      thread = undefined
      for (const { reject, timer } of pendingCallById.values()) {
        clearTimeout(timer)
        reject(endReason)
      }
      pendingCallById.clear()
    })
    // The process may exit while the thread waits for calls.
    renderWorker.unref()
    return renderWorker
  }

  return (documentSource) => {
    const callId = ++lastCallId
    thread ??= startThread()
    const endedWorker = thread
    endedWorker.postMessage({ id: callId, source: documentSource } satisfies RenderCall)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => void endedWorker.terminate(), renderMaxMs)
      pendingCallById.set(callId, { resolve, reject, timer })
    })
  }
}
