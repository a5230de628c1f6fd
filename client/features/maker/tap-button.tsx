import { useEffect, useEffectEvent, useRef } from 'react'
import { createScope } from '../../primitives/scope.ts'
import { Button } from '../../ui/button.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './tempo.module.css'

/** A button that calls `onTap` as soon as a pointer goes down on it or a key activates it, with the time of the event in milliseconds. */
export function TapButton({ disabled, onTap }: { disabled: boolean; onTap: (timeMs: number) => void }) {
  const button = useRef<HTMLButtonElement>(null)
  const tap = useEffectEvent(onTap)
  useEffect(() => {
    const scope = createScope()
    if (button.current === null) return
    scope.listen(button.current, 'pointerdown', (event) => {
      if (event.button === 0) tap(event.timeStamp)
    })
    // Clicks without a pointer have no count: those of keys and of assistive technology.
    scope.listen(button.current, 'click', (event) => {
      if (event.detail === 0) tap(event.timeStamp)
    })
    return scope.dispose
  }, [])
  return (
    <Button ref={button} variant="tertiary" className={styles.tap ?? ''} disabled={disabled}>
      Tap<span className={typeStyles.hidden}> the beat</span>
    </Button>
  )
}
