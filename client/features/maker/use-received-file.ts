import { useEffect, useEffectEvent } from 'react'
import { onReceivedFile, type ReceivedFile, takeReceivedFile } from '../../platform/received-files.ts'

/** Calls `listener` with files that the person shares with the app or opens with the app, including a file that was received earlier. */
export function useReceivedFile(listener: (file: ReceivedFile) => void): void {
  const notifyListener = useEffectEvent(listener)
  useEffect(() => {
    const unsubscribe = onReceivedFile((file) => notifyListener(file))
    // The listener is called even after unmounting, because taking the file has removed it from the cache: otherwise the file would be
    // lost.
    void takeReceivedFile().then((file) => file && notifyListener(file))
    return unsubscribe
  }, [])
}
