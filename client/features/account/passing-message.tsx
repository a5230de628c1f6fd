import { useEffect, useState } from 'react'
import { Notice } from '../../ui/states.tsx'

const SHOWN_MS = 5000

interface PassingMessageProps {
  text: string
  kind: 'good' | 'bad'
  onEnd?: () => void
}

/** Words that another page, or what one just did, leaves here: gone after 5 seconds in which the page could be seen. Text only, whatever stands in it. */
export function PassingMessage({ text, kind, onEnd }: PassingMessageProps) {
  // Not in the server's HTML, which knows nothing of it.
  const [shown, setShown] = useState(false)
  useEffect(() => {
    setShown(true)
    let timer: ReturnType<typeof setTimeout> | undefined
    const begin = () => {
      if (timer !== undefined || document.visibilityState === 'hidden') return
      timer = setTimeout(() => {
        setShown(false)
        onEnd?.()
      }, SHOWN_MS)
    }
    begin()
    document.addEventListener('visibilitychange', begin)
    return () => {
      document.removeEventListener('visibilitychange', begin)
      clearTimeout(timer)
    }
  }, [onEnd])
  return shown ? <Notice kind={kind}>{text}</Notice> : null
}
