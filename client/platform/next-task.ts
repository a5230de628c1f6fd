/** Lets the browser do what waits: answer to input, paint. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
