import { useEffect, useEffectEvent } from 'react'
import { onReceivedFile, type ReceivedFile, takeReceivedFile } from '../../platform/received-files.ts'

/** Calls `listener` with files that the person shares with the app or opens with the app, including a file that was received earlier. */
export function useReceivedFile(listener: (file: ReceivedFile) => void): void {
  const notify = useEffectEvent(listener)
  useEffect(() => {
    const unsubscribe = onReceivedFile((file) => notify(file))
    // Taking the file removes it from the cache, so the listener is called even after unmounting.
    void takeReceivedFile().then((file) => file && notify(file))
    return unsubscribe
  }, [])
}
