import { useEffect, useRef } from 'react'
import { onReceivedFile, type ReceivedFile, takeReceivedFile } from '../platform/received-files.ts'

/** Calls `listener` with a file that was shared with the app or opened with it: one that waits, and those that come. */
export function useReceivedFile(listener: (file: ReceivedFile) => void): void {
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => {
    const stop = onReceivedFile((file) => latest.current(file))
    // Once taken it is nobody else's, wherever one has gone meanwhile.
    void takeReceivedFile().then((file) => file && latest.current(file))
    return stop
  }, [])
}
