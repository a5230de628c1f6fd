import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { InitialData, PrerenderFunctions } from '../../contract/initial-data.ts'
import type { Site } from '../../contract/site.ts'

/** What the thread has to render; without `page` it is the shell. */
export interface RenderCall {
  id: number
  site: Site
  page?: { path: string; initial: InitialData }
}
export type RenderResult = { id: number; markup: string } | { id: number; error: unknown }

interface PendingCall {
  resolve: (markup: string) => void
  reject: (reason: unknown) => void
}

/**
 * Starts a thread that renders pages, so that other requests do not wait for it: a page takes some milliseconds of a processor. If the thread ends, the
 * calls that it had not answered fail, and the next call starts another one.
 * @param programFile the built `server/pages/render-program.ts`
 * @param prerenderFile the built `client/prerender.tsx`
 */
export function startRenderThread(programFile: string, prerenderFile: string): PrerenderFunctions {
  const pendingCalls = new Map<number, PendingCall>()
  let lastId = 0
  let thread: Worker | undefined = startThread()

  function startThread(): Worker {
    const worker = new Worker(programFile, { workerData: pathToFileURL(prerenderFile).href })
    let reason: unknown = new Error('The render thread has ended.')
    worker.on('message', (result: RenderResult) => {
      const call = pendingCalls.get(result.id)
      pendingCalls.delete(result.id)
      if ('markup' in result) call?.resolve(result.markup)
      else call?.reject(result.error)
    })
    worker.once('error', (error) => {
      reason = error
    })
    worker.once('exit', () => {
      thread = undefined
      for (const { reject } of pendingCalls.values()) reject(reason)
      pendingCalls.clear()
    })
    // The process may exit while the thread waits for calls.
    worker.unref()
    return worker
  }

  function render(call: Omit<RenderCall, 'id'>): Promise<string> {
    const id = ++lastId
    thread ??= startThread()
    thread.postMessage({ id, ...call } satisfies RenderCall)
    return new Promise((resolve, reject) => pendingCalls.set(id, { resolve, reject }))
  }

  return {
    renderPage: (site, path, initial) => render({ site, page: { path, initial } }),
    renderShell: (site) => render({ site }),
  }
}
