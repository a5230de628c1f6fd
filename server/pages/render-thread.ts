import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { InitialData, PrerenderFunctions } from '../../contract/initial-data.ts'
import type { Site } from '../../contract/site.ts'

/** A request to the render thread; without `page`, it renders the shell. */
export interface RenderCall {
  id: number
  site: Site
  page?: { path: string; initial: InitialData }
}
export type RenderResult = { id: number; markup: string } | { id: number; error: unknown }

interface PendingCall {
  resolve: (markup: string) => void
  reject: (reason: unknown) => void
  timer: NodeJS.Timeout
}

/** The time after which a page counts as one that is never rendered. It includes the thread's start and the pages before it. */
const RENDER_MAX_MS = 15_000

/**
 * Starts a thread that renders pages, so that other requests do not wait for it: a page takes some milliseconds of a processor. If the thread ends, or is
 * ended because it does not answer in time, the calls that it had not answered fail, and the next call starts another one.
 * @param programFile the built `server/pages/render-program.ts`
 * @param prerenderFile the built `client/prerender.tsx`
 */
export function startRenderThread(programFile: string, prerenderFile: string, renderMaxMs = RENDER_MAX_MS): PrerenderFunctions {
  const pendingCalls = new Map<number, PendingCall>()
  let lastId = 0
  let thread: Worker | undefined = startThread()

  function startThread(): Worker {
    const worker = new Worker(programFile, { workerData: pathToFileURL(prerenderFile).href })
    let reason: unknown = new Error('The render thread has ended.')
    worker.on('message', (result: RenderResult) => {
      const call = pendingCalls.get(result.id)
      pendingCalls.delete(result.id)
      clearTimeout(call?.timer)
      if ('markup' in result) call?.resolve(result.markup)
      else call?.reject(result.error)
    })
    worker.once('error', (error) => {
      reason = error
    })
    worker.once('exit', () => {
      thread = undefined
      for (const { reject, timer } of pendingCalls.values()) {
        clearTimeout(timer)
        reject(reason)
      }
      pendingCalls.clear()
    })
    // The process may exit while the thread waits for calls.
    worker.unref()
    return worker
  }

  function render(call: Omit<RenderCall, 'id'>): Promise<string> {
    const id = ++lastId
    thread ??= startThread()
    const worker = thread
    worker.postMessage({ id, ...call } satisfies RenderCall)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => void worker.terminate(), renderMaxMs)
      pendingCalls.set(id, { resolve, reject, timer })
    })
  }

  return {
    renderPage: (site, path, initial) => render({ site, page: { path, initial } }),
    renderShell: (site) => render({ site }),
  }
}
