import { AsyncLocalStorage } from 'node:async_hooks'

/** @type {AsyncLocalStorage<string[]>} */
const capturedText = new AsyncLocalStorage()

/** Writes to standard output, or to the text of the step that runs. @param {string} text */
export function printText(text) {
  const chunks = capturedText.getStore()
  if (chunks === undefined) process.stdout.write(text)
  else chunks.push(text)
}

/**
 * Runs `work` and collects what it prints, also by programs that it starts with `runNode`.
 *
 * @template T @param {() => Promise<T>} work @returns {Promise<{ result: T, output: string }>}
 */
export async function captureOutput(work) {
  /** @type {string[]} */
  const chunks = []
  const result = await capturedText.run(chunks, work)
  return { result, output: chunks.join('') }
}

export const isCapturing = () => capturedText.getStore() !== undefined
