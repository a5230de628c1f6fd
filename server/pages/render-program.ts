import { getPriority, setPriority } from 'node:os'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import type { PrerenderFunctions } from '../../contract/initial-data.ts'
import { createDocumentAssembler } from './assemble-document.ts'
import type { RenderCall, RenderResult, RenderThreadFiles } from './render-thread.ts'

// The program of the render thread: it makes the documents that the main thread requests.

/**
 * The difference between the nice values of this thread and the server; that of conversions is larger. Answers to listeners do not wait for pages, and
 * pages do not wait for conversions.
 */
const NICE_INCREMENT = 5
const NICE_MAX = 19
// On Linux, the priority is that of the calling thread. Elsewhere it would be that of the whole process.
if (process.platform === 'linux') setPriority(Math.min(NICE_MAX, getPriority() + NICE_INCREMENT))

const { clientDir, prerenderFile }: RenderThreadFiles = workerData
const prerender: PrerenderFunctions = await import(pathToFileURL(prerenderFile).href)
const assembleDocument = createDocumentAssembler(clientDir, prerender)

parentPort?.on('message', async ({ id, source }: RenderCall) => {
  let result: RenderResult
  try {
    result = { id, document: await assembleDocument(source) }
  } catch (error) {
    result = { id, error }
  }
  parentPort?.postMessage(result)
})
