import { getPriority, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { PrerenderFunctions } from '../../contract/initial-data.ts'
import type { RenderCall, RenderResult } from './render-thread.ts'

// The program of the render thread: it loads the built prerender module, whose URL is `workerData`, and renders the pages that the main thread
// requests.

/**
 * The difference between the nice values of this thread and the server; that of conversions is larger. Answers to listeners do not wait for pages, and
 * pages do not wait for conversions.
 */
const NICE_INCREMENT = 5
const NICE_MAX = 19
// On Linux, the priority is that of the calling thread. Elsewhere it would be that of the whole process.
if (process.platform === 'linux') setPriority(Math.min(NICE_MAX, getPriority() + NICE_INCREMENT))

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
