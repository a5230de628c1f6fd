import { AsyncLocalStorage } from 'node:async_hooks'

/** @type {AsyncLocalStorage<string[]>} */
const capturedText = new AsyncLocalStorage()

/** Writes to standard output, or to the text of the step that runs. @param {string} outputText */
export function printText(outputText) {
  const chunks = capturedText.getStore()
  if (chunks === undefined) process.stdout.write(outputText)
  else chunks.push(outputText)
}

/**
 * Runs `runWork` and collects what it prints, also by programs that it starts with `runNode`.
 *
 * @template T @param {() => Promise<T>} runWork @returns {Promise<{ result: T, output: string }>}
 */
export async function captureOutput(runWork) {
  /** @type {string[]} */
  const chunks = []
  const result = await capturedText.run(chunks, runWork)
  return { result, output: chunks.join('') }
}

export const isCapturing = () => capturedText.getStore() !== undefined
