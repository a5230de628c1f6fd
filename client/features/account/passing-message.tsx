import { useEffect, useState } from 'react'
import { Notice } from '../../ui/states.tsx'

const SHOWN_MS = 5000

interface PassingMessageProps {
  text: string
  kind: 'good' | 'bad'
  onEnd?: () => void
}

/** Words that another page, or what one just did, leaves here: gone after 5 seconds. Text only, whatever stands in it. */
export function PassingMessage({ text, kind, onEnd }: PassingMessageProps) {
  // Not in the server's HTML, which knows nothing of it.
  const [shown, setShown] = useState(false)
  useEffect(() => {
    setShown(true)
    const timer = setTimeout(() => {
      setShown(false)
      onEnd?.()
    }, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [onEnd])
  return shown ? <Notice kind={kind}>{text}</Notice> : null
}
