import { useEffect, useRef, useState } from 'react'
import { onReceivedFile, type ReceivedFile, takeReceivedFile } from '../platform/received-files.ts'

/**
 * Calls `listener` with a file that was shared with the app or opened with it: one that waits, and those that come. Gives whether one waited;
 * `undefined` until that is known.
 */
export function useReceivedFile(listener: (file: ReceivedFile) => void): boolean | undefined {
  const [waited, setWaited] = useState<boolean>()
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => {
    const stop = onReceivedFile((file) => latest.current(file))
    void takeReceivedFile().then((file) => {
      // Once taken it is nobody else's, wherever one has gone meanwhile.
      if (file) latest.current(file)
      setWaited((before) => before ?? file !== undefined)
    })
    return stop
  }, [])
  return waited
}
