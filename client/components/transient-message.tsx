import { useEffect, useState } from 'react'
import { createCleanupScope } from '../primitives/scope.ts'
import { Notice } from '../ui/states.tsx'

const MESSAGE_SHOWN_MS = 5000

interface TransientMessageProps {
  /** The message as plain text; markup in it is not interpreted. */
  text: string
  kind: 'good' | 'bad'
  onHide?: () => void
}

/** A message that disappears 5 seconds after the tab is first visible. */
export function TransientMessage({ text, kind, onHide }: TransientMessageProps) {
  // Initially hidden, because the server-rendered HTML does not contain the message.
  const [isMessageShown, setIsShown] = useState(false)
  useEffect(() => {
    setIsShown(true)
    const scope = createCleanupScope()
    let hasTimerStarted = false
    const startTimer = () => {
      if (hasTimerStarted || document.visibilityState === 'hidden') return
      hasTimerStarted = true
      scope.timeout(() => {
        setIsShown(false)
        onHide?.()
      }, MESSAGE_SHOWN_MS)
    }
    startTimer()
    scope.listen(document, 'visibilitychange', startTimer)
    return scope.dispose
  }, [onHide])
  return isMessageShown ? <Notice kind={kind}>{text}</Notice> : null
}
