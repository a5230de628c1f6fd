import { scriptUrl } from '../primitives/trusted-types.ts'

/** Starts a worker of `workers/`. @param url the default export of the module with the suffix `?worker&url`, by which Vite bundles the worker */
export const startWorker = (url: string): Worker => new Worker(scriptUrl(url), { type: 'module' })
