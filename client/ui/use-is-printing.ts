import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { addListener } from '../primitives/scope.ts'

/** Returns whether the page is being printed. */
export function useIsPrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    // Rendered before the event's listeners end, because the browser lays out the sheets right after them.
    const stopListeningBefore = addListener(window, 'beforeprint', () => flushSync(() => setPrinting(true)))
    const stopListeningAfter = addListener(window, 'afterprint', () => setPrinting(false))
    return () => {
      stopListeningBefore()
      stopListeningAfter()
    }
  }, [])
  return isPrinting
}
