import { parentPort, workerData } from 'node:worker_threads'
import type { PrerenderFunctions } from '../../contract/initial-data.ts'
import type { RenderCall, RenderResult } from './render-thread.ts'

// The program of the render thread: it loads the built prerender module, whose URL is `workerData`, and renders the pages that the main thread
// requests.

const { renderPage, renderShell }: PrerenderFunctions = await import(workerData)

parentPort?.on('message', async ({ id, site, page }: RenderCall) => {
  let result: RenderResult
  try {
    result = { id, markup: await (page === undefined ? renderShell(site) : renderPage(site, page.path, page.initial)) }
  } catch (error) {
    result = { id, error }
  }
  parentPort?.postMessage(result)
})
