import { useEffect, useRef } from 'react'
import { onReceivedFile, type ReceivedFile, takeReceivedFile } from '../../platform/received-files.ts'

/** Calls `listener` with files that the person shares with the app or opens with the app, including a file that was received earlier. */
export function useReceivedFile(listener: (file: ReceivedFile) => void): void {
  const latestListener = useRef(listener)
  useEffect(() => {
    latestListener.current = listener
  })
  useEffect(() => {
    const unsubscribe = onReceivedFile((file) => latestListener.current(file))
    // Taking the file removes it from the cache, so the listener is called even after unmounting.
    void takeReceivedFile().then((file) => file && latestListener.current(file))
    return unsubscribe
  }, [])
}
