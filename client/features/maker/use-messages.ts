import { useCallback, useRef } from 'react'
import { useToast } from '../../ui/toast.tsx'

/** The time in milliseconds for which an error message is shown. */
const FAILURE_MS = 12_000

/** Shows a message; does nothing without a text. */
type ShowMessage = (text: string | undefined, kind: 'good' | 'bad') => void

/**
 * Returns a function to call at the start of an action. Its result shows messages of this action as toasts; the first one removes the messages of
 * earlier actions, which it may contradict.
 */
export function useMessages(): () => ShowMessage {
  const toast = useToast()
  const removeShown = useRef<(() => void)[]>([])
  return useCallback(() => {
    let isFirst = true
    return (text, kind) => {
      if (text === undefined) return
      if (isFirst) for (const remove of removeShown.current.splice(0)) remove()
      isFirst = false
      removeShown.current.push(toast({ text, kind, ...(kind === 'bad' && { durationMs: FAILURE_MS }) }))
    }
  }, [toast])
}
