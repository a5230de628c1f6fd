import { useCallback, useState } from 'react'

/** An asynchronous action, such as that of a form, with its state and the result of its last run. */
export interface Action<A extends unknown[], E> {
  busy: boolean
  /**
   * The result of the last run. `error` is absent after a success. `count` is the number of results since `clear`, so that two equal
   * results can be told apart.
   */
  result: { error: E | undefined; count: number } | undefined
  /** Runs the action and resolves with whether it succeeded. A call while the action is running is ignored. */
  run(...args: A): Promise<boolean>
  clear(): void
}

/** Returns the action that calls `runWork`. @param toError converts the value with which `runWork` rejects to the `error` of the result */
export function useAction<A extends unknown[], E>(runWork: (...args: A) => Promise<unknown>, toError: (cause: unknown) => E): Action<A, E> {
  const [{ busy, result }, setState] = useState<Pick<Action<A, E>, 'busy' | 'result'>>({ busy: false, result: undefined })
  const finishRun = (error: E | undefined) =>
    setState((state) => ({ busy: false, result: { error, count: (state.result?.count ?? 0) + 1 } }))
  return {
    busy,
    result,
    async run(...args) {
      if (busy) return false
      setState((state) => ({ ...state, busy: true }))
      try {
        await runWork(...args)
        finishRun(undefined)
        return true
      } catch (cause) {
        finishRun(toError(cause))
        return false
      }
    },
    clear: useCallback(() => setState((state) => (state.busy ? state : { busy: false, result: undefined })), []),
  }
}
